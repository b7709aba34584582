import { en } from "#lib/messages/generated/en.ts";
import { loadPage } from "#lib/messages/generated/load.ts";
import type { Language } from "#lib/messages/language.ts";
import type { Words } from "#lib/messages/words.ts";

const loading = new Map<Language, Promise<Words>>();

/** The words of a language, loaded once; the English ones come with the page. A page whose words do not come is shown in English (`retryWords`). */
export function loadWords(language: Language): Words | Promise<Words> {
  if (language === "en") return en;
  const words = loading.get(language) ?? loadPage[language]().catch(() => en);
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
