import { type MessageFormatElement, parse, TYPE } from "@formatjs/icu-messageformat-parser";

/** How a message uses an argument. */
export interface Argument {
  /** Whether the argument is written unchanged. */
  isShown: boolean;
  /** Whether the argument decides a plural, or is written as a number. */
  isNumber: boolean;
  /** Values that a select distinguishes; undefined where there is none. */
  keys: Set<string> | undefined;
  /** Whether a select has no text for other keys. */
  isClosed: boolean;
}

/** Finds the arguments of a message in ICU MessageFormat. @throws SyntaxError if the message is invalid. */
export function argumentsOf(message: string): Map<string, Argument> {
  const found = new Map<string, Argument>();
  visit(parse(message, { captureLocation: false }), found);
  return found;
}

function visit(elements: readonly MessageFormatElement[], found: Map<string, Argument>): void {
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue;
    if (element.type === TYPE.tag || element.type === TYPE.date || element.type === TYPE.time)
      throw new SyntaxError(`Messages have no tags, dates and times: ${element.value}`);
    const argument: Argument = found.get(element.value) ?? {
      isShown: false,
      isNumber: false,
      keys: undefined,
      isClosed: false,
    };
    found.set(element.value, argument);
    if (element.type === TYPE.argument || element.type === TYPE.number) argument.isShown = true;
    if (element.type === TYPE.number || element.type === TYPE.plural) argument.isNumber = true;
    if (element.type !== TYPE.select && element.type !== TYPE.plural) continue;
    if (element.type === TYPE.select) {
      argument.keys ??= new Set();
      for (const key of Object.keys(element.options)) if (key !== "other") argument.keys.add(key);
      if (element.options.other?.value.length === 0) argument.isClosed = true;
    }
    for (const { value } of Object.values(element.options)) visit(value, found);
  }
}
