import { en, type Words } from "#lib/words/en.ts";
import type { Language } from "#lib/words/language.ts";

/** English comes with the page; each other language is a file of its own. */
const load: Record<Exclude<Language, "en">, () => Promise<Words>> = {
  fr: async () => (await import("#lib/words/fr.ts")).fr,
  es: async () => (await import("#lib/words/es.ts")).es,
  de: async () => (await import("#lib/words/de.ts")).de,
  pt: async () => (await import("#lib/words/pt.ts")).pt,
  ja: async () => (await import("#lib/words/ja.ts")).ja,
  zh: async () => (await import("#lib/words/zh.ts")).zh,
};

const loading = new Map<Language, Promise<Words>>();

/** The words of a language, loaded once. A page whose words do not come is shown in English. */
export function loadWords(language: Language): Words | Promise<Words> {
  if (language === "en") return en;
  const words = loading.get(language) ?? load[language]().catch(() => en);
  loading.set(language, words);
  return words;
}
