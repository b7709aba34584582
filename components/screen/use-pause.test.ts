import { afterEach, expect, it, vi } from "vitest";
import { isPress, untilPause } from "./use-pause.ts";

afterEach(() => void vi.unstubAllGlobals());

it("steps in time that follow each other within two seconds do not open the map, a pause does", () => {
  for (let press = 0; press <= 10_000; press += 1900)
    expect(untilPause(0, press, press + 1899, 2000)).toBeGreaterThan(0);
  expect(untilPause(0, 10_000, 11_999, 2000)).toBe(1);
  expect(untilPause(0, 10_000, 12_000, 2000)).toBeLessThanOrEqual(0);
});

it("a mouse that moves without a press opens it at once, and presses without end do not keep it away for ever", () => {
  expect(untilPause(100, Number.NEGATIVE_INFINITY, 100, 2000)).toBeLessThanOrEqual(0);
  expect(untilPause(100, 15_000, 15_100, 2000)).toBeLessThanOrEqual(0);
});

it("what is read ahead waits for a press that may follow the first sign of use", () => {
  expect(untilPause(100, Number.NEGATIVE_INFINITY, 100, 800, 800)).toBe(800);
  expect(untilPause(100, 500, 1000, 800, 800)).toBe(300);
  expect(untilPause(100, 500, 1300, 800, 800)).toBeLessThanOrEqual(0);
});

it("a pointer that moves over a button is about to press it, and one that moves over the map is not", () => {
  class Stub {
    readonly tag: string;
    constructor(tag: string) {
      this.tag = tag;
    }
    closest = (selector: string) => (selector.split(", ").includes(this.tag) ? this : null);
  }
  vi.stubGlobal("Element", Stub);
  vi.stubGlobal("KeyboardEvent", class {});
  const over = (tag: string, type: string) => ({ type, target: new Stub(tag) }) as unknown as Event;
  expect(isPress(over("button", "pointermove"))).toBe(true);
  expect(isPress(over("canvas", "pointermove"))).toBe(false);
  expect(isPress(over("canvas", "pointerdown"))).toBe(true);
});
