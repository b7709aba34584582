const DECIMAL = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)(?:[eE][+-]?\d+)?$/;

/**
 * Parses a decimal number from outside; NaN for any other text. `Number` alone would accept an empty text as
 * 0, and `0x10`.
 *
 * @param text Without surrounding white space.
 */
export function readDecimal(text: string): number {
  const number = DECIMAL.test(text) ? Number(text) : Number.NaN;
  return Number.isFinite(number) ? number : Number.NaN;
}

/**
 * Parses a number as people type it: with a decimal comma, a typographic minus sign or surrounding spaces.
 */
export function readTypedDecimal(text: string): number {
  return readDecimal(text.trim().replace(",", ".").replace("−", "-"));
}
