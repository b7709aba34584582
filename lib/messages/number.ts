import { type Language, languageTable } from "./language.ts";
import type { Words } from "./words.ts";

/**
 * A number as it is written in a language, with a real minus sign and without "−0". Not by `Intl.NumberFormat`, of which
 * browsers have different versions: a page must be the same on the server and in the browser.
 *
 * @param decimals Digits behind the decimal sign.
 */
export function formatNumber(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, languageTable[language].thousands);
}

/** As `formatNumber`, without separators of thousands: of a value with its unit, `4213 m`. */
export function formatUngrouped(value: number, decimals: number, language: Language): string {
  return format(value, decimals, language, "");
}

function format(value: number, decimals: number, language: Language, thousands: string): string {
  const text = value.toFixed(decimals);
  const [whole = "", fraction] = text.replace("-", "").split(".");
  const digits = thousands ? whole.replace(/\B(?=(\d{3})+$)/g, thousands) : whole;
  const number = digits + (fraction ? languageTable[language].decimal + fraction : "");
  return Number(text) < 0 ? `−${number}` : number;
}

/** Units that some languages write in a way of their own: without a space, or before the number. */
const kinds: Readonly<Record<string, string>> = { "%": "percent", "°": "degrees", Bft: "beaufort" };

export const unitKind = (symbol: string): string => kinds[symbol] ?? "other";

/** `18 kn`, `Bft 5`, `80%`: a written number and the symbol of its unit. */
export function inUnit(number: string, symbol: string, { catalog }: Words): string {
  return catalog.inUnit({ number, symbol, kind: unitKind(symbol) });
}
