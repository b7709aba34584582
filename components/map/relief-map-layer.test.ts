import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { colourIndex } from "#lib/catalog/colours.ts";
import { RELIEF_RANGE, reliefTable } from "./relief-map-layer.ts";

const at = (table: Uint8Array, depth: number) => {
  const index = colourIndex(depth, RELIEF_RANGE);
  return [...table.subarray(4 * index, 4 * index + 4)];
};

it("shades the sea in seven bands, the shallow first, and the deepest also beyond the range", () => {
  const table = reliefTable("#d0e0f0", "#102030");
  expect([at(table, 5), at(table, 150)]).toEqual([
    [208, 224, 240, 255],
    [208, 224, 240, 255],
  ]);
  expect(at(table, 11_000)).toEqual([16, 32, 48, 255]);
  const bands = [100, 600, 1500, 2500, 3500, 4500, 5500].map((depth) => at(table, depth).join());
  expect(new Set(bands).size).toBe(7);
});

it("reads the colours of every theme", () => {
  const themes = readFileSync(new URL("../../app/themes.css", import.meta.url), "utf8");
  const token = (name: string) =>
    [...themes.matchAll(new RegExp(`--map-${name}: (.*);`, "g"))].map(([, it]) => it!);
  const [shelves, deeps] = [token("shallow"), token("abyss")];
  expect([shelves.length, deeps.length]).toEqual([3, 3]);
  for (const [theme, shallow] of shelves.entries())
    expect(reliefTable(shallow, deeps[theme]!)).toHaveLength(1024);
});
