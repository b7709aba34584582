import { describe, expect, it } from "vitest";
import { fromKnots } from "#lib/knots.ts";
import { COLOURS, colourIndex, colourScales, colourTable, probeTable } from "./colours.ts";

/** Relative luminance, WCAG 2. */
function luminance(red: number, green: number, blue: number): number {
  const linear = [red, green, blue].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * linear[0]! + 0.7152 * linear[1]! + 0.0722 * linear[2]!;
}

/** Linear RGB as seen without one kind of cones, Machado et al. 2009, severity 1. */
const sights = {
  "all cones": [1, 0, 0, 0, 1, 0, 0, 0, 1],
  deuteranopia: [0.367322, 0.860646, -0.227968, 0.280085, 0.672501, 0.047413, -0.01182, 0.04294, 0.968881],
  protanopia: [0.152286, 1.052583, -0.204868, 0.114503, 0.786281, 0.099216, -0.003882, -0.048116, 1.051998],
};

/** CIELAB of an entry of a table, seen so. */
function seen(table: Uint8Array, index: number, matrix: readonly number[]): [number, number, number] {
  const light = [...table.subarray(4 * index, 4 * index + 3)].map((byte) => {
    const share = byte / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  const [r, g, b] = [0, 1, 2].map((row) =>
    Math.min(
      1,
      Math.max(
        0,
        light.reduce((sum, of, column) => sum + of * matrix[3 * row + column]!, 0),
      ),
    ),
  ) as [number, number, number];
  const f = (share: number) => (share > 216 / 24389 ? Math.cbrt(share) : ((share * 24389) / 27 + 16) / 116);
  const x = f((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.95047);
  const y = f(0.2126 * r + 0.7152 * g + 0.0722 * b);
  const z = f((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.08883);
  return [116 * y - 16, 500 * (x - y), 200 * (y - z)];
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

it.each(["rain", "mucape"] as const)("no %s has a colour: white or grey would look like no data", (name) => {
  const [red, green, blue] = colourTable(colourScales[name]);
  expect(Math.max(red!, green!, blue!) - Math.min(red!, green!, blue!)).toBeGreaterThanOrEqual(20);
});

it("one colour is the same speed of wind and of gusts", () => {
  expect(colourScales.gust.range).toEqual(colourScales.wind.range);
  expect(colourTable(colourScales.gust)).toEqual(colourTable(colourScales.wind));
});

describe.each(Object.entries(sights))("wind, seen with %s", (_sight, matrix) => {
  const { range } = colourScales.wind;
  const table = colourTable(colourScales.wind);
  const at = (knots: number) => seen(table, colourIndex(fromKnots(knots), range), matrix);
  const distance = (one: number, other: number) =>
    Math.hypot(...at(one).map((value, axis) => value - at(other)[axis]!));

  it("gets darker with every two knots", () => {
    for (let knots = 2; knots <= 76; knots += 2) expect(at(knots)[0]).toBeLessThan(at(knots - 2)[0]);
  });

  it("tells a band between two limits from the next one", () => {
    const middles = [11, 28, 41, 56, 71];
    // Five times what is seen when two colours touch, about 2.3.
    middles.slice(1).forEach((middle, band) => {
      expect(distance(middle, middles[band]!)).toBeGreaterThan(12);
    });
  });

  it("changes faster from 20 to 35 kn than below and above", () => {
    const pace = (from: number, to: number) => {
      let length = 0;
      for (let knots = from; knots < to; knots++) length += distance(knots, knots + 1);
      return length / (to - from);
    };
    expect(pace(20, 35)).toBeGreaterThan(1.5 * pace(0, 20));
    expect(pace(20, 35)).toBeGreaterThan(pace(35, 76));
  });
});
