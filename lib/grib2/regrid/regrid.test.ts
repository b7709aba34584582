import { normaliseLongitude, wraps } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { polarStereographic, rotatedPole } from "./projection.ts";
import {
  locateInCells,
  type NodeGrid,
  regrid,
  regridDirections,
  regularGridFor,
  turnToEarth,
} from "./regrid.ts";

/** Nodes at whole degrees, starting at a corner. */
function nodesFrom(west: number, south: number, columns: number, rows: number): NodeGrid {
  const at = (column: number, row: number) => [normaliseLongitude(west + column), south + row] as const;
  return { columns, rows, key: "", eccentricity2: 0, at };
}

it("keeps values beside missing ones while half of the weight is there, and none outside", () => {
  const grid = {
    latitude: { start: 0, step: 0.25, count: 5 },
    longitude: { start: 179, step: 0.25, count: 6 },
  };
  const positions = locateInCells(nodesFrom(179, 0, 2, 2), grid);
  const row = regrid(Float32Array.of(1, Number.NaN, 1, Number.NaN), positions).subarray(0, 6);
  expect([...row]).toEqual([1, 1, 1, Number.NaN, Number.NaN, Number.NaN]);
});

it("averages directions across north", () => {
  const grid = { latitude: { start: 0, step: 1, count: 2 }, longitude: { start: 0.5, step: 1, count: 2 } };
  const positions = locateInCells(nodesFrom(0, 0, 3, 2), grid);
  const [first] = regridDirections(Float32Array.of(350, 20, 0, 350, 20, 0), positions);
  expect(first).toBeCloseTo(5, 3);
});

it("covers all longitudes where a pole is inside", () => {
  const radians = Math.PI / 180;
  const nodes: NodeGrid = {
    ...nodesFrom(0, 0, 41, 41),
    at: (column, row) => [
      Math.atan2(column - 20, 20 - row) / radians,
      90 - Math.hypot(column - 20, row - 20),
    ],
  };
  const grid = regularGridFor(nodes)!;
  expect(grid.longitude.start).toBe(-180);
  expect(grid.longitude.step * grid.longitude.count).toBeCloseTo(360, 9);
  expect(grid.latitude.start + grid.latitude.step * grid.latitude.count).toBeGreaterThan(90);
  const values = regrid(new Float32Array(41 * 41).fill(7), locateInCells(nodes, grid));
  const at = (latitude: number) => {
    const row = Math.round((latitude - grid.latitude.start) / grid.latitude.step);
    return values.subarray(row * grid.longitude.count, (row + 1) * grid.longitude.count);
  };
  expect([...at(80)].every((value) => value === 7)).toBe(true);
});

const earth = { radius: 6_371_200, eccentricity: 0 };

/** The extent of a grid: south, north, and whether it has all longitudes. */
function boxOf(nodes: NodeGrid) {
  const { latitude, longitude } = regularGridFor(nodes)!;
  return {
    south: latitude.start,
    north: latitude.start + latitude.step * (latitude.count - 1),
    isGlobal: wraps(longitude),
  };
}

it("finds the pole of a hemispheric grid that reaches past the equator (NCEP's grid 27)", () => {
  const projection = polarStereographic(earth, -80, 60);
  const [x, y] = projection.toPlane(-125, -20.826);
  const box = boxOf({
    ...nodesFrom(0, 0, 65, 65),
    at: (column, row) => projection.toEarth(x + column * 381_000, y + row * 381_000),
  });
  expect(box.isGlobal).toBe(true);
  expect(box.north).toBeGreaterThan(86);
  expect(box.south).toBeGreaterThan(-21);
  expect(box.south).toBeLessThan(-17);
});

/** A grid of whole degrees on a globe whose south pole is at 10° E, 35° S. */
function rotated(west: number, south: number, columns: number, rows: number): NodeGrid {
  const { toEarth } = rotatedPole([10, -35]);
  return {
    ...nodesFrom(0, 0, columns, rows),
    at: (column, row) => toEarth(west + column, south + row),
  };
}

it("finds both poles in a rotated grid", () => {
  expect(boxOf(rotated(-180, -90, 360, 181))).toEqual({ south: -90, north: 90, isGlobal: true });
  // The south pole is at −35° of the rotated meridian 180.
  const { south, north, isGlobal } = boxOf(rotated(160, -55, 41, 41));
  expect(isGlobal).toBe(true);
  expect(south).toBeLessThan(-89);
  expect(north).toBeLessThan(-60);
});

describe("the seam of a grid that goes around the globe is closed", () => {
  const ring = (west: number, step: number, columns: number): NodeGrid => ({
    ...nodesFrom(0, 0, columns, 21),
    at: (column, row) => [normaliseLongitude(west + column * step), row - 10],
  });
  it.each([
    { name: "of whole degrees from 0.5", nodes: ring(0.5, 1, 360) },
    { name: "of half degrees from the middle of the Pacific", nodes: ring(74.16, 0.5, 720) },
    { name: "rotated", nodes: rotated(-180, -90, 360, 181) },
  ])("$name", ({ nodes }) => {
    const grid = regularGridFor(nodes)!;
    expect(wraps(grid.longitude)).toBe(true);
    expect(grid.longitude.count).toBe(nodes.columns);
    const { columns, rows } = nodes;
    const radians = Math.PI / 180;
    const wave = Float32Array.from({ length: columns * rows }, (_, index) => {
      const [x, y] = nodes.at(index % columns, Math.floor(index / columns));
      return Math.cos(x * radians) * Math.cos(y * radians);
    });
    const values = regrid(wave, locateInCells(nodes, grid));
    for (const [index, value] of values.entries()) {
      const y = grid.latitude.start + grid.latitude.step * Math.floor(index / grid.longitude.count);
      // The cell around a pole is left out.
      if (Math.abs(y) > 87) continue;
      const x = grid.longitude.start + grid.longitude.step * (index % grid.longitude.count);
      // The rotated poles are left out too.
      if ((x === 10 && y === -35) || (x === -170 && y === 35)) continue;
      expect(Math.abs(value - Math.cos(x * radians) * Math.cos(y * radians))).toBeLessThan(2e-3);
    }
  });
});

it.each([
  ["0", 0],
  ["−1", -1],
])("ignores cells with placeholders for coordinates: %s", (_, placeholder) => {
  const real = nodesFrom(10, 50, 41, 41);
  const isOmitted = (column: number, row: number) => column >= 10 && column < 20 && row >= 10 && row < 20;
  const nodes: NodeGrid = {
    ...real,
    at: (column, row) => (isOmitted(column, row) ? [placeholder, placeholder] : real.at(column, row)),
  };
  const grid = {
    latitude: { start: 0, step: 0.5, count: 181 },
    longitude: { start: 0, step: 0.5, count: 121 },
  };
  const longitudes = Float32Array.from({ length: 41 * 41 }, (_, index) => 10 + (index % 41));
  const values = regrid(longitudes, locateInCells(nodes, grid));
  let known = 0;
  for (const [index, value] of values.entries()) {
    if (Number.isNaN(value)) continue;
    known++;
    expect(value).toBeCloseTo(0.5 * (index % 121), 3);
  }
  expect(known).toBe(81 * 81 - 21 * 21);
  // Placeholders in the middle must not affect the spacing either.
  const inMiddle = (column: number, row: number) => Math.abs(column - 20) < 5 && Math.abs(row - 20) < 5;
  const { latitude } = regularGridFor({
    ...real,
    at: (column, row) => (inMiddle(column, row) ? [placeholder, placeholder] : real.at(column, row)),
  })!;
  expect(latitude).toEqual({ start: 50, step: 1, count: 41 });
});

describe("turns components along the grid", () => {
  it("beside the pole as well as far from it", () => {
    const upright = 20;
    const projection = polarStereographic(earth, upright, 60);
    // The pole is in the middle of a cell.
    const nodes: NodeGrid = {
      ...nodesFrom(0, 0, 12, 12),
      at: (column, row) => projection.toEarth((column - 5.5) * 25_000, (row - 5.5) * 25_000),
    };
    const [u, v] = [new Float32Array(144).fill(1), new Float32Array(144)];
    const east = turnToEarth(u, v, nodes, "east");
    const north = turnToEarth(u, v, nodes, "north");
    for (let index = 0; index < 144; index++) {
      const angle = ((upright - nodes.at(index % 12, Math.floor(index / 12))[0]) * Math.PI) / 180;
      expect(east[index]).toBeCloseTo(Math.cos(angle), 3);
      expect(north[index]).toBeCloseTo(Math.sin(angle), 3);
    }
  });
});
