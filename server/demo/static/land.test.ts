import { expect, it } from "vitest";
import { coordinate } from "#lib/field/grid.ts";
import { cellAt, landMask, worldGrid } from "./land.ts";

const land = landMask();

it("covers as much of the globe with land as the coastline does", () => {
  let area = 0;
  let dry = 0;
  for (let row = 0; row < worldGrid.latitude.count; row++) {
    const weight = Math.cos((coordinate(worldGrid.latitude, row) * Math.PI) / 180);
    for (let column = 0; column < worldGrid.longitude.count; column++) {
      area += weight;
      dry += weight * land[row * worldGrid.longitude.count + column]!;
    }
  }
  expect(dry / area).toBeCloseTo(0.287, 3);
});

it.each([
  ["the South Pole", -90, 0, 1],
  ["Antarctica at the antimeridian", -87, 180, 1],
  ["Chukotka, west of the antimeridian", 68, 179, 1],
  ["Chukotka, east of the antimeridian", 67.5, -179, 1],
  ["Vanua Levu", -16.6, 179.2, 1],
  ["Kansas", 38.5, -98, 1],
  ["the North Pole", 90, 0, 0],
  ["the Chukchi Sea", 70, -170, 0],
  ["the East Siberian Sea, where an even-odd fill draws a bar", 71.6, 170, 0],
  ["the Greenland Sea on the same rows", 71.6, 0, 0],
  ["Baffin Bay on the same rows", 71.6, -66, 0],
  ["the Pacific at the antimeridian", 0, 180, 0],
  ["the Drake Passage", -58, -65, 0],
])("knows %s", (_, latitude, longitude, expected) => {
  expect(land[cellAt(latitude, longitude)]).toBe(expected);
});

it("takes 180, −180 and 540 for one meridian", () => {
  for (let latitude = -89.9; latitude < 90; latitude += 0.7) {
    expect(cellAt(latitude, 180)).toBe(cellAt(latitude, -180));
    expect(cellAt(latitude, 540)).toBe(cellAt(latitude, -180));
  }
});
