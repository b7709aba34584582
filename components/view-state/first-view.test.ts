import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { expect, it } from "vitest";
import { landEdges, landIndex } from "#components/map/symbols/land-index.ts";
import { initialPlace, namesPlace } from "./first-view.ts";

it("opens at sea near the longitude of the device's time zone, in each", () => {
  const land = JSON.parse(readFileSync("public/basemap/land-110m.json", "utf8")) as MultiPolygon;
  const onLand = landIndex(landEdges(land));
  for (let offset = -720; offset <= 840; offset += 30) {
    const { latitude, longitude } = initialPlace(offset);
    expect(onLand(latitude, longitude), `${latitude}, ${longitude}`).toBe(false);
  }
  expect([300, 720].map((offset) => initialPlace(offset).longitude)).toEqual([-72, -175]);
});

it.each([
  ["?c=1,2", true],
  ["?p=1,2&l=wave", true],
  ["?plan=BF", true],
  ["?l=wave&th=night", false],
])("leaves the position of a link alone: %s, %s", (search, names) => {
  expect(namesPlace(search)).toBe(names);
});
