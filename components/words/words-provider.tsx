"use client";

import { type ReactNode, use, useEffect, useState } from "react";
import type { Language } from "#lib/messages/language.ts";
import { loadWords, retryWords } from "./load-words.ts";
import { WordsContext } from "./words-context.ts";

interface Props {
  language: Language;
  children: ReactNode;
}

/**
 * Provides the words to the page. Until they are loaded, the server-rendered page stays without being
 * hydrated. If loading fails, the page is hydrated in English, and announced as such to screen readers, until
 * it succeeds.
 */
export function WordsProvider({ language, children }: Props) {
  const loaded = loadWords(language);
  const first = loaded instanceof Promise ? use(loaded) : loaded;
  const [late, setLate] = useState<typeof first>();
  const words = late ?? first;
  useEffect(() => {
    document.documentElement.lang = words.language;
    return words.language === language || language === "en"
      ? undefined
      : retryWords(language, window, setLate);
  }, [words, language]);
  return <WordsContext value={words}>{children}</WordsContext>;
}
