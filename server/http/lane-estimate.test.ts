import { expect, it } from "vitest";
import { LaneEstimate } from "./lane-estimate.ts";

it("what runs longer than expected raises the expectation before it has ended, and what does not changes nothing", () => {
  const estimate = new LaneEstimate({ ms: 100, size: 10 });
  const running = [{ work: { size: 10, started: 0 } }];
  expect(estimate.rate(running, 90)).toBe(10);
  expect(estimate.rate(running, 900)).toBe((100 + 900) / 20);
  expect(estimate.rate([], 900)).toBe(10);
});

it("durations count by the size of what was computed, the newest most", () => {
  const estimate = new LaneEstimate({ ms: 100, size: 10 });
  for (let ended = 0; ended < 30; ended++) estimate.ended(1000, 2000);
  expect(estimate.rate([], 0)).toBeCloseTo(2, 1);
  estimate.ended(1000, 7000);
  // The newest of five, about.
  expect(estimate.rate([], 0)).toBeCloseTo(3, 1);
});
