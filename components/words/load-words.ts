import { en } from "#lib/messages/generated/en.ts";
import { loadPage } from "#lib/messages/generated/load.ts";
import type { Language } from "#lib/messages/language.ts";
import type { Words } from "#lib/messages/words.ts";

const loading = new Map<Language, Promise<Words>>();

/**
 * The words of a language, loaded once; the English ones are part of the page. If loading fails, the page is
 * shown in English (`retryWords`).
 */
export function loadWords(language: Language): Words | Promise<Words> {
  if (language === "en") return en;
  const words = loading.get(language) ?? loadPage[language]().catch(() => en);
  loading.set(language, words);
  return words;
}

const RETRY_MS = 15_000;

/**
 * Repeats the loading of words that failed, every 15 s and when the network is back, until it succeeds.
 *
 * @param network Emits `online`; the window.
 * @returns Function that stops it.
 */
export function retryWords(
  language: Exclude<Language, "en">,
  network: EventTarget,
  onWords: (words: Words) => void,
  loadAgain = loadPage[language],
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
