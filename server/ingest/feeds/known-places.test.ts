import { expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinate, type Grid } from "#lib/field/grid.ts";
import { isLand } from "#test/feeds-mirror/analytic.ts";
import { misplaced } from "./check-step.ts";

const grid: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: 0, step: 1, count: 360 },
};

/** Values where a place has them. */
function fieldWhere(has: (latitude: number, longitude: number) => boolean, on = grid): Float32Array {
  const { latitude, longitude } = on;
  const values = new Float32Array(latitude.count * longitude.count);
  for (let row = 0, at = 0; row < latitude.count; row++)
    for (let column = 0; column < longitude.count; column++, at++)
      values[at] = has(coordinate(latitude, row), coordinate(longitude, column)) ? 1 : Number.NaN;
  return values;
}

const atSea = fieldWhere((latitude, longitude) => !isLand(latitude, longitude));
const shifted = fieldWhere((latitude, longitude) => !isLand(latitude, longitude - 90));
const aThird = atSea.map((value, at) => (at % 3 === 0 ? Number.NaN : value));
const everywhere = fieldWhere(() => true);

it.each<FieldName>([
  "sea_surface_temperature",
  "sea_floor_depth_below_sea_surface",
  "sea_surface_wave_significant_height",
  "surface_eastward_sea_water_velocity",
])("knows where %s is, though there was no run before", (name) => {
  expect(misplaced(name, atSea, grid)).toBeUndefined();
  expect(misplaced(name, shifted, grid)).toMatch(/open ocean/);
  expect(misplaced(name, aThird, grid)).toMatch(/is missing at \d+ of \d+ places of the open ocean/);
  expect(misplaced(name, everywhere, grid)).toMatch(/has values at \d+ of \d+ places far inland/);
});

it("lets ice and coasts be as a model has them", () => {
  const iced = fieldWhere((latitude, longitude) => Math.abs(latitude) < 60 && !isLand(latitude, longitude));
  expect(misplaced("sea_surface_wave_significant_height", iced, grid)).toBeUndefined();
});

it("lets a system of waves be absent at sea, and never be on land", () => {
  const name = "sea_surface_wind_wave_significant_height";
  expect(misplaced(name, aThird, grid)).toBeUndefined();
  expect(misplaced(name, everywhere, grid)).toMatch(/far inland/);
});

it("expects the wind everywhere", () => {
  expect(misplaced("eastward_wind_10m", everywhere, grid)).toBeUndefined();
  expect(misplaced("eastward_wind_10m", aThird, grid)).toMatch(/is missing at \d+ of \d+ places/);
});

it("leaves out what a grid does not reach", () => {
  const north: Grid = { ...grid, latitude: { start: 40, step: 1, count: 51 } };
  const values = fieldWhere((latitude, longitude) => !isLand(latitude, longitude), north);
  expect(misplaced("sea_surface_temperature", values, north)).toBeUndefined();
});
