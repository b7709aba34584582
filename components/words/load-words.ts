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

/** The words of a language, loaded once. A page whose words do not come is shown in English (`retryWords`). */
export function loadWords(language: Language): Words | Promise<Words> {
  if (language === "en") return en;
  const words = loading.get(language) ?? load[language]().catch(() => en);
  loading.set(language, words);
  return words;
}

const RETRY_MS = 15_000;

/**
 * Loads words again that did not come, every 15 s and when the network is back, until they do.
 *
 * @param network Where `online` is heard: the window.
 * @returns Stops it.
 */
export function retryWords(
  language: Exclude<Language, "en">,
  network: EventTarget,
  onWords: (words: Words) => void,
  loadAgain = load[language],
): () => void {
  const retry = () => void loadAgain().then(come, () => undefined);
  const timer = setInterval(retry, RETRY_MS);
  network.addEventListener("online", retry);
  const stop = () => {
    clearInterval(timer);
    network.removeEventListener("online", retry);
  };
  const come = (words: Words) => {
    stop();
    onWords(words);
  };
  return stop;
}
