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
