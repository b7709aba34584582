import type { MessageWords } from "#lib/watches/compose.ts";
import type { Words } from "#lib/words/en.ts";
import { type Language, parseLanguage } from "#lib/words/language.ts";
import { loadWatchWords } from "#lib/words/watch-words.ts";

const load: Record<Language, () => Promise<Words>> = {
  en: async () => (await import("#lib/words/en.ts")).en,
  fr: async () => (await import("#lib/words/fr.ts")).fr,
  es: async () => (await import("#lib/words/es.ts")).es,
  de: async () => (await import("#lib/words/de.ts")).de,
  pt: async () => (await import("#lib/words/pt.ts")).pt,
  ja: async () => (await import("#lib/words/ja.ts")).ja,
  zh: async () => (await import("#lib/words/zh.ts")).zh,
};

/** The words of a watch's messages. */
export async function wordsOf(language: string): Promise<MessageWords> {
  const known = parseLanguage(language) ?? "en";
  const [words, watches] = await Promise.all([load[known](), loadWatchWords(known)]);
  return { words, watches };
}
