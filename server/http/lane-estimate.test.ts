import { expect, it } from "vitest";
import { LaneEstimate } from "./lane-estimate.ts";

const of = (size: number, kind = "points") => ({ kind, size });

it("what runs longer than expected raises the expectation before it has ended, and what does not changes nothing", () => {
  const estimate = new LaneEstimate({ ms: 100, size: 10 });
  const running = [{ work: { ...of(10), started: 0 } }];
  expect(estimate.durations(running, 90)(of(1))).toBe(10);
  expect(estimate.durations(running, 900)(of(1))).toBe((100 + 900) / 20);
  expect(estimate.durations([], 900)(of(1))).toBe(10);
});

it("durations count by the size of what was computed, the newest most", () => {
  const estimate = new LaneEstimate({ ms: 100, size: 10 });
  for (let ended = 0; ended < 30; ended++) estimate.ended(of(1000), 2000);
  expect(estimate.durations([], 0)(of(1))).toBeCloseTo(2, 1);
  estimate.ended(of(1000), 7000);
  // The newest of five, about.
  expect(estimate.durations([], 0)(of(1))).toBeCloseTo(3, 1);
});

it("kinds are learned apart, and may begin with expectations of their own", () => {
  const estimate = new LaneEstimate({ ms: 100, size: 10 }, { boxes: { ms: 10, size: 10 } });
  const running = [{ work: { ...of(10), started: 0 } }];
  estimate.ended(of(10), 1000);
  const durations = estimate.durations(running, 5000);
  expect(durations(of(1))).toBeGreaterThan(100);
  expect(durations(of(1, "boxes"))).toBe(1);
  expect(durations(of(1, "passages"))).toBe(10);
});
