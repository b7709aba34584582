import { type Language, languageTable } from "./language.ts";
import type { Words } from "./words.ts";

/**
 * Formats a number in a language, with a typographic minus sign and without "−0". `Intl.NumberFormat` is not
 * used, because its data differ between browsers and a page must be the same on the server and in the
 * browser.
 *
 * @param decimals Digits after the decimal separator.
 */
export function formatNumber(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, languageTable[language].thousands);
}

/** The same as `formatNumber` without thousands separators, for a value with its unit such as `4213 m`. */
export function formatUngrouped(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, "");
}

/** A number with all its digits as it is typed into a field, with the decimal sign of the language. `readTypedDecimal` reads it. */
export function typedDecimal(value: number, language: Language): string {
  return String(value).replace(".", languageTable[language].decimal);
}

function format(value: number, decimals: number, language: Language, thousands: string): string {
  const text = value.toFixed(decimals);
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const digits = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole;
  const number = digits + (fraction ? languageTable[language].decimal + fraction : "");
  return Number(text) < 0 ? `−${number}` : number;
}

/** Units that some languages format differently, without a space or before the number. */
const kinds: Readonly<Record<string, string>> = { "%": "percent", "°": "degrees", Bft: "beaufort" };

export const unitKind = (symbol: string): string => kinds[symbol] ?? "other";

/** Joins a formatted number and the symbol of its unit: `18 kn`, `Bft 5`, `80%`. */
export function inUnit(number: string, symbol: string, { catalog }: Words): string {
  return catalog.inUnit({ number, symbol, kind: unitKind(symbol) });
}
