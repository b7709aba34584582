import type { Language } from "#lib/messages/language.ts";

/** ISO 3166-1 codes by the English names of countries, in the spelling of the database of stations. */
const codes = new Map<string, string>();

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * Name of a country in a language, from the browser's data; it need not match the server, because predictions are never
 * part of the server-rendered page. A name that these data do not have stays English.
 */
export function countryName(country: string, language: Language): string {
  if (codes.size === 0) {
    const english = new Intl.DisplayNames("en", { type: "region", fallback: "none" });
    for (const first of LETTERS)
      for (const second of LETTERS) {
        const name = english
          .of(first + second)
          ?.replace("St. ", "Saint ")
          .replace("&", "and");
        if (name && !codes.has(name)) codes.set(name, first + second);
      }
  }
  const code = codes.get(country);
  return (code && new Intl.DisplayNames(language, { type: "region" }).of(code)) ?? country;
}
