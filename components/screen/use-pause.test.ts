import { expect, it } from "vitest";
import { untilPause } from "./use-pause.ts";

it("steps in time that follow each other within a second do not open the map, a pause does", () => {
  for (let press = 0; press <= 10_000; press += 900)
    expect(untilPause(0, press, press + 899)).toBeGreaterThan(0);
  expect(untilPause(0, 10_000, 10_999)).toBe(1);
  expect(untilPause(0, 10_000, 11_000)).toBeLessThanOrEqual(0);
});

it("a mouse that moves without a press opens it at once, and presses without end do not keep it away for ever", () => {
  expect(untilPause(100, Number.NEGATIVE_INFINITY, 100)).toBeLessThanOrEqual(0);
  expect(untilPause(100, 15_000, 15_100)).toBeLessThanOrEqual(0);
});
