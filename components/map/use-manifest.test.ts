import { expect, it } from "vitest";
import type { FramePair } from "#lib/field/interpolate.ts";
import { parseInstant } from "#lib/time.ts";
import { drawableRun } from "#test/map.ts";
import { manifestClock } from "./use-manifest.ts";
import { onlyOf } from "./use-secondary-field.ts";

const now = parseInstant("2026-09-15T06:00:00Z");
const data = { variable: "wind", now: "2026-09-15T06:00:00Z", runs: [], model: null, secondsSaved: 0 };
const read = { data, isPlaceholderData: false, dataUpdatedAt: 1_000_000, errorUpdatedAt: 0 };
const EIGHT_HOURS = 8 * 3600;

it.each([
  ["the service's while that answers", {}, now],
  ["the service's after an earlier failure", { errorUpdatedAt: 400_000 }, now],
  ["not known before", { data: undefined }, undefined],
  // A ship and its storms must not be shown at their positions hours ago.
  [
    "going on while the service cannot be reached",
    { errorUpdatedAt: 1_000_000 + 1000 * EIGHT_HOURS },
    now + EIGHT_HOURS,
  ],
  ["going on from a saved answer", { data: { ...data, secondsSaved: EIGHT_HOURS } }, now + EIGHT_HOURS],
  [
    "not moved by the failure of another request",
    { isPlaceholderData: true, dataUpdatedAt: 0, errorUpdatedAt: 1_800_000_000_000 },
    now,
  ],
])("the clock is %s", (_, reading, clock) => {
  expect(manifestClock({ ...read, ...reading })).toBe(clock);
});

it("lines of another time than the colours are not drawn, those without a time always are", () => {
  const lines = { pair: {} as FramePair, run: drawableRun({}), time: 6 };
  expect(onlyOf(lines, 6)).toBe(lines);
  expect(onlyOf(lines, 3)).toEqual({ pair: undefined, run: undefined, time: 6 });
  const depth = { ...lines, time: undefined };
  expect(onlyOf(depth, 3)).toBe(depth);
});
