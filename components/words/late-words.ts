import { loadPart } from "#lib/messages/generated/load.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type Language, parseLanguage } from "#lib/messages/language.ts";
import type { LatePart } from "#lib/messages/words.ts";

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
  files: Record<Language, () => Promise<Messages[P]>> = loadPart[part],
): Promise<Messages[P]> {
  const key = `${language} ${part}`;
  const known = asked.get(key);
  if (known) {
    askAgain(key, known, files[language]);
    return known.words as Promise<Messages[P]>;
  }
  const coming: Asked & { words: Promise<Messages[P]> } = {
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
