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
 * Gives the page its words. The page that the server sent stands, and is not yet alive, until they are loaded. If they do not
 * come it is alive in English, and says so to screen readers, until they do.
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
