import type { ChannelsWords } from "#lib/words/en/channels.ts";
import { type Language, parseLanguage } from "#lib/words/language.ts";

const load: Record<Language, () => Promise<{ channels: ChannelsWords }>> = {
  en: () => import("#lib/words/en/channels.ts"),
  fr: () => import("#lib/words/fr/channels.ts"),
  es: () => import("#lib/words/es/channels.ts"),
  de: () => import("#lib/words/de/channels.ts"),
  pt: () => import("#lib/words/pt/channels.ts"),
  ja: () => import("#lib/words/ja/channels.ts"),
  zh: () => import("#lib/words/zh/channels.ts"),
};

/** Words about channels, in English for a language that has none. They are loaded when a channel is disabled, which is rare. */
export async function channelWordsOf(language: string): Promise<ChannelsWords> {
  return (await load[parseLanguage(language) ?? "en"]()).channels;
}
