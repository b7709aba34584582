import type { MessageWords } from "#lib/watches/compose.ts";
import type { WatchesWords } from "#lib/words/en/watches.ts";
import type { Words } from "#lib/words/en.ts";
import { type Language, parseLanguage } from "#lib/words/language.ts";

const load: Record<Language, () => Promise<MessageWords>> = {
  en: () =>
    joined(
      import("#lib/words/en.ts").then((file) => file.en),
      import("#lib/words/en/watches.ts"),
    ),
  fr: () =>
    joined(
      import("#lib/words/fr.ts").then((file) => file.fr),
      import("#lib/words/fr/watches.ts"),
    ),
  es: () =>
    joined(
      import("#lib/words/es.ts").then((file) => file.es),
      import("#lib/words/es/watches.ts"),
    ),
  de: () =>
    joined(
      import("#lib/words/de.ts").then((file) => file.de),
      import("#lib/words/de/watches.ts"),
    ),
  pt: () =>
    joined(
      import("#lib/words/pt.ts").then((file) => file.pt),
      import("#lib/words/pt/watches.ts"),
    ),
  ja: () =>
    joined(
      import("#lib/words/ja.ts").then((file) => file.ja),
      import("#lib/words/ja/watches.ts"),
    ),
  zh: () =>
    joined(
      import("#lib/words/zh.ts").then((file) => file.zh),
      import("#lib/words/zh/watches.ts"),
    ),
};

async function joined(
  words: Promise<Words>,
  late: Promise<{ watches: WatchesWords }>,
): Promise<MessageWords> {
  return { words: await words, watches: (await late).watches };
}

/** The words of a watch's messages. */
export function wordsOf(language: string): Promise<MessageWords> {
  return load[parseLanguage(language) ?? "en"]();
}
