import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { paceRepaints } from "./repaint-pace.ts";

/** Between frames of the page, milliseconds. */
const FRAME = 16;

/** A map whose frames take as long as the test says, on a page that answers inputs when the test says. */
function open(drawMs: number) {
  let now = 0;
  let cost = drawMs;
  let isMoving = false;
  let movesUntil = Number.POSITIVE_INFINITY;
  /** Changes of the map, and how many of them are on the screen. */
  let [changes, shown] = [0, 0];
  let isOpen = true;
  let isRequested = false;
  const repaints: number[] = [];
  const listeners = { render: [] as (() => void)[], remove: [] as (() => void)[] };
  const inputs: (() => void)[] = [];
  const answers: (() => void)[] = [];
  const timers: { at: number; callback: () => void }[] = [];
  const after = (ms: number, callback: () => void) => {
    timers.push({ at: now + ms, callback });
    timers.sort((one, other) => one.at - other.at);
  };
  const map = {
    on: ((event: "render" | "remove", listener: () => void) => listeners[event].push(listener)) as never,
    isMoving: () => isMoving,
    triggerRepaint: () => {
      if (isRequested) return;
      isRequested = true;
      after(FRAME, () => {
        isRequested = false;
        shown = changes;
        repaints.push(now);
        if (now >= movesUntil) isMoving = false;
        // Each frame of a movement asks for the next one.
        if (isMoving) map.triggerRepaint();
        for (const listener of listeners.render) listener();
      });
    },
    getCanvas: () => ({}) as HTMLCanvasElement,
  };
  const pace = paceRepaints(map, {
    elapsed: () => now,
    next: (callback) => after(FRAME, callback),
    later: (callback, ms) => after(ms, callback),
    drawn: (callback) => after(cost, callback),
    onInput(callback) {
      inputs.push(callback);
      return () => {
        isOpen = false;
      };
    },
    answered: (callback) => answers.push(callback),
  });
  const wait = (ms: number) => {
    const end = now + ms;
    for (let timer = timers[0]; timer && timer.at <= end; timer = timers[0]) {
      timers.shift();
      now = timer.at;
      timer.callback();
    }
    now = end;
  };
  return {
    map,
    pace,
    /** How many frames of the map have begun since this was asked last. */
    repaints: () => repaints.splice(0).length,
    draw: (ms: number) => {
      cost = ms;
    },
    move: (moving: boolean) => {
      isMoving = moving;
    },
    /** A movement that ends with the first frame after so long. */
    ease: (ms: number) => {
      isMoving = true;
      movesUntil = now + ms;
      map.triggerRepaint();
    },
    change: () => {
      changes++;
      map.triggerRepaint();
    },
    /** All changes are on the screen, and no movement has stopped on its way. */
    isDone: () => shown === changes && !isMoving,
    after,
    press: () => {
      for (const callback of inputs) callback();
    },
    /** The page's answer to what was pressed is on the screen. */
    answer: () => {
      for (const callback of answers.splice(0)) callback();
    },
    remove: () => {
      for (const listener of listeners.remove) listener();
    },
    isOpen: () => isOpen,
    wait,
  };
}

/** A map at rest that was drawn. */
function openDrawn(drawMs: number) {
  const opened = open(drawMs);
  opened.map.triggerRepaint();
  opened.wait(5000);
  opened.repaints();
  return opened;
}

it("draws every frame where frames are quick", () => {
  const { map, repaints, wait } = open(33);
  for (let frame = 0; frame < 10; frame++) {
    map.triggerRepaint();
    wait(FRAME);
  }
  expect(repaints()).toBe(10);
});

it("where frames are quick, no input delays the map", () => {
  const { map, press, repaints, wait } = openDrawn(33);
  press();
  map.triggerRepaint();
  wait(FRAME);
  expect(repaints()).toBe(1);
});

it("where frames are slow, draws for half of the time, and what changed last is drawn", () => {
  const { map, repaints, wait } = openDrawn(120);
  map.triggerRepaint();
  wait(FRAME);
  map.triggerRepaint();
  map.triggerRepaint();
  wait(239);
  expect(repaints()).toBe(1);
  wait(1 + FRAME);
  expect(repaints()).toBe(1);
  wait(5000);
  expect(repaints()).toBe(0);
});

it("draws twice a second however slow it is, but begins no frame while another one is being drawn", () => {
  const { map, repaints, wait } = openDrawn(400);
  map.triggerRepaint();
  wait(FRAME);
  map.triggerRepaint();
  wait(499);
  expect(repaints()).toBe(1);
  wait(1 + FRAME);
  expect(repaints()).toBe(1);

  const slower = openDrawn(900);
  slower.map.triggerRepaint();
  slower.wait(FRAME);
  slower.map.triggerRepaint();
  slower.wait(899);
  expect(slower.repaints()).toBe(1);
  slower.wait(1 + FRAME);
  expect(slower.repaints()).toBe(1);
});

it("draws a map that moves again as soon as it is drawn", () => {
  const { map, move, repaints, wait } = openDrawn(120);
  move(true);
  map.triggerRepaint();
  wait(FRAME);
  map.triggerRepaint();
  wait(119);
  expect(repaints()).toBe(1);
  wait(1 + FRAME);
  expect(repaints()).toBe(1);
});

it("waits after a quick frame too where the one before was slow", () => {
  const { map, draw, repaints, wait } = openDrawn(120);
  draw(20);
  map.triggerRepaint();
  wait(FRAME);
  map.triggerRepaint();
  wait(2 * 0.8 * 120 - 1);
  expect(repaints()).toBe(1);
  wait(1 + FRAME);
  expect(repaints()).toBe(1);
});

it("draws a movement to its end that begins before a frame that was asked for while frames were quick", () => {
  const { map, draw, ease, isDone, wait } = openDrawn(33);
  draw(120);
  map.triggerRepaint();
  wait(FRAME + 110);
  // Before the frame that is being drawn turns out to be slow.
  map.triggerRepaint();
  wait(12);
  ease(500);
  wait(1000);
  expect(isDone()).toBe(true);
});

it("whatever comes in whatever order, all changes are drawn and all movements end", () => {
  for (let seed = 0; seed < 400; seed++) {
    const random = seeded(seed);
    const { pace, press, answer, draw, ease, change, after, wait, isDone } = open(33);
    const actions = [
      change,
      () => ease(500 * random()),
      () => draw(20 + 130 * random()),
      () => pace.expect(),
      () => {
        press();
        after(300 * random(), answer);
      },
    ];
    for (let step = 0; step < 60; step++) {
      actions[Math.floor(random() * actions.length)]?.();
      wait(80 * random());
    }
    wait(4000);
    expect(isDone(), `seed ${seed}`).toBe(true);
  }
});

it("draws what changes before a frame begins in that frame alone", () => {
  const { map, repaints, wait } = openDrawn(120);
  map.triggerRepaint();
  wait(FRAME - 1);
  map.triggerRepaint();
  wait(5000);
  expect(repaints()).toBe(1);
});

it("where frames are slow, an input is answered on the screen before the map is drawn", () => {
  const { map, press, answer, repaints, wait } = openDrawn(120);
  press();
  map.triggerRepaint();
  wait(250);
  expect(repaints()).toBe(0);
  answer();
  wait(FRAME);
  expect(repaints()).toBe(1);
});

it("draws one frame after an input, and what follows from it when no other input has come for a while", () => {
  const { map, press, answer, repaints, wait } = openDrawn(120);
  press();
  map.triggerRepaint();
  answer();
  wait(200);
  expect(repaints()).toBe(1);
  map.triggerRepaint();
  wait(400);
  expect(repaints()).toBe(0);
  // The frame that waits comes with the next step.
  press();
  answer();
  wait(FRAME);
  expect(repaints()).toBe(1);
  wait(200);
  map.triggerRepaint();
  wait(900 - 200 - FRAME - 1);
  expect(repaints()).toBe(0);
  wait(1 + FRAME);
  expect(repaints()).toBe(1);
});

it("draws at once what the input asked for, though it comes after the first frame", () => {
  const { map, pace, press, answer, repaints, wait } = openDrawn(120);
  press();
  map.triggerRepaint();
  answer();
  wait(200);
  expect(repaints()).toBe(1);
  pace.expect();
  map.triggerRepaint();
  wait(FRAME);
  expect(repaints()).toBe(1);
});

it("draws while a key repeats, and at once where an input moves the map", () => {
  const { map, press, answer, move, repaints, wait } = openDrawn(120);
  for (let repeat = 0; repeat < 30; repeat++) {
    press();
    map.triggerRepaint();
    wait(33);
    if (repeat % 3 === 2) answer();
  }
  expect(repaints()).toBeGreaterThan(4);
  answer();
  wait(5000);
  repaints();
  press();
  move(true);
  map.triggerRepaint();
  wait(FRAME);
  expect(repaints()).toBe(1);
});

it("listens to no input of the page once the map is removed", () => {
  const { remove, isOpen } = open(33);
  remove();
  expect(isOpen()).toBe(false);
});
