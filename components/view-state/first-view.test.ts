import { readFileSync } from "node:fs";
import type { MultiPolygon } from "geojson";
import { expect, it } from "vitest";
import { landEdges, landIndex } from "#components/map/symbols/land-index.ts";
import { firstPlace, hasPlace } from "./first-view.ts";

const clocks = Array.from({ length: 53 }, (_, index) => -720 + index * 30);

it("opens near the longitude of the clock", () => {
  expect(firstPlace(0).longitude).toBeCloseTo(4, -1);
  expect(firstPlace(300).longitude).toBe(-72);
  expect(firstPlace(-540).longitude).toBeGreaterThan(125);
  expect(firstPlace(720).longitude).toBe(-175);
});

it("opens at sea whatever the clock", () => {
  const file = new URL("../../public/basemap/land-110m.json", import.meta.url);
  const onLand = landIndex(landEdges(JSON.parse(readFileSync(file, "utf8")) as MultiPolygon));
  expect(onLand(50, 10)).toBe(true);
  for (const clock of clocks) {
    const { latitude, longitude } = firstPlace(clock);
    expect(onLand(latitude, longitude), `${latitude}, ${longitude}`).toBe(false);
  }
});

it("leaves a link alone", () => {
  expect(hasPlace("?c=1,2")).toBe(true);
  expect(hasPlace("?p=1,2&l=wave")).toBe(true);
  expect(hasPlace("?l=wave&th=night")).toBe(false);
});
