import { cookies, headers } from "next/headers";
import { LANGUAGE_COOKIE, type Language, requestedLanguage } from "#lib/messages/language.ts";

/** The language that a page is made in. The server has found it and sends it as the cookie; in development the browser does. */
export async function requestLanguage(): Promise<Language> {
  const chosen = (await cookies()).get(LANGUAGE_COOKIE)?.value;
  return requestedLanguage(chosen, (await headers()).get("accept-language") ?? undefined);
}
