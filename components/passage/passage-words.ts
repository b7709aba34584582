import { createContext, use } from "react";
import { passage as en, type PassageWords } from "#lib/words/en/passage.ts";
import type { Language } from "#lib/words/language.ts";

/** They come with the panel, and not with the words of the page: most views of the map show no plan. */
const load: Record<Exclude<Language, "en">, () => Promise<{ passage: PassageWords }>> = {
  fr: () => import("#lib/words/fr/passage.ts"),
  es: () => import("#lib/words/es/passage.ts"),
  de: () => import("#lib/words/de/passage.ts"),
  pt: () => import("#lib/words/pt/passage.ts"),
  ja: () => import("#lib/words/ja/passage.ts"),
  zh: () => import("#lib/words/zh/passage.ts"),
};

const loading = new Map<Language, Promise<PassageWords>>();

/** The words of passages in a language, loaded once; in English where they do not come. */
export function loadPassageWords(language: Language): PassageWords | Promise<PassageWords> {
  if (language === "en") return en;
  const words =
    loading.get(language) ??
    load[language]().then(
      ({ passage }) => passage,
      () => en,
    );
  loading.set(language, words);
  return words;
}

export const PassageWordsContext = createContext<PassageWords>(en);

/** The words of passages in the language of the page. */
export function usePassageWords(): PassageWords {
  return use(PassageWordsContext);
}
