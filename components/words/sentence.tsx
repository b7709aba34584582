import { Fragment, isValidElement, type ReactElement } from "react";

interface Props<Values extends object> {
  /** The message. */
  message(values: Values): string;
  /** Its values; the language decides where elements stand. */
  values: { [Name in keyof Values]: Values[Name] | ReactElement };
}

/** A character that no message contains. */
const MARK = "\0";

/** A sentence that contains elements. */
export function Sentence<Values extends object>({ message, values }: Props<Values>) {
  const elements = Object.values(values).filter((value) => isValidElement(value));
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    isValidElement(value) ? `${MARK}${elements.indexOf(value)}${MARK}` : value,
  ]);
  return message(Object.fromEntries(texts))
    .split(MARK)
    .map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a sentence have no other identity
      <Fragment key={index}>{index % 2 === 1 ? elements[Number(text)] : text}</Fragment>
    ));
}
