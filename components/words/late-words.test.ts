import { expect, it, onTestFinished, vi } from "vitest";
import type { Messages } from "#lib/messages/generated/messages.ts";
import { type Language, languages } from "#lib/messages/language.ts";
import { lateParts } from "#lib/messages/words.ts";
import { latePart, withWords } from "./late-words.ts";

/** Files of a part that contain the name of their language; those of `unreachable` languages fail. */
function filesOf(unreachable: Set<Language>) {
  const asked: Language[] = [];
  const file = (language: Language) => async () => {
    asked.push(language);
    if (unreachable.has(language)) throw new Error("Failed to load chunk");
    return { language } as unknown as Messages["docs"];
  };
  const files = Object.fromEntries(languages.map((language) => [language, file(language)]));
  return { asked, files: files as Record<Language, () => Promise<Messages["docs"]>> };
}

it("English stands in for words that do not come; where it does not come either, the next call loads again", async () => {
  const unreachable = new Set<Language>(["fr", "en"]);
  const { asked, files } = filesOf(unreachable);
  // The part is not used in any other test.
  const part = "part" as "docs";
  await expect(latePart("fr", part, files)).rejects.toThrow("Failed to load chunk");
  unreachable.delete("en");
  const first = latePart("fr", part, files);
  expect(latePart("fr", part, files)).toBe(first);
  expect(await first).toEqual({ language: "en" });
  expect(latePart("fr", part, files)).toBe(first);
  expect(asked).toEqual(["fr", "en", "fr", "en"]);
});

it("words that did not come are asked for again by the next use after 15 s, and stand in the place of the English ones when they come", async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const unreachable = new Set<Language>(["fr"]);
  const { asked, files } = filesOf(unreachable);
  const part = "other part" as "docs";
  const use = () => latePart("fr", part, files);
  const english = use();
  expect(await english).toEqual({ language: "en" });
  const later = async () => {
    vi.advanceTimersByTime(15_000);
    // The displayed component does not suspend in the meantime, because the promise has already been
    // fulfilled.
    expect([use(), use()]).toEqual([english, english]);
    await vi.advanceTimersByTimeAsync(0);
  };
  await later();
  expect(use()).toBe(english);
  unreachable.delete("fr");
  await later();
  const french = use();
  expect(french).toMatchObject({ status: "fulfilled", value: { language: "fr" } });
  vi.advanceTimersByTime(60_000);
  expect(use()).toBe(french);
  expect(asked).toEqual(["fr", "en", "fr", "fr"]);
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
