import { createContext, use } from "react";
import { en } from "#lib/messages/generated/en.ts";
import type { LatePart, Words, WordsWith } from "#lib/messages/words.ts";
import { latePart } from "./late-words.ts";

export const WordsContext = createContext<Words>(en);

/**
 * The joined words for each page's words and set of late parts, so that values that depend on them stay the
 * same.
 */
const joined = new WeakMap<Words, Map<string, Words>>();

/**
 * The words of the page in its language.
 *
 * @param parts Late parts that the component also uses. It suspends until they are loaded.
 */
export function useWords<P extends LatePart = never>(...parts: P[]): WordsWith<P> {
  const words = use(WordsContext);
  // In tests the provided words may already include these parts.
  const absent = parts.filter((part) => !(part in words));
  if (absent.length === 0) return words as WordsWith<P>;
  // All parts are requested before waiting for the first one, in the same order at each rendering.
  const late = absent.map((part) => latePart(words.language, part)).map((coming) => use(coming));
  const known = joined.get(words) ?? new Map<string, Words>();
  joined.set(words, known);
  const key = absent.join();
  const before = known.get(key) as Partial<Record<LatePart, unknown>> | undefined;
  // The result changes when real words replace the English ones.
  const isSame = before !== undefined && absent.every((part, at) => before[part] === late[at]);
  const all = isSame
    ? before
    : { ...words, ...Object.fromEntries(absent.map((part, at) => [part, late[at]])) };
  known.set(key, all as Words);
  return all as WordsWith<P>;
}
