/**
 * The languages of the pages, the first where nothing else is asked for. ISO 639-1, with what Unicode's CLDR takes as usual:
 * Portuguese of Brazil, simplified Chinese. Each has its catalog, `lib/messages/<language>.json`.
 */
const table = {
  /** Its name in itself: who looks for a language may read no other. Signs as CLDR has them, the spaces without a break. */
  en: { name: "English", decimal: ".", thousands: "," },
  fr: { name: "Français", decimal: ",", thousands: "\u202f" },
  es: { name: "Español", decimal: ",", thousands: "." },
  de: { name: "Deutsch", decimal: ",", thousands: "." },
  pt: { name: "Português", decimal: ",", thousands: "." },
  ja: { name: "日本語", decimal: ".", thousands: "," },
  zh: { name: "简体中文", decimal: ".", thousands: "," },
};

export type Language = keyof typeof table;

export const languages = Object.keys(table) as [Language, ...Language[]];

export const languageTable: Readonly<Record<Language, { name: string; decimal: string; thousands: string }>> =
  table;

/** Cookie with the choice of this browser. It is never in a link: who opens one reads it in the own language. */
export const LANGUAGE_COOKIE = "language";

/** The language with a code; undefined for any other text. */
export function parseLanguage(text: string | null | undefined): Language | undefined {
  return languages.find((language) => language === text);
}

/** The language of a page: the one that was chosen in this browser, else the one that it asks for. */
export function requestedLanguage(chosen: string | undefined, accepted: string | undefined): Language {
  return parseLanguage(chosen) ?? preferredLanguage(accepted);
}

/** More ranges than any browser sends: the rest is not read. */
const MAX_RANGES = 32;

/**
 * The language that a browser asks for, of those that there are (RFC 9110, 12.5.4; lookup of RFC 4647, by the primary
 * subtag: `pt-PT` is answered with Portuguese).
 *
 * @param accepted Header `Accept-Language`.
 */
export function preferredLanguage(accepted: string | undefined): Language {
  let best: Language | undefined;
  let quality = 0;
  for (const range of (accepted ?? "").split(",", MAX_RANGES)) {
    const [, tag = "", q = "1"] =
      /^\s*([a-z]{1,8})(?:-[a-z\d-]*)?\s*(?:;\s*q=([01](?:\.\d{0,3})?))?\s*$/i.exec(range) ?? [];
    const language = parseLanguage(tag.toLowerCase());
    if (language && Number(q) > quality) [best, quality] = [language, Number(q)];
  }
  return best ?? languages[0];
}
