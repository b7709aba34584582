import { describe, expect, it } from "vitest";
import { seen, sights } from "#test/sights.ts";
import { COLOURS, colourIndex, colourScales, colourTable, drawnVariables } from "./colours.ts";
import { duskTable, nightTable } from "./night.ts";
import {
  choiceOf,
  ensembleLayers,
  layerOf,
  paintedScale,
  paintedStatistics,
  paintedUnit,
  statisticName,
} from "./painted.ts";
import { shareSteps } from "./ramps.ts";

const gale = "wind_speed_over_34kn" as const;
const scale = paintedScale(gale);
const { range } = scale;
const table = colourTable(scale);
const opaque = (index: number, of: Uint8Array) => of[4 * index + 3] === 255;
const at = (percent: number) => colourIndex(percent, range);

describe("the colours of shares of members", () => {
  it("are none below the first step, and one from each step to the next", () => {
    expect(table[4 * at(4.7) + 3]).toBe(0);
    const colour = (percent: number) => [...table.subarray(4 * at(percent), 4 * at(percent) + 4)];
    const ends = [...shareSteps.slice(1).map((step) => step - 0.3), 100];
    for (const [index, step] of shareSteps.entries()) {
      expect(colour(step)).toEqual(colour(ends[index]!));
      expect(colour(step)[3]).toBe(255);
      if (index > 0) expect(colour(step)).not.toEqual(colour(shareSteps[index - 1]!));
    }
  });

  it.each(Object.entries(sights))(
    "get darker with each step by day, and brighter at dusk and at night, seen with %s",
    (_sight, matrix) => {
      for (const [shown, sense] of [
        [table, -1],
        [duskTable(colourTable({ ...scale, ramp: scale.duskRamp! })), 1],
        [nightTable(table), 1],
      ] as const) {
        const light = shareSteps.map((step) => seen(shown, at(step), matrix)[0]);
        // Adjacent colours can be told apart from a distance of about 2.3.
        light.slice(1).forEach((one, index) => {
          expect(sense * (one - light[index]!), String(shareSteps[index + 1])).toBeGreaterThan(4);
        });
      }
    },
  );

  it("are brighter at night than the sea without them", () => {
    // The sea of the night theme has a red component of 26.
    expect(nightTable(table)[4 * at(5)]).toBeGreaterThan(50);
  });

  it("differ from all colours of wind and of waves", () => {
    for (const name of ["wind", "wave"] as const) {
      const other = colourTable(colourScales[name]);
      for (const step of shareSteps)
        for (let index = 0; index < COLOURS; index++) {
          const [one, two] = [
            seen(table, at(step), sights["all cones"]),
            seen(other, index, sights["all cones"]),
          ];
          expect(Math.hypot(...one.map((value, axis) => value - two[axis]!)), name).toBeGreaterThan(15);
        }
    }
  });
});

describe("the colours of the spread of members", () => {
  it.each(ensembleLayers)("of %s get darker with it, and fade where members agree", (layer) => {
    const scale = paintedScale(statisticName({ layer, limit: "spread" })!);
    const colours = colourTable(scale);
    expect(colours[3]).toBe(0);
    const light = Array.from({ length: COLOURS / 8 }, (_, index) => 8 * index)
      .filter((index) => opaque(index, colours))
      .map((index) => seen(colours, index, sights["all cones"])[0]);
    light.slice(1).forEach((one, index) => {
      expect(one).toBeLessThan(light[index]!);
    });
    expect(scale.range[1]).toBe(colourScales[layer].range[1] / 4);
  });
});

describe("statistics that the map paints", () => {
  it("are 4 counts for each of 3 limits of wind, gusts and waves, and the spread of each", () => {
    expect(ensembleLayers).toEqual(["wind", "gust", "wave"]);
    expect(paintedStatistics).toHaveLength(3 * (3 * 4 + 1));
  });

  it("have one name for each choice, and share none with a layer", () => {
    for (const { name } of paintedStatistics) {
      expect(statisticName(choiceOf(name)!)).toBe(name);
      expect(drawnVariables.map(String)).not.toContain(name);
    }
    expect(choiceOf("wind_speed_over_34kn_within_48h" as const)).toEqual({
      layer: "wind",
      limit: 1,
      hours: 48,
    });
    expect(choiceOf("wind")).toBeUndefined();
    expect(layerOf("wind")).toBe("wind");
    expect(layerOf(gale)).toBe("wind");
    expect(statisticName({ layer: "rain", limit: 1 })).toBeUndefined();
  });

  it("have the unit of what they say", () => {
    expect(paintedUnit(gale)).toBe("%");
    expect(paintedUnit("wind_speed_spread")).toBe("m/s");
    expect(paintedUnit("wave")).toBe("m");
  });
});
