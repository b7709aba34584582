const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * A decimal number of a text from outside; NaN for anything else. `Number` alone takes an empty text for 0, and `0x10`.
 *
 * @param text Without white space around it.
 */
export function readDecimal(text: string): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/** A number as people write it: also with a decimal comma or a minus sign, and with spaces around it. */
export function readTypedDecimal(text: string): number {
  return readDecimal(text.trim().replace(",", ".").replace("−", "-"));
}
