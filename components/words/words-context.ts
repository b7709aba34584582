import { createContext, use } from "react";
import { en, type Words } from "#lib/words/en.ts";

export const WordsContext = createContext<Words>(en);

/** The words of the page in its language. */
export function useWords(): Words {
  return use(WordsContext);
}
