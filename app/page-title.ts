import type { Metadata } from "next";
import { loadWords } from "#components/words/load-words.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { SERVICE_NAME } from "#lib/service-name.ts";
import { requestLanguage } from "./request-language.ts";

/** The title of a page in the language of the request. */
export async function titleOf(page: keyof Messages["screen"]["pages"]["titles"]): Promise<Metadata> {
  const { screen } = await loadWords(await requestLanguage());
  return { title: `${screen.pages.titles[page]} – ${SERVICE_NAME}` };
}
