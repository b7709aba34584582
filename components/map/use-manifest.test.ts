import { expect, it } from "vitest";
import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import type { FramePair } from "#lib/field/interpolate.ts";
import { parseInstant } from "#lib/time.ts";
import { manifestClock } from "./use-manifest.ts";
import { onlyOf } from "./use-secondary-field.ts";

const now = parseInstant("2026-09-15T06:00:00Z");
const data = { variable: "wind", now: "2026-09-15T06:00:00Z", runs: [], secondsSaved: 0 };
const read = { data, isPlaceholderData: false, dataUpdatedAt: 1_000_000, errorUpdatedAt: 0 };

it("is the clock of the service while that answers, also after an earlier failure", () => {
  expect(manifestClock(read)).toBe(now);
  expect(manifestClock({ ...read, errorUpdatedAt: 400_000 })).toBe(now);
  expect(manifestClock({ ...read, data: undefined })).toBeUndefined();
});

it("goes on while the service cannot be reached, so that a ship and its storms are not shown as of hours ago", () => {
  expect(manifestClock({ ...read, errorUpdatedAt: 1_000_000 + 8 * 3_600_000 })).toBe(now + 8 * 3600);
  expect(manifestClock({ ...read, data: { ...data, secondsSaved: 8 * 3600 } })).toBe(now + 8 * 3600);
});

it("takes no time from the failure of another request", () => {
  const placeholder = {
    ...read,
    isPlaceholderData: true,
    dataUpdatedAt: 0,
    errorUpdatedAt: 1_800_000_000_000,
  };
  expect(manifestClock(placeholder)).toBe(now);
});

const pair = {} as FramePair;
const run = {} as DrawableRun;

it("lines of another time than the colours are not drawn, those without a time always are", () => {
  const lines = { pair, run, time: 6 };
  expect(onlyOf(lines, 6)).toBe(lines);
  expect(onlyOf(lines, 3)).toEqual({ pair: undefined, run: undefined, time: 6 });
  const depth = { pair, run, time: undefined };
  expect(onlyOf(depth, 3)).toBe(depth);
});
