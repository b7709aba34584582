import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { temporaryFolder } from "#test/archive.ts";
import { directoryStore } from "./directory-store.ts";

const bytes = Uint8Array.from({ length: 20_000 }, (_, i) => (i * 31) & 255);

function store(openFiles?: number) {
  const folder = temporaryFolder();
  mkdirSync(join(folder, "inside"));
  writeFileSync(join(folder, "secret"), "secret");
  for (const name of ["a", "b", "c"]) writeFileSync(join(folder, "inside", name), bytes);
  const opened = directoryStore(join(folder, "inside"), openFiles);
  return { folder: join(folder, "inside"), store: opened };
}

it.each([
  [10, 5],
  [15_000, 100],
  [-7, 7],
  [19_990, 50],
  [30_000, 5],
])("returns of %d, %d the bytes that the object has", (offset, length) => {
  const from = offset < 0 ? bytes.length + offset : offset;
  expect([...store().store.getRange("a", offset, length)!]).toEqual([...bytes.slice(from, from + length)]);
});

it("keeps reading when more files are used than may be open, and after they were closed", () => {
  const { store: few } = store(2);
  for (const key of ["a", "b", "c", "a", "c", "b"]) expect(few.getRange(key, 1, 1)![0]).toBe(31);
  few.release();
  expect(few.getRange("a", 2, 1)![0]).toBe(62);
});

it.each(["../secret", "/etc/passwd", "a/../../secret", "..", "", "a//b", "a\\..\\b", "a\0"])(
  "never reads outside its folder: %j",
  (key) => {
    const { store: inside } = store();
    expect(inside.get(key)).toBeUndefined();
    expect(inside.getRange(key, 0, 1)).toBeUndefined();
    expect(inside.readInto(key, 0, new Uint8Array(1))).toBeUndefined();
    expect(inside.version(key)).toBeUndefined();
  },
);

it("returns a different version once an object is replaced", () => {
  const { folder, store: inside } = store();
  const before = inside.version("a");
  expect(inside.version("a")).toBe(before);
  writeFileSync(join(folder, "a"), "other");
  expect(inside.version("a")).not.toBe(before);
});
