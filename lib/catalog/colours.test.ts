import { fromKnots } from "@open-metocean/geo/knots";
import { describe, expect, it } from "vitest";
import { seen, sights } from "#test/sights.ts";
import {
  COLOURS,
  type ColourScale,
  colourIndex,
  colourScales,
  colourTable,
  type DrawnVariable,
  differenceScale,
  drawnVariables,
} from "./colours.ts";
import { duskTable, nightTable } from "./night.ts";

const everyFourth = <T>(of: (index: number) => T): T[] =>
  Array.from({ length: COLOURS / 4 }, (_, step) => of(4 * step));

const difference = (one: readonly number[], other: readonly number[]) =>
  Math.hypot(...one.map((value, axis) => value - other[axis]!));

const scales: [string, ColourScale][] = [
  ...Object.entries(colourScales),
  ["differences of wind", differenceScale("wind")],
];

describe.each(scales)("the colours of %s", (_name, scale) => {
  const table = colourTable(scale);

  it.each(Object.entries(sights))(
    "have a lightness that rises or falls, or rises and then falls, seen with %s",
    (_sight, matrix) => {
      const bright = everyFourth((index) => seen(table, index, matrix)[0]);
      const lightest = bright.indexOf(Math.max(...bright));
      bright.slice(1).forEach((one, before) => {
        expect(Math.sign(one - bright[before]!), `entry ${4 * before}`).toBe(before < lightest ? 1 : -1);
      });
    },
  );

  it.each(Object.entries(sights))(
    "differ clearly where values are a fifth of the range apart, seen with %s",
    (_sight, matrix) => {
      const colours = everyFourth((index) => seen(table, index, matrix));
      const apart = Math.ceil(colours.length / 5);
      for (let one = 0; one < colours.length; one++)
        for (let other = one + apart; other < colours.length; other++)
          expect(difference(colours[one]!, colours[other]!), `${4 * one}, ${4 * other}`).toBeGreaterThan(8);
    },
  );

  it("are not near white where there is little", () => {
    const first = colourIndex(scale.solidFrom ?? scale.range[0], scale.range);
    expect(seen(table, first, sights["all cones"])[0]).toBeLessThan(91);
  });

  it("are opaque, but where there is too little to be seen, and clamp values beyond the range", () => {
    const firstSolid = colourIndex(scale.solidFrom ?? scale.range[0], scale.range);
    for (let index = firstSolid + 1; index < COLOURS; index++) expect(table[4 * index + 3]).toBe(255);
    expect(table[3]).toBe(firstSolid === 0 ? 255 : 0);
    expect(colourIndex(-1e9, scale.range)).toBe(0);
    expect(colourIndex(1e9, scale.range)).toBe(COLOURS - 1);
  });
});

it("one colour is the same speed of wind and of gusts, and the same height in all systems of waves", () => {
  const same = (one: DrawnVariable, other: DrawnVariable) => {
    expect(colourScales[one].range).toEqual(colourScales[other].range);
    expect(colourTable(colourScales[one])).toEqual(colourTable(colourScales[other]));
  };
  same("wind", "gust");
  same("wave", "swell");
  same("wave", "wind_sea");
});

describe.each(Object.entries(sights))("wind, seen with %s", (_sight, matrix) => {
  const { range } = colourScales.wind;
  const table = colourTable(colourScales.wind);
  const at = (knots: number) => seen(table, colourIndex(fromKnots(knots), range), matrix);
  const distance = (one: number, other: number) => difference(at(one), at(other));

  it("gets darker with every two knots above a strong breeze", () => {
    for (let knots = 24; knots <= 76; knots += 2) expect(at(knots)[0]).toBeLessThan(at(knots - 2)[0]);
  });

  it("tells a band between two limits from the next one", () => {
    const middles = [11, 28, 41, 56, 71];
    // Adjacent colours can be told apart from a distance of about 2.3; this requires five times that.
    middles.slice(1).forEach((middle, band) => {
      expect(distance(middle, middles[band]!)).toBeGreaterThan(12);
    });
  });
});

it("wind is slate blue, teal, green, amber, red and violet at the speeds that people know", () => {
  const table = colourTable(colourScales.wind);
  const hue = (knots: number) => {
    const [, a, b] = seen(table, colourIndex(fromKnots(knots), colourScales.wind.range), sights["all cones"]);
    return ((Math.atan2(b, a) * 180) / Math.PI + 360) % 360;
  };
  const hues = [2, 10, 15, 22, 34, 48].map(hue);
  const expected = [275, 205, 150, 78, 28, 312];
  for (const [index, degrees] of expected.entries())
    expect(Math.abs(hues[index]! - degrees), String(index)).toBeLessThan(15);
});

describe("the colours of differences", () => {
  const day = colourTable(differenceScale("wind"));
  const [middle, last] = [COLOURS / 2, COLOURS - 1];

  it.each(Object.entries(sights))(
    "tell less from more, by day and at dusk, seen with %s",
    (_sight, matrix) => {
      for (const table of [day, duskTable(day)])
        for (let away = 24; away < middle; away += 8)
          expect(
            difference(seen(table, middle - away, matrix), seen(table, middle + away, matrix)),
          ).toBeGreaterThan(12);
    },
  );

  it("get brighter from less to more at night, and never brighter than other fields", () => {
    const night = nightTable(day);
    for (let index = 8; index < COLOURS; index += 8)
      expect(night[4 * index]).toBeGreaterThan(night[4 * (index - 8)]!);
    expect(night[4 * last]).toBe(nightTable(colourTable(colourScales.wind))[4 * last]);
  });

  it("are pale where both fields are equal, which those of the wind are not", () => {
    const { "all cones": sight } = sights;
    const pale = seen(day, middle, sight);
    expect(Math.hypot(pale[1], pale[2])).toBeLessThan(6);
    const wind = colourTable(colourScales.wind);
    for (let index = 0; index < COLOURS; index++)
      expect(difference(seen(wind, index, sight), pale)).toBeGreaterThan(15);
  });

  it("are symmetric about zero for every variable", () => {
    for (const name of drawnVariables) {
      const [low, high] = differenceScale(name).range;
      expect([name, low]).toEqual([name, -high]);
      expect(high).toBeGreaterThan(0);
    }
    expect(differenceScale("wind").range[1]).toBe(10);
    expect(differenceScale("pressure").range[1]).toBe(10);
  });
});
