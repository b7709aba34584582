import { cookies, headers } from "next/headers";
import { LANGUAGE_COOKIE, type Language, requestedLanguage } from "#lib/messages/language.ts";

/** The language of a page: the chosen one, else the one that the browser prefers. */
export async function requestLanguage(): Promise<Language> {
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return requestedLanguage(chosen, (await headers()).get("accept-language") ?? undefined);
}
