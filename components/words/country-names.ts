import type { Language } from "#lib/messages/language.ts";

const names = new Map<Language, Intl.DisplayNames>();

/** Codes by the English names of countries, in the spelling of the database of stations. */
const codes = new Map<string, string>();

const LETTERS = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ"];

/**
 * Name of a country from the browser's data; it need not match the server, because neither results of a search nor
 * predictions are part of the server-rendered page. @param code ISO 3166-1 alpha-2.
 */
export function countryOfCode(code: string, language: Language): string | undefined {
  const known = names.get(language) ?? new Intl.DisplayNames(language, { type: "region", fallback: "none" });
  names.set(language, known);
  return known.of(code);
}

/** The same for a country of which the English name is known. A name that the browser's data do not have stays English. */
export function countryOfName(english: string, language: Language): string {
  if (language === "en") return english;
  if (codes.size === 0) {
    for (const first of LETTERS)
      for (const second of LETTERS) {
        const name = countryOfCode(first + second, "en");
        const spelled = name?.replace("St. ", "Saint ").replace("&", "and");
        if (spelled && !codes.has(spelled)) codes.set(spelled, first + second);
      }
  }
  const code = codes.get(english);
  return (code && countryOfCode(code, language)) ?? english;
}
