"use client";

import { type ReactNode, use } from "react";
import type { Language } from "#lib/words/language.ts";
import { loadWords } from "./load-words.ts";
import { WordsContext } from "./words-context.ts";

interface Props {
  language: Language;
  children: ReactNode;
}

/** Gives the page its words. The page that the server sent stands, and is not yet alive, until they are loaded. */
export function WordsProvider({ language, children }: Props) {
  const loaded = loadWords(language);
  const words = loaded instanceof Promise ? use(loaded) : loaded;
  return <WordsContext value={words}>{children}</WordsContext>;
}
