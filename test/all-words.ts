import { latePart } from "#components/words/late-words.ts";
import { loadWords } from "#components/words/load-words.ts";
import type { Language } from "#lib/messages/language.ts";
import { type LatePart, lateParts, type WordsWith } from "#lib/messages/words.ts";

/** The words of a page with those of all deferred parts. */
export type AllWords = WordsWith<LatePart>;

async function allOf(language: Language): Promise<AllWords> {
  const words = await loadWords(language);
  const late = await Promise.all(
    lateParts.map(async (part) => [part, await latePart(language, part)] as const),
  );
  return { ...words, ...Object.fromEntries(late) } as AllWords;
}

export const en = await allOf("en");
export const fr = await allOf("fr");
export const es = await allOf("es");
export const de = await allOf("de");
export const pt = await allOf("pt");
export const ja = await allOf("ja");
export const zh = await allOf("zh");
