import type { Messages } from "./generated/messages.ts";
import type { Language } from "./language.ts";

/** Parts of the catalogs that come with what they stand in, after the first view of the map (components/words/late-words.ts). */
export const lateParts = [
  "area",
  "channels",
  "docs",
  "download",
  "lists",
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

/** The part of e-mails, which no page has. */
export const MAIL_PART = "mail";

/** The words of every page in one language, by the part of the page that they stand in. */
export type Words = { language: Language } & Omit<Messages, LatePart | typeof MAIL_PART>;

/** The words of every page, with those of some late parts. A function that reads one says so in the type of its `words` or `zone`. */
export type WordsWith<P extends LatePart = never> = Words & Pick<Messages, P>;

/** What a dataset is called; a name that is not known is shown as it is. */
export function datasetTitle(name: string, { catalog }: Words): string {
  const titles: Readonly<Record<string, string>> = catalog.datasets;
  return titles[name] ?? name;
}

/** A title as it stands by itself, and as it stands in a sentence of a language that writes it in small letters there. */
export function inSentence(title: string): { title: string; lowerTitle: string } {
  return { title, lowerTitle: title.toLowerCase() };
}
