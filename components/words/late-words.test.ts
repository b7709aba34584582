import { expect, it } from "vitest";
import type { DocsWords } from "#lib/words/en/docs.ts";
import { type Language, languages } from "#lib/words/language.ts";
import { latePart, lateParts, withWords } from "./late-words.ts";

/** Files of a part with the name of their language in them; those of some cannot be reached. */
function filesOf(unreachable: Set<Language>) {
  const asked: Language[] = [];
  const file = (language: Language) => async () => {
    asked.push(language);
    if (unreachable.has(language)) throw new Error("Failed to load chunk");
    return { language } as unknown as DocsWords;
  };
  const files = Object.fromEntries(languages.map((language) => [language, file(language)]));
  return { asked, files: files as Record<Language, () => Promise<DocsWords>> };
}

it("English stands in for words that do not come; where it does not come either, the next call loads again", async () => {
  const unreachable = new Set<Language>(["fr", "en"]);
  const { asked, files } = filesOf(unreachable);
  // Of no other test.
  const part = "part" as "docs";
  await expect(latePart("fr", part, files)).rejects.toThrow("Failed to load chunk");
  unreachable.delete("en");
  const first = latePart("fr", part, files);
  expect(latePart("fr", part, files)).toBe(first);
  expect(await first).toEqual({ language: "en" });
  expect(latePart("fr", part, files)).toBe(first);
  expect(asked).toEqual(["fr", "en", "fr", "en"]);
});

it("each part has a file in each language, and each file another text", async () => {
  for (const part of lateParts) {
    const texts = await Promise.all(languages.map(async (language) => latePart(language, part)));
    expect(new Set(texts.map((words) => JSON.stringify(words))).size, part).toBe(languages.length);
  }
});

it("on the server a file brings no words with it", async () => {
  expect(await withWords(async () => "file", "tasks")()).toBe("file");
});
