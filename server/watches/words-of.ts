import { loadPage, loadPart } from "#lib/messages/generated/load.ts";
import { parseLanguage } from "#lib/messages/language.ts";
import type { MessageWords } from "#lib/watches/compose.ts";

/** The words of a watch's messages. */
export async function wordsOf(code: string): Promise<MessageWords> {
  const language = parseLanguage(code) ?? "en";
  const [words, watches] = await Promise.all([loadPage[language](), loadPart.watches[language]()]);
  return { words, watches };
}
