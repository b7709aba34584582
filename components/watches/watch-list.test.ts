import { expect, it } from "vitest";
import { en } from "#test/all-words.ts";
import { ageText } from "./watch-list.tsx";

it.each([
  ["08:48", "12 min ago"],
  ["09:05", "just now"],
])("the age of an alert of %s at 09:00 is %s: a slow clock puts none in the future", (at, age) => {
  expect(ageText(`2026-09-14T${at}:00Z`, Date.parse("2026-09-14T09:00:00Z"), en)).toBe(age);
});
