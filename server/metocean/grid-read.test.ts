import { expect, it } from "vitest";
import type { Run } from "#server/archive/run.ts";
import { isReadAsPoints, MAX_POINTS_PER_READ, readTogether } from "./grid-read.ts";

const run = {} as Run;

it("steps are read together up to the most points of a read, and one that a run answers by itself, all in their order", () => {
  const third = MAX_POINTS_PER_READ / 4 + 1;
  const runAt = (step: number) => (step === 5 || step === 6 ? run : undefined);
  expect([...readTogether([1, 2, 3, 4, 5, 6, 7], third, runAt)]).toEqual([[1, 2, 3], [4], [5], [6], [7]]);
  expect([...readTogether([1, 2], 2 * MAX_POINTS_PER_READ, () => undefined)]).toEqual([[1], [2]]);
  expect([...readTogether([], 10, () => undefined)]).toEqual([]);
});

it("a box of few rows or columns is read as points however long it is, so that no tall piece of a step is read for it", () => {
  const box = (rows: number, columns: number) => ({
    latitude: new Float64Array(rows),
    longitude: new Float64Array(columns),
  });
  expect(isReadAsPoints(box(64, 64))).toBe(true);
  expect(isReadAsPoints(box(65, 64))).toBe(false);
  expect(isReadAsPoints(box(5, 1377))).toBe(true);
  expect(isReadAsPoints(box(721, 11))).toBe(true);
  expect(isReadAsPoints(box(12, 1440))).toBe(false);
});
