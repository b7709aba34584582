import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { expect, it } from "vitest";
import { landEdges, landIndex } from "./land-index.ts";

const land = JSON.parse(readFileSync("public/basemap/land-50m.json", "utf8")) as MultiPolygon;
const onLand = landIndex(landEdges(land));

it.each([
  ["the Sahara", 23, 10, true],
  ["the Biscay", 46, -6, false],
  ["Chukotka, east of 180°", 67, -178, true],
  ["Chukotka, west of 180°", 67, 178, true],
  ["the north pole", 90, 0, false],
  ["Antarctica", -88, 100, true],
])("finds %s", (_, latitude, longitude, expected) => {
  expect(onLand(latitude, longitude)).toBe(expected);
});

it("agrees with counting every edge", () => {
  const rings = land.coordinates.flat();
  for (let index = 0; index < 150; index++) {
    const latitude = -89 + ((index * 37.31) % 178);
    const longitude = -180 + ((index * 91.77) % 360);
    let inside = false;
    for (const ring of rings) {
      ring.forEach(([x1 = 0, y1 = 0], at) => {
        const [x0 = 0, y0 = 0] = ring[at - 1] ?? [x1, y1];
        const crosses = y0 > latitude !== y1 > latitude;
        if (crosses && x0 + ((latitude - y0) / (y1 - y0)) * (x1 - x0) > longitude) inside = !inside;
      });
    }
    expect(onLand(latitude, longitude)).toBe(inside);
  }
});
