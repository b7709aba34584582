import { type ReactNode, use } from "react";
import { useWords } from "#components/words/words-context.ts";
import { loadPassageWords, PassageWordsContext } from "./passage-words.ts";

/** Gives what is within the words of passages; it waits for them. */
export function PassageWordsProvider({ children }: { children: ReactNode }) {
  const { language } = useWords();
  const loading = loadPassageWords(language);
  const words = loading instanceof Promise ? use(loading) : loading;
  return <PassageWordsContext value={words}>{children}</PassageWordsContext>;
}
