import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { expect, it } from "vitest";
import { landEdges, landIndex } from "#components/map/symbols/land-index.ts";
import { initialPlace, namesPlace } from "./first-view.ts";

const offsets = Array.from({ length: 53 }, (_, index) => -720 + index * 30);

it("opens near the longitude of the device's time zone", () => {
  expect(initialPlace(0).longitude).toBeCloseTo(4, -1);
  expect(initialPlace(300).longitude).toBe(-72);
  expect(initialPlace(-540).longitude).toBeGreaterThan(125);
  expect(initialPlace(720).longitude).toBe(-175);
});

it("opens at sea in every time zone", () => {
  const file = new URL("../../public/basemap/land-110m.json", import.meta.url);
  const onLand = landIndex(landEdges(JSON.parse(readFileSync(file, "utf8")) as MultiPolygon));
  expect(onLand(50, 10)).toBe(true);
  for (const offset of offsets) {
    const { latitude, longitude } = initialPlace(offset);
    expect(onLand(latitude, longitude), `${latitude}, ${longitude}`).toBe(false);
  }
});

it("leaves the position of a link alone", () => {
  expect(namesPlace("?c=1,2")).toBe(true);
  expect(namesPlace("?p=1,2&l=wave")).toBe(true);
  expect(namesPlace("?plan=BF")).toBe(true);
  expect(namesPlace("?l=wave&th=night")).toBe(false);
});
