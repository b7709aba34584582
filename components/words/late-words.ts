import { loadPart } from "#lib/messages/generated/load.ts";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type Language, parseLanguage } from "#lib/messages/language.ts";
import type { LatePart } from "#lib/messages/words.ts";

/** A late part that was requested. */
interface Asked {
  words: Promise<unknown>;
  /** When the words of its language last failed to load, milliseconds; English words replace them. */
  missedAt?: number;
}

const asked = new Map<string, Asked>();

/** Least interval between attempts to load words that failed. */
const RETRY_MS = 15_000;

/**
 * The words of a late part, loaded once; the promise is always the same, as React's `use` requires. If the
 * words of the language fail to load, it resolves to the English ones, and a later use tries again. If these
 * fail too, it rejects, and the next call loads again.
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

/** Tries again in the background; the replacement is shown until the words have arrived. */
function askAgain(key: string, known: Asked, load: () => Promise<unknown>): void {
  const now = performance.now();
  if (known.missedAt === undefined || now - known.missedAt < RETRY_MS) return;
  known.missedAt = now;
  load().then(
    (value) => asked.set(key, { words: arrived(Promise.resolve(value), value) }),
    () => undefined,
  );
}

/** Marks a promise as fulfilled in the way that React reads without suspending. */
function arrived<T>(words: Promise<T>, value: T): Promise<T> {
  return Object.assign(words, { status: "fulfilled", value });
}

/**
 * Loads a file and, at the same time, the words that its components use.
 *
 * @param load Imports the file.
 * @param parts Parts that it passes to `useWords`.
 */
export function withWords<T>(load: () => Promise<T>, ...parts: LatePart[]): () => Promise<T> {
  return () => {
    preloadWords(...parts);
    return load();
  };
}

/**
 * Starts loading the words of a page whose scripts have arrived, in the language of the page; does nothing on
 * the server.
 */
export function preloadWords(...parts: LatePart[]): void {
  if (typeof document === "undefined") return;
  const language = parseLanguage(document.documentElement.lang) ?? "en";
  // Components that use the words report a failure.
  for (const part of parts) latePart(language, part).catch(() => undefined);
}
