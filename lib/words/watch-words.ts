import type { WatchesWords } from "./en/watches.ts";
import type { Language } from "./language.ts";

/** Words that neither the map nor another page needs: they come when a watch is made or read. */
const load: Record<Language, () => Promise<WatchesWords>> = {
  en: async () => (await import("./en/watches.ts")).watches,
  fr: async () => (await import("./fr/watches.ts")).watches,
  es: async () => (await import("./es/watches.ts")).watches,
  de: async () => (await import("./de/watches.ts")).watches,
  pt: async () => (await import("./pt/watches.ts")).watches,
  ja: async () => (await import("./ja/watches.ts")).watches,
  zh: async () => (await import("./zh/watches.ts")).watches,
};

const loaded = new Map<Language, Promise<WatchesWords>>();

/** The words about watches in a language, loaded once; again where that failed. */
export function loadWatchWords(language: Language): Promise<WatchesWords> {
  const known = loaded.get(language);
  if (known) return known;
  const words = load[language]();
  loaded.set(language, words);
  words.catch(() => loaded.delete(language));
  return words;
}
