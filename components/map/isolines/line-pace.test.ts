import { expect, it } from "vitest";
import { linePace } from "./line-pace.ts";

/** A map that becomes idle when the test says so. */
function open(isSlow = false) {
  const clock = { now: 0 };
  const listeners: (() => void)[] = [];
  const once = ((_event: string, listener: () => void) => listeners.push(listener)) as never;
  const pace = linePace(
    { once },
    () => clock.now,
    () => isSlow,
  );
  const drawn = (ms: number) => {
    pace.given();
    clock.now += ms;
    for (const listener of listeners.splice(0)) listener();
  };
  return { pace, drawn };
}

it("lines come at once where they are drawn quickly", () => {
  const { pace, drawn } = open();
  expect(pace.wait()).toBe(0);
  drawn(100);
  expect(pace.wait()).toBe(0);
});

it("on a slow device lines wait until the time stands still, never longer than 0.8 s", () => {
  const { pace, drawn } = open();
  drawn(200);
  expect(pace.wait()).toBe(400);
  drawn(3000);
  expect(pace.wait()).toBe(800);
  drawn(50);
  expect(pace.wait()).toBe(0);
});

it("where a frame of the map is slow the first lines wait too", () => {
  const { pace, drawn } = open(true);
  expect(pace.wait()).toBe(800);
  drawn(50);
  expect(pace.wait()).toBe(800);
});
