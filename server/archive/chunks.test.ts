import { expect, it } from "vitest";
import { seeded } from "#test/seeded.ts";
import { ChunkTable, MISSING_ENTRY, NOT_LOADED } from "./chunks.ts";

const COUNT = 550_000;
const quiet = () => {};

it("a table of half a million chunks takes memory for those that were asked for", () => {
  const table = new ChunkTable(COUNT, undefined, quiet);
  const empty = table.byteLength;
  expect(empty).toBeLessThan(80_000);
  for (let chunk = 0; chunk < COUNT; chunk += 7) table.get(chunk);
  expect(table.byteLength).toBe(empty);
  for (let chunk = 0; chunk < 300; chunk++) table.set(chunk * 1000, chunk + 1);
  expect(table.byteLength).toBeLessThan(empty + 300 * 256);
});

it("a table holds what was set, through growth and trimming", () => {
  const random = seeded(31);
  const isMissing = (chunk: number) => chunk % 5 === 0;
  const table = new ChunkTable(COUNT, isMissing, quiet);
  const expected = new Map<number, number>();
  for (let round = 0; round < 3_000; round++) {
    const chunk = Math.floor(random() * COUNT);
    if (isMissing(chunk)) continue;
    const entry = random() < 0.3 ? 1 + round : NOT_LOADED - 2;
    table.set(chunk, entry);
    expected.set(chunk, entry);
  }
  for (const [chunk, entry] of expected) expect(table.get(chunk)).toBe(entry);
  expect([table.find(5), table.find(6), table.find(COUNT - 1)]).toEqual([
    MISSING_ENTRY,
    NOT_LOADED,
    NOT_LOADED,
  ]);
  const before = table.byteLength;
  table.trim();
  expect(table.byteLength).toBeLessThan(before);
  for (const [chunk, entry] of expected) if (entry > 0) expect(table.get(chunk)).toBe(entry);
  expect([table.find(5), table.find(6)]).toEqual([MISSING_ENTRY, NOT_LOADED]);
});
