import { expect, it } from "vitest";
import { colourIndex } from "#lib/catalog/colours.ts";
import { RELIEF_RANGE, reliefTable } from "./relief-map-layer.ts";

it("shades the sea in seven bands, the shallow first, and the deepest also beyond the range", () => {
  const table = reliefTable("#d0e0f0", "#102030");
  const at = (depth: number) => [...table.subarray(4 * colourIndex(depth, RELIEF_RANGE)).subarray(0, 4)];
  expect([5, 150, 11_000].map(at)).toEqual([
    [208, 224, 240, 255],
    [208, 224, 240, 255],
    [16, 32, 48, 255],
  ]);
  const bands = [100, 600, 1500, 2500, 3500, 4500, 5500].map((depth) => at(depth).join());
  expect(new Set(bands).size).toBe(7);
});
