import { createContext, use } from "react";
import { en } from "#lib/messages/generated/en.ts";
import type { LatePart, Words, WordsWith } from "#lib/messages/words.ts";
import { latePart } from "./late-words.ts";

export const WordsContext = createContext<Words>(en);

/** For each words of a page those with late parts, so that what depends on them is not made again. */
const joined = new WeakMap<Words, Map<string, Words>>();

/**
 * The words of the page in its language.
 *
 * @param parts Late parts that the component reads too. It suspends until they are loaded.
 */
export function useWords<P extends LatePart = never>(...parts: P[]): WordsWith<P> {
  const words = use(WordsContext);
  // Words that were given with these parts: of a test.
  const absent = parts.filter((part) => !(part in words));
  if (absent.length === 0) return words as WordsWith<P>;
  // All are asked for before the first is waited for, and the same ones at each rendering.
  const late = absent.map((part) => latePart(words.language, part)).map((coming) => use(coming));
  const known = joined.get(words) ?? new Map<string, Words>();
  joined.set(words, known);
  const key = absent.join();
  const before = known.get(key) as Partial<Record<LatePart, unknown>> | undefined;
  // English words stand in for those that have not come.
  const isSame = before !== undefined && absent.every((part, at) => before[part] === late[at]);
  const all = isSame
    ? before
    : { ...words, ...Object.fromEntries(absent.map((part, at) => [part, late[at]])) };
  known.set(key, all as Words);
  return all as WordsWith<P>;
}
