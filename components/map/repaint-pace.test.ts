import { expect, it } from "vitest";
import { paceRepaints } from "./repaint-pace.ts";

/** A map on a page whose frames take as long as the test says. */
function open(frameMs: number) {
  let now = 0;
  let isMoving = false;
  let repaints = 0;
  const renderListeners: (() => void)[] = [];
  const frames: (() => void)[] = [];
  const timers: { at: number; callback: () => void }[] = [];
  const map = {
    on: ((_event: string, listener: () => void) => renderListeners.push(listener)) as never,
    isMoving: () => isMoving,
    triggerRepaint: () => {
      repaints++;
      for (const listener of renderListeners) listener();
    },
  };
  paceRepaints(map, {
    elapsed: () => now,
    next: (callback) => frames.push(callback),
    later: (callback, ms) => timers.push({ at: now + ms, callback }),
  });
  return {
    map,
    move: (moving: boolean) => {
      isMoving = moving;
    },
    repaints: () => repaints,
    /** Two frames go to the screen. */
    twoFrames(ms = frameMs) {
      for (let frame = 0; frame < 2; frame++) {
        now += ms / 2;
        for (const callback of frames.splice(0)) callback();
      }
    },
    wait(ms: number) {
      now += ms;
      for (const { at, callback } of timers.splice(0)) {
        if (at <= now) callback();
        else timers.push({ at, callback });
      }
    },
  };
}

it("draws every frame where frames are quick", () => {
  const { map, repaints, twoFrames } = open(33);
  for (let frame = 0; frame < 10; frame++) {
    map.triggerRepaint();
    twoFrames();
  }
  expect(repaints()).toBe(10);
});

it("where frames are slow, draws for half of the time, and what changed last is drawn", () => {
  const { map, repaints, twoFrames, wait } = open(120);
  map.triggerRepaint();
  twoFrames();
  map.triggerRepaint();
  map.triggerRepaint();
  expect(repaints()).toBe(1);
  wait(119);
  expect(repaints()).toBe(1);
  wait(1);
  expect(repaints()).toBe(2);
});

it("draws every frame while a hand moves the map, and twice a second however slow it is", () => {
  const { map, move, repaints, twoFrames, wait } = open(2000);
  map.triggerRepaint();
  twoFrames();
  wait(0);
  map.triggerRepaint();
  expect(repaints()).toBe(2);
  map.triggerRepaint();
  expect(repaints()).toBe(2);
  wait(500);
  expect(repaints()).toBe(3);
  move(true);
  map.triggerRepaint();
  expect(repaints()).toBe(4);
});

it("waits after a quick frame too where the one before was slow", () => {
  const { map, repaints, twoFrames, wait } = open(120);
  map.triggerRepaint();
  twoFrames();
  wait(120);
  map.triggerRepaint();
  twoFrames(20);
  map.triggerRepaint();
  wait(171);
  expect(repaints()).toBe(2);
  wait(1);
  expect(repaints()).toBe(3);
});

it("measures from the first of two frames that follow at once", () => {
  const { map, move, repaints, twoFrames, wait } = open(120);
  move(true);
  map.triggerRepaint();
  wait(60);
  map.triggerRepaint();
  twoFrames(60);
  move(false);
  map.triggerRepaint();
  wait(179);
  expect(repaints()).toBe(2);
  wait(1);
  expect(repaints()).toBe(3);
});
