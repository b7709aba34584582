import { useWords } from "#components/words/words-context.ts";
import type { PassageWords } from "#lib/words/en/passage.ts";

/** The words of passages in the language of the page. The component suspends until they are loaded. */
export function usePassageWords(): PassageWords {
  return useWords("passage").passage;
}
