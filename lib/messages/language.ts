/**
 * The languages of the pages; the first is the default. Codes are ISO 639-1, with the usual regions of
 * Unicode's CLDR: Portuguese of Brazil, simplified Chinese. Each has a catalog,
 * `lib/messages/<language>.json`.
 */
const table = {
  /**
   * Names are in the language itself, because a person looking for it may read no other. Separators follow
   * CLDR, with non-breaking spaces.
   */
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

/**
 * Cookie with the language chosen in this browser. The choice is never part of a link, so a person who opens
 * one sees their own language.
 */
export const LANGUAGE_COOKIE = "language";

/** The language with a code; undefined for any other text. */
export function parseLanguage(text: string | null | undefined): Language | undefined {
  return languages.find((language) => language === text);
}

/** The language of a page: the one chosen in this browser, otherwise the one that the browser asks for. */
export function requestedLanguage(chosen: string | undefined, accepted: string | undefined): Language {
  return parseLanguage(chosen) ?? preferredLanguage(accepted);
}

/** Most ranges that are read; no browser sends more. */
const MAX_RANGES = 32;

/**
 * The available language that a browser prefers (RFC 9110, 12.5.4; lookup of RFC 4647 by the primary subtag,
 * so `pt-PT` gives Portuguese).
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
