import { expect, it } from "vitest";
import { watches } from "#lib/messages/generated/en/watches.ts";
import { en } from "#lib/messages/generated/en.ts";
import { HOUR_S } from "#lib/time.ts";
import { messageOf } from "./compose.ts";
import type { Judged } from "./judge.ts";

const base = Date.UTC(2026, 8, 15, 12) / 1000;
const watch = {
  id: "1",
  name: "Ushant",
  question: {
    kind: "place",
    latitude: 48,
    longitude: -5,
    window_hours: 24,
    conditions: [],
    lasting_hours: 1,
  },
} as unknown as Parameters<typeof messageOf>[0];
const judged = { state: "unknown", deciding: undefined, windows: [], knownShare: 0 } as unknown as Judged;

const sentenceAfter = (hours: number, source?: string) => {
  const run = { model: "GFS 0.25°", at: base, ...(source && { source }) };
  const facts = { judged, run, now: base + hours * HOUR_S, synthetic: false };
  return messageOf(watch, "test", facts, { words: en, watches }).sentence;
};

it("an alert says that its forecast is old, and nothing of the age of a fresh one or of a bulletin", () => {
  expect(sentenceAfter(36, "gfs")).toContain("Forecast is 36 h old (GFS 0.25°, 12Z).");
  expect(sentenceAfter(6, "gfs")).not.toContain("h old");
  expect(sentenceAfter(36)).not.toContain("h old");
});
