import { expect, it } from "vitest";
import { graticule, graticuleStep, lineName, multiples } from "./graticule-map-layer.ts";

it("has a line every step, one at the antimeridian, and fine steps around the view only, also across 180°", () => {
  const { coordinates } = graticule(30).geometry;
  expect(coordinates).toHaveLength(12 + 5);
  expect(coordinates.filter(([start]) => start?.[0] === -180 && start[1] === -85)).toHaveLength(1);
  const fine = graticule(1, { south: 10, north: 12, west: 179, east: 181 });
  expect(fine.geometry.coordinates.length).toBeLessThan(12);
  expect(multiples(1, 178, 182)).toEqual([178, 179, 180, 181, 182]);
});

it("refines with the zoom without crowding its lines", () => {
  expect([0, 2, 3, 5, 8, 12].map(graticuleStep)).toEqual([30, 20, 10, 5, 0.5, 1 / 6]);
});

it("labels its lines as a chart does", () => {
  const names = [48, -12.5, 0, -1 / 6].map((degrees) => lineName(degrees, "latitude"));
  expect(names).toEqual(["48°N", "12°30′S", "0°", "0°10′S"]);
  const meridians = [185, -180, 0, -5.5].map((degrees) => lineName(degrees, "longitude"));
  expect(meridians).toEqual(["175°W", "180°", "0°", "5°30′W"]);
});
