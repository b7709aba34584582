import { expect, it } from "vitest";
import { nearestDay, newestDay } from "./message.ts";

const seconds = (text: string) => Date.parse(text) / 1000;

it("takes the day of a text for the last such day that has passed, though the next one is nearer", () => {
  const received = seconds("2026-09-10T00:00:00Z");
  expect(newestDay("240600", received)).toBe(seconds("2026-08-24T06:00:00Z"));
  expect(nearestDay("240600", received)).toBe(seconds("2026-09-24T06:00:00Z"));
  // Clocks differ: a text may be up to a day ahead.
  expect(newestDay("102300", received)).toBe(seconds("2026-09-10T23:00:00Z"));
});
