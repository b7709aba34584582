import { expect, it } from "vitest";
import { paceRepaints } from "./repaint-pace.ts";

/** A map on a page whose frames take as long as the test says. */
function open(frameMs: number) {
  let now = 0;
  let isMoving = false;
  let isOpen = true;
  let repaints = 0;
  const listeners = { render: [] as (() => void)[], remove: [] as (() => void)[] };
  const inputs: (() => void)[] = [];
  const frames: (() => void)[] = [];
  const timers: { at: number; callback: () => void }[] = [];
  const map = {
    on: ((event: "render" | "remove", listener: () => void) => listeners[event].push(listener)) as never,
    isMoving: () => isMoving,
    triggerRepaint: () => {
      repaints++;
      for (const listener of listeners.render) listener();
    },
  };
  paceRepaints(map, {
    elapsed: () => now,
    next: (callback) => frames.push(callback),
    later: (callback, ms) => timers.push({ at: now + ms, callback }),
    onInput(callback) {
      inputs.push(callback);
      return () => {
        isOpen = false;
      };
    },
  });
  return {
    map,
    move: (moving: boolean) => {
      isMoving = moving;
    },
    repaints: () => repaints,
    press: () => {
      for (const callback of inputs) callback();
    },
    remove: () => {
      for (const listener of listeners.remove) listener();
    },
    isOpen: () => isOpen,
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

/** A map whose frames are slow, at rest. */
function openSlow() {
  const opened = open(120);
  opened.map.triggerRepaint();
  opened.twoFrames();
  opened.wait(1000);
  return opened;
}

it("where frames are slow, an input is answered on the screen before the map is drawn", () => {
  const { map, press, repaints, twoFrames, wait } = openSlow();
  press();
  map.triggerRepaint();
  expect(repaints()).toBe(1);
  twoFrames(30);
  expect(repaints()).toBe(1);
  wait(0);
  expect(repaints()).toBe(2);
});

it("draws one frame after an input, and what follows from it when no other input has come for a while", () => {
  const { map, press, repaints, twoFrames, wait } = openSlow();
  press();
  map.triggerRepaint();
  twoFrames(30);
  wait(0);
  twoFrames();
  map.triggerRepaint();
  wait(300);
  expect(repaints()).toBe(2);
  // The frame that waits comes with the next step.
  press();
  twoFrames(30);
  wait(0);
  expect(repaints()).toBe(3);
  twoFrames();
  map.triggerRepaint();
  wait(529);
  expect(repaints()).toBe(3);
  wait(1);
  expect(repaints()).toBe(4);
});

it("draws for half of the time while a key repeats, and at once where an input moves the map", () => {
  const { map, press, move, repaints, twoFrames, wait } = openSlow();
  for (let repeat = 0; repeat < 20; repeat++) {
    press();
    map.triggerRepaint();
    twoFrames();
    wait(0);
  }
  expect(repaints()).toBe(1 + 20 / 2);
  press();
  move(true);
  map.triggerRepaint();
  expect(repaints()).toBe(12);
});

it("where frames are quick, no input delays the map", () => {
  const { map, press, repaints, twoFrames } = open(33);
  map.triggerRepaint();
  twoFrames();
  press();
  map.triggerRepaint();
  expect(repaints()).toBe(2);
});

it("listens to no input of the page once the map is removed", () => {
  const { remove, isOpen } = open(33);
  remove();
  expect(isOpen()).toBe(false);
});
