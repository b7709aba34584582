import { expect, it } from "vitest";
import { de, en, ja, zh } from "#test/all-words.ts";
import { wholeValues } from "./whole-values.ts";

it.each([
  [en, "Max 29 kn (Thu 00:00), gusts 36 kn, sea 5.1 m.", "Max 29_kn (Thu 00:00), gusts 36_kn, sea 5.1_m."],
  [en, "39 h 20 min · 1,148 n mi · 3 models", "39_h_20_min · 1,148_n_mi · 3 models"],
  [de, "Böen 36 kn, See 5,1 m, 2 Modelle", "Böen 36_kn, See 5,1_m, 2 Modelle"],
  [ja, "突風36 kt、波5.1 m。", "突風36_kt、波5.1_m。"],
  [ja, "36 ktを超え、最大38 kt。最も近い水面は2 海里先", "36_ktを超え、最大38_kt。最も近い水面は2_海里先"],
  [zh, "36 节以上，5.1 m以上", "36_节以上，5.1_m以上"],
])("keeps numbers and units on one line", (words, text, whole) => {
  expect(wholeValues(text, words)).toBe(whole.replaceAll("_", "\u00a0"));
});
