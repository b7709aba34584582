import { useWords } from "#components/words/words-context.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";

/** The words of passages in the language of the page. The component suspends until they are loaded. */
export function usePassageWords(): Messages["passage"] {
  return useWords("passage").passage;
}
