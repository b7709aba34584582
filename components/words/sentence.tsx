import { Fragment, isValidElement, type ReactElement } from "react";

interface Props<Values extends object> {
  /** The message of the sentence. */
  of(values: Values): string;
  /** What stands in it; elements stand wherever the language puts them. */
  values: { [Name in keyof Values]: Values[Name] | ReactElement };
}

/** Stands in no text of ours. */
const MARK = "\0";

/** A sentence with elements in it. */
export function Sentence<Values extends object>({ of, values }: Props<Values>) {
  const elements = Object.values(values).filter((value) => isValidElement(value));
  const texts = Object.entries(values).map(([name, value]) => [
    name,
    isValidElement(value) ? `${MARK}${elements.indexOf(value)}${MARK}` : value,
  ]);
  return of(Object.fromEntries(texts))
    .split(MARK)
    .map((text, index) => (
      // biome-ignore lint/suspicious/noArrayIndexKey: pieces of a sentence have no other identity
      <Fragment key={index}>{index % 2 === 1 ? elements[Number(text)] : text}</Fragment>
    ));
}
