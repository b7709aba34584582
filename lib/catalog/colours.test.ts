import { describe, expect, it } from "vitest";
import { COLOURS, colourIndex, colourScales, colourTable, probeTable } from "./colours.ts";

/** Relative luminance, WCAG 2. */
function luminance(red: number, green: number, blue: number): number {
  const linear = [red, green, blue].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

/** Deuteranopia (Viénot 1999, on linear RGB): red and green see the same mixture. */
function deuteranope(table: Uint8Array, index: number): number {
  const [red, green, blue] = table.subarray(4 * index, 4 * index + 3);
  const mixed = 0.29275 * red! + 0.70725 * green!;
  return luminance(mixed, mixed, 0.02234 * (green! - red!) + blue!);
}

describe.each(Object.entries(colourScales))("the colours of %s", (_name, scale) => {
  const table = colourTable(scale);

  it("have monotonic lightness, also for people who do not see red and green", () => {
    const bright = (index: number) => {
      const [red, green, blue] = table.subarray(4 * index, 4 * index + 3);
      return luminance(red!, green!, blue!);
    };
    const sense = Math.sign(bright(COLOURS - 1) - bright(0));
    for (let index = 4; index < COLOURS; index += 4) {
      expect(sense * (bright(index) - bright(index - 4))).toBeGreaterThan(0);
      expect(sense * (deuteranope(table, index) - deuteranope(table, index - 4))).toBeGreaterThan(0);
    }
  });

  it("are opaque, and clamp values beyond the range", () => {
    expect(table.filter((_, at) => at % 4 === 3).every((alpha) => alpha === 255)).toBe(true);
    expect(colourIndex(-1e9, scale.range)).toBe(0);
    expect(colourIndex(1e9, scale.range)).toBe(COLOURS - 1);
  });
});

it("a probe table encodes its own index", () => {
  const table = probeTable();
  expect([...table.subarray(4 * 77, 4 * 77 + 4)]).toEqual([77, 0, 255, 255]);
});

it("one colour is the same speed of wind and of gusts", () => {
  expect(colourScales.gust.range).toEqual(colourScales.wind.range);
  expect(colourTable(colourScales.gust)).toEqual(colourTable(colourScales.wind));
});
