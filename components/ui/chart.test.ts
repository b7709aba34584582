import { expect, it } from "vitest";
import { chartFrame, linePath, roundTop } from "./chart.ts";

it("draws later to the right and higher to the top, and breaks at missing values", () => {
  const frame = chartFrame([0, 10], [0, 4], 100, 40);
  const samples = [0, 1, Number.NaN, 4].map((value, index) => ({ time: (index * 10) / 3, value }));
  expect(linePath(samples, frame)).toBe("M0.0 40.0L33.3 30.0M100.0 0.0");
});

it("ends an axis at a round number that is not below the highest value", () => {
  expect([0.7, 3.2, 10, 41, 61].map(roundTop)).toEqual([0.8, 4, 10, 50, 80]);
});
