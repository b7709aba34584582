import type { Messages } from "./generated/messages.ts";
import type { Language } from "./language.ts";

/**
 * Parts of the catalogs that load after the first view of the map, with the code that uses them
 * (components/words/late-words.ts).
 */
export const lateParts = [
  "area",
  "channels",
  "difference",
  "docs",
  "download",
  "ensemble",
  "lists",
  "models",
  "passage",
  "places",
  "status",
  "stormCard",
  "tasks",
  "tides",
  "verdict",
  "watches",
  "workability",
] as const;

export type LatePart = (typeof lateParts)[number];

/** The part used by e-mails; no page needs it. */
export const MAIL_PART = "mail";

/** The words that every page has, in one language, grouped by part of the page. */
export type Words = { language: Language } & Omit<Messages, LatePart | typeof MAIL_PART>;

/**
 * The words of every page with some of the late parts. A function that reads a late part states it in the
 * type of its `words` or `zone` parameter.
 */
export type WordsWith<P extends LatePart = never> = Words & Pick<Messages, P>;

/** Display name of a dataset; an unknown name is shown as it is. */
export function datasetTitle(name: string, { catalog }: Words): string {
  const titles: Readonly<Record<string, string>> = catalog.datasets;
  return titles[name] ?? name;
}

/** A title in its standalone form and in lower case, for languages that use lower case within a sentence. */
export function inSentence(title: string): { title: string; lowerTitle: string } {
  return { title, lowerTitle: title.toLowerCase() };
}
