import { expect, test } from "vitest";
import { statisticOf, statistics } from "./ensemble.ts";
import { fieldNames } from "./fields.ts";

test("statistics have names of their own, which no stored field has", () => {
  const names = statistics.map(({ name }) => name);
  expect(new Set([...names, ...fieldNames]).size).toBe(names.length + fieldNames.length);
  expect(names).toContain("wind_speed_over_34kn_within_48h");
  expect(names).toContain("sea_surface_wave_significant_height_p90");
  expect(statisticOf("wind_speed_over_34kn")).toMatchObject({ is: "share", threshold: { text: "34kn" } });
});

test("the packing of a share tells how many of up to 500 members it counts", () => {
  const { scale } = statisticOf("wind_speed_over_22kn")!.field;
  for (const size of [31, 51, 500])
    for (let count = 0; count <= size; count++) {
      const stored = Math.round((100 * count) / size / scale) * scale;
      expect(Math.round((stored * size) / 100)).toBe(count);
    }
});

test("the limit and the hours of a share are those in its name: knots are 1852 m an hour", () => {
  for (const statistic of statistics) {
    const [, number, unit, hours] = /_over_([\d.]+)(kn|m)(?:_within_(\d+)h)?$/.exec(statistic.name) ?? [];
    expect(statistic.is === "share").toBe(number !== undefined);
    if (statistic.is !== "share") continue;
    const metres = unit === "kn" ? 1852 / 3600 : 1;
    expect(statistic.threshold.value).toBeCloseTo(Number(number) * metres, 9);
    expect(statistic.hours).toBe(hours === undefined ? undefined : Number(hours));
  }
});
