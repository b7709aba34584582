import type { Language } from "./language.ts";

/** Decimal sign and separator of thousands, as CLDR has them; a space that does not break, where it is a space. */
const signs: Record<Language, readonly [decimal: string, thousands: string]> = {
  en: [".", ","],
  fr: [",", "\u202f"],
  es: [",", "."],
  de: [",", "."],
  pt: [",", "."],
  ja: [".", ","],
  zh: [".", ","],
};

/**
 * A number as it is written in a language, with a real minus sign and without "−0". Not by `Intl.NumberFormat`, of which
 * browsers have different versions: a page must be the same on the server and in the browser.
 *
 * @param decimals Digits behind the decimal sign.
 */
export function formatNumber(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, signs[language][1]);
}

/** As `formatNumber`, without separators of thousands: of a value with its unit, `4213 m`. */
export function formatUngrouped(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, "");
}

function format(value: number, decimals: number, language: Language, thousands: string): string {
  const text = value.toFixed(decimals);
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const digits = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole;
  const number = digits + (fraction ? signs[language][0] + fraction : "");
  return Number(text) < 0 ? `−${number}` : number;
}
