import { expect, it } from "vitest";
import { actOnKey, type MapActions, mapKeys } from "./map-keys.ts";

const plain = { ctrlKey: false, metaKey: false, altKey: false };

function recorder() {
  const done: string[] = [];
  const get = (_: object, name: string) => (by?: number | string) =>
    void done.push(by === undefined ? name : `${name} ${by}`);
  return { done, actions: new Proxy({}, { get }) as MapActions };
}

it("every listed key triggers exactly one action", () => {
  const { done, actions } = recorder();
  const keys = mapKeys.flatMap((row) => row.keys);
  for (const key of keys) expect(actOnKey({ key, ...plain }, actions, true)).toBe(true);
  expect([done.length, new Set(keys).size]).toEqual([keys.length, keys.length]);
  expect(done).toEqual(expect.arrayContaining(["step -1", "day 1", "layer 3", "lines pressure"]));
});

it("single keys can be turned off, except Enter, and the browser's own shortcuts are left alone", () => {
  const { done, actions } = recorder();
  expect(actOnKey({ key: "]", ...plain }, actions, false)).toBe(false);
  expect(actOnKey({ key: "Enter", ...plain }, actions, false)).toBe(true);
  expect(actOnKey({ key: "0", ...plain, ctrlKey: true }, actions, true)).toBe(false);
  expect(actOnKey({ key: "ArrowLeft", ...plain }, actions, true)).toBe(false);
  expect(done).toEqual(["sample"]);
});
