import { expect, it } from "vitest";
import { actOnKey, type MapActions, mapKeys } from "./map-keys.ts";

function recorder() {
  const done: string[] = [];
  const note =
    (name: string) =>
    (by?: number | string): void =>
      void done.push(by === undefined ? name : `${name} ${by}`);
  const actions: MapActions = {
    sample: note("sample"),
    step: note("step"),
    day: note("day"),
    now: note("now"),
    play: note("play"),
    pickTime: note("pickTime"),
    layer: note("layer"),
    lines: note("lines"),
    compare: note("compare"),
    find: note("find"),
    unit: note("unit"),
    help: note("help"),
    storms: note("storms"),
    nextStorm: note("nextStorm"),
    ship: note("ship"),
    passage: note("passage"),
    download: note("download"),
    tasks: note("tasks"),
  };
  return { done, actions };
}
const plain = { ctrlKey: false, metaKey: false, altKey: false };

it("every listed key triggers exactly one action", () => {
  const { done, actions } = recorder();
  const keys = mapKeys.flatMap((row) => row.keys);
  for (const key of keys) expect(actOnKey({ key, ...plain }, actions, true)).toBe(true);
  expect(done).toHaveLength(keys.length);
  expect(new Set(keys).size).toBe(keys.length);
  expect(done).toContain("step -1");
  expect(done).toContain("day 1");
  expect(done).toContain("layer 3");
  expect(done).toContain("lines pressure");
});

it("single keys can be turned off, except Enter", () => {
  const { done, actions } = recorder();
  expect(actOnKey({ key: "]", ...plain }, actions, false)).toBe(false);
  expect(actOnKey({ key: "Enter", ...plain }, actions, false)).toBe(true);
  expect(done).toEqual(["sample"]);
});

it("ignores the browser's own shortcuts", () => {
  const { done, actions } = recorder();
  expect(actOnKey({ key: "0", ...plain, ctrlKey: true }, actions, true)).toBe(false);
  expect(actOnKey({ key: "ArrowLeft", ...plain }, actions, true)).toBe(false);
  expect(done).toEqual([]);
});
