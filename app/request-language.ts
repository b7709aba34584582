import { cookies, headers } from "next/headers";
import { LANGUAGE_COOKIE, type Language, parseLanguage, preferredLanguage } from "#lib/words/language.ts";

/** The language that a page is asked for in: the one that was chosen here, else the one that the browser prefers. */
export async function requestLanguage(): Promise<Language> {
  return (
    parseLanguage((await cookies()).get(LANGUAGE_COOKIE)?.value) ??
    preferredLanguage((await headers()).get("accept-language") ?? undefined)
  );
}
