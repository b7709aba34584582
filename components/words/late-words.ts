import { type Language, parseLanguage } from "#lib/words/language.ts";
import type { LatePart, LateWords } from "#lib/words/late.ts";

/** A file for each late part and language. */
const load: { [P in LatePart]: Record<Language, () => Promise<LateWords[P]>> } = {
  channels: {
    en: async () => (await import("#lib/words/en/channels.ts")).channels,
    fr: async () => (await import("#lib/words/fr/channels.ts")).channels,
    es: async () => (await import("#lib/words/es/channels.ts")).channels,
    de: async () => (await import("#lib/words/de/channels.ts")).channels,
    pt: async () => (await import("#lib/words/pt/channels.ts")).channels,
    ja: async () => (await import("#lib/words/ja/channels.ts")).channels,
    zh: async () => (await import("#lib/words/zh/channels.ts")).channels,
  },
  docs: {
    en: async () => (await import("#lib/words/en/docs.ts")).docs,
    fr: async () => (await import("#lib/words/fr/docs.ts")).docs,
    es: async () => (await import("#lib/words/es/docs.ts")).docs,
    de: async () => (await import("#lib/words/de/docs.ts")).docs,
    pt: async () => (await import("#lib/words/pt/docs.ts")).docs,
    ja: async () => (await import("#lib/words/ja/docs.ts")).docs,
    zh: async () => (await import("#lib/words/zh/docs.ts")).docs,
  },
  download: {
    en: async () => (await import("#lib/words/en/download.ts")).download,
    fr: async () => (await import("#lib/words/fr/download.ts")).download,
    es: async () => (await import("#lib/words/es/download.ts")).download,
    de: async () => (await import("#lib/words/de/download.ts")).download,
    pt: async () => (await import("#lib/words/pt/download.ts")).download,
    ja: async () => (await import("#lib/words/ja/download.ts")).download,
    zh: async () => (await import("#lib/words/zh/download.ts")).download,
  },
  lists: {
    en: async () => (await import("#lib/words/en/lists.ts")).lists,
    fr: async () => (await import("#lib/words/fr/lists.ts")).lists,
    es: async () => (await import("#lib/words/es/lists.ts")).lists,
    de: async () => (await import("#lib/words/de/lists.ts")).lists,
    pt: async () => (await import("#lib/words/pt/lists.ts")).lists,
    ja: async () => (await import("#lib/words/ja/lists.ts")).lists,
    zh: async () => (await import("#lib/words/zh/lists.ts")).lists,
  },
  passage: {
    en: async () => (await import("#lib/words/en/passage.ts")).passage,
    fr: async () => (await import("#lib/words/fr/passage.ts")).passage,
    es: async () => (await import("#lib/words/es/passage.ts")).passage,
    de: async () => (await import("#lib/words/de/passage.ts")).passage,
    pt: async () => (await import("#lib/words/pt/passage.ts")).passage,
    ja: async () => (await import("#lib/words/ja/passage.ts")).passage,
    zh: async () => (await import("#lib/words/zh/passage.ts")).passage,
  },
  status: {
    en: async () => (await import("#lib/words/en/status.ts")).status,
    fr: async () => (await import("#lib/words/fr/status.ts")).status,
    es: async () => (await import("#lib/words/es/status.ts")).status,
    de: async () => (await import("#lib/words/de/status.ts")).status,
    pt: async () => (await import("#lib/words/pt/status.ts")).status,
    ja: async () => (await import("#lib/words/ja/status.ts")).status,
    zh: async () => (await import("#lib/words/zh/status.ts")).status,
  },
  stormCard: {
    en: async () => (await import("#lib/words/en/storm-card.ts")).stormCard,
    fr: async () => (await import("#lib/words/fr/storm-card.ts")).stormCard,
    es: async () => (await import("#lib/words/es/storm-card.ts")).stormCard,
    de: async () => (await import("#lib/words/de/storm-card.ts")).stormCard,
    pt: async () => (await import("#lib/words/pt/storm-card.ts")).stormCard,
    ja: async () => (await import("#lib/words/ja/storm-card.ts")).stormCard,
    zh: async () => (await import("#lib/words/zh/storm-card.ts")).stormCard,
  },
  tasks: {
    en: async () => (await import("#lib/words/en/tasks.ts")).tasks,
    fr: async () => (await import("#lib/words/fr/tasks.ts")).tasks,
    es: async () => (await import("#lib/words/es/tasks.ts")).tasks,
    de: async () => (await import("#lib/words/de/tasks.ts")).tasks,
    pt: async () => (await import("#lib/words/pt/tasks.ts")).tasks,
    ja: async () => (await import("#lib/words/ja/tasks.ts")).tasks,
    zh: async () => (await import("#lib/words/zh/tasks.ts")).tasks,
  },
  verdict: {
    en: async () => (await import("#lib/words/en/verdict.ts")).verdict,
    fr: async () => (await import("#lib/words/fr/verdict.ts")).verdict,
    es: async () => (await import("#lib/words/es/verdict.ts")).verdict,
    de: async () => (await import("#lib/words/de/verdict.ts")).verdict,
    pt: async () => (await import("#lib/words/pt/verdict.ts")).verdict,
    ja: async () => (await import("#lib/words/ja/verdict.ts")).verdict,
    zh: async () => (await import("#lib/words/zh/verdict.ts")).verdict,
  },
  watches: {
    en: async () => (await import("#lib/words/en/watches.ts")).watches,
    fr: async () => (await import("#lib/words/fr/watches.ts")).watches,
    es: async () => (await import("#lib/words/es/watches.ts")).watches,
    de: async () => (await import("#lib/words/de/watches.ts")).watches,
    pt: async () => (await import("#lib/words/pt/watches.ts")).watches,
    ja: async () => (await import("#lib/words/ja/watches.ts")).watches,
    zh: async () => (await import("#lib/words/zh/watches.ts")).watches,
  },
};

export const lateParts = Object.keys(load) as LatePart[];

/** A late part as it was asked for. */
interface Asked {
  words: Promise<unknown>;
  /** When the words of its language were last asked for in vain, milliseconds: English ones stand in. */
  missedAt?: number;
}

const asked = new Map<string, Asked>();

/** Words that did not come are not asked for more often than this. */
const RETRY_MS = 15_000;

/**
 * The words of a late part, loaded once: always the same promise, as React's `use` needs it. If those of the language do
 * not come, it has the English ones until a later use, which asks again, finds them; if these do not come either, it is
 * rejected, and the next call loads again.
 */
export function latePart<P extends LatePart>(
  language: Language,
  part: P,
  files: Record<Language, () => Promise<LateWords[P]>> = load[part],
): Promise<LateWords[P]> {
  const key = `${language} ${part}`;
  const known = asked.get(key);
  if (known) {
    askAgain(key, known, files[language]);
    return known.words as Promise<LateWords[P]>;
  }
  const coming: Asked & { words: Promise<LateWords[P]> } = {
    words: files[language]().catch(() => {
      coming.missedAt = performance.now();
      return files.en();
    }),
  };
  asked.set(key, coming);
  coming.words.then(
    (value) => arrived(coming.words, value),
    () => asked.delete(key),
  );
  return coming.words;
}

/** What stands in is shown until the words have come. */
function askAgain(key: string, known: Asked, load: () => Promise<unknown>): void {
  const now = performance.now();
  if (known.missedAt === undefined || now - known.missedAt < RETRY_MS) return;
  known.missedAt = now;
  load().then(
    (value) => asked.set(key, { words: arrived(Promise.resolve(value), value) }),
    () => undefined,
  );
}

/** React reads what has come without waiting. */
function arrived<T>(words: Promise<T>, value: T): Promise<T> {
  return Object.assign(words, { status: "fulfilled", value });
}

/**
 * Loads a file and, at the same time, the words that its components read.
 *
 * @param load Imports the file.
 * @param parts What `useWords` is called with in it.
 */
export function withWords<T>(load: () => Promise<T>, ...parts: LatePart[]): () => Promise<T> {
  return () => {
    preloadWords(...parts);
    return load();
  };
}

/** Begins to load the words of a page whose scripts have come, in the language of the page; nothing on the server. */
export function preloadWords(...parts: LatePart[]): void {
  if (typeof document === "undefined") return;
  const language = parseLanguage(document.documentElement.lang) ?? "en";
  // Whoever reads them reports a failure.
  for (const part of parts) latePart(language, part).catch(() => undefined);
}
