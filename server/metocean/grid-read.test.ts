import { expect, it } from "vitest";
import type { Run } from "#server/archive/run.ts";
import { MAX_POINTS_PER_READ, readTogether } from "./grid-read.ts";

const run = {} as Run;

it("steps are read together up to the most points of a read, and one that a run answers by itself, all in their order", () => {
  const third = MAX_POINTS_PER_READ / 4 + 1;
  const runAt = (step: number) => (step === 5 || step === 6 ? run : undefined);
  expect([...readTogether([1, 2, 3, 4, 5, 6, 7], third, runAt)]).toEqual([[1, 2, 3], [4], [5], [6], [7]]);
  expect([...readTogether([1, 2], 2 * MAX_POINTS_PER_READ, () => undefined)]).toEqual([[1], [2]]);
  expect([...readTogether([], 10, () => undefined)]).toEqual([]);
});
