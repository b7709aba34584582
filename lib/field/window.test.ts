import type { Grid } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { windowOf } from "./window.ts";

const globe: Grid = {
  latitude: { start: -90, step: 30, count: 7 },
  longitude: { start: -180, step: 30, count: 12 },
};
const twelfth: Grid = {
  latitude: { start: -80, step: 1 / 12, count: 2041 },
  longitude: { start: -180, step: 1 / 12, count: 4320 },
};

const longitudes = (grid: Grid, west: number, east: number) => [
  ...windowOf(grid, { south: 0, north: 0, west, east }).longitude,
];
const latitudes = (grid: Grid, south: number, north: number) => [
  ...windowOf(grid, { south, north, west: 0, east: 0 }).latitude,
];

describe("the nodes inside a box, edges included, ascending", () => {
  it.each([
    [-30, 30, [-30, 0, 30]],
    [-29.9, 29.9, [0]],
    [-90, 90, [-90, -60, -30, 0, 30, 60, 90]],
    [60, 90, [60, 90]],
    [90, 90, [90]],
    [-90, -90, [-90]],
  ])("latitudes of %d … %d", (south, north, expected) => {
    expect(latitudes(globe, south, north)).toEqual(expected);
  });

  it.each([
    [-60, 30, [-60, -30, 0, 30]],
    [0, 0, [0]],
  ])("longitudes of %d … %d", (west, east, expected) => {
    expect(longitudes(globe, west, east)).toEqual(expected);
  });

  it.each([
    [10, 12, 0],
    [16, 20, 30],
    [170, 171, 180],
    [-171, -170, -180],
    [179, -176, -180],
  ])("of longitudes %d … %d, without a node inside, the nearest", (west, east, nearest) => {
    expect(longitudes(globe, west, east)).toEqual([nearest]);
  });

  it("of latitudes without a node inside the nearest, also beyond the last row", () => {
    const inner = { ...globe, latitude: { start: -89.5, step: 1, count: 180 } };
    expect([...latitudes(globe, 46, 50), ...latitudes(inner, 89.9, 90)]).toEqual([60, 89.5]);
  });
});

describe("the antimeridian", () => {
  it.each([
    ["the whole globe has it once, in the west", -180, 180, -180, 150],
    ["a box that ends on it writes 180", 120, 180, 120, 180],
    ["one that begins on it writes −180", -180, -120, -180, -120],
    ["one that ends on −180 from the west ends on 180", 120, -180, 120, 180],
    ["one that begins on 180 begins on −180", 180, -120, -180, -120],
    ["a meridian of its own is written as it was asked for", 180, 180, 180, 180],
    ["a meridian of its own in the west", -180, -180, -180, -180],
  ])("%s", (_, west, east, first, last) => {
    const found = longitudes(globe, west, east);
    expect([found[0], found.at(-1)]).toEqual([first, last]);
    expect(new Set(found.map((longitude) => (longitude + 360) % 360)).size).toBe(found.length);
    expect(found.every((longitude) => longitude >= -180 && longitude <= 180)).toBe(true);
  });

  it("min > max crosses it, west to east", () => {
    expect(longitudes(globe, 120, -120)).toEqual([120, 150, -180, -150, -120]);
    expect(longitudes(globe, 30, 0)).toEqual([30, 60, 90, 120, 150, -180, -150, -120, -90, -60, -30, 0]);
    expect(longitudes(globe, 10, 9)).toHaveLength(12);
  });
});

it("coordinates have no rounding errors of their sums, and no −0", () => {
  const found = windowOf(twelfth, { south: -80, north: 90, west: -180, east: 180 });
  expect(found.longitude).toHaveLength(4320);
  expect(found.rows).toBe(2041);
  expect(Object.is(found.latitude[960], 0)).toBe(true);
  expect(Object.is(found.longitude[2160], 0)).toBe(true);
  for (const text of [...found.latitude, ...found.longitude].map(String))
    expect(text.length).toBeLessThan(18);
});

/** A grid across the antimeridian, whose columns continue past 180. */
const pacific: Grid = {
  latitude: { start: -20, step: 10, count: 5 },
  longitude: { start: 150, step: 10, count: 7 },
};

it("a regional grid that crosses it has nodes for boxes on either side, across, and around the globe", () => {
  expect(longitudes(pacific, -175, -160)).toEqual([-170, -160]);
  expect(longitudes(pacific, 160, 180)).toEqual([160, 170, 180]);
  expect(longitudes(pacific, 170, -170)).toEqual([170, -180, -170]);
  expect(longitudes(pacific, -180, 180)).toEqual([-180, -170, -160, -150, 150, 160, 170]);
  const columns = windowOf(pacific, { south: 0, north: 0, west: -180, east: 180 }).columns;
  expect([...columns]).toEqual([3, 4, 5, 6, 0, 1, 2]);
});
