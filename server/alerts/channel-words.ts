import { loadPart } from "#lib/messages/generated/load.ts";
import { mails } from "#lib/messages/generated/mails.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { parseLanguage } from "#lib/messages/language.ts";

/** Words about channels, in English for a language that has none. They are loaded when a channel is disabled, which is rare. */
export function channelWordsOf(language: string): Promise<Messages["channels"]> {
  return loadPart.channels[parseLanguage(language) ?? "en"]();
}

/** What the e-mails of alerts say besides the alert itself, and what the inbox says of a channel. */
export function mailWordsIn(language: string): Messages["mail"] {
  return mails[parseLanguage(language) ?? "en"];
}
