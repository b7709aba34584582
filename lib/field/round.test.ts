import { expect, it } from "vitest";
import { rounded, roundedBearing } from "./round.ts";

it("writes no −0 and no NaN", () => {
  expect(Object.is(rounded(-0.001, 2), 0)).toBe(true);
  expect(rounded(Number.NaN, 1)).toBeNull();
});

it.each([
  [359.96, 0],
  [359.94, 359.9],
  [0.04, 0],
])("rounds the bearing %d into [0, 360)", (degrees, shown) => {
  expect(roundedBearing(degrees)).toBe(shown);
});
