import type { Grid } from "@open-metocean/geo/grid";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blendCorners, blendSteps, bracket, emptyCell, locate } from "./interpolate.ts";

const globe: Grid = {
  latitude: { start: -90, step: 0.25, count: 721 },
  longitude: { start: -180, step: 0.25, count: 1440 },
};
const cellCentred: Grid = {
  latitude: { start: -89.5, step: 1, count: 180 },
  longitude: { start: -179.5, step: 1, count: 360 },
};
const pacific: Grid = {
  latitude: { start: -10, step: 1, count: 21 },
  longitude: { start: 170, step: 1, count: 21 },
};

/** Bilinear mean of a field given by a function of row and column. */
function sample(
  grid: Grid,
  latitude: number,
  longitude: number,
  at: (row: number, column: number) => number,
): number {
  const cell = locate(grid, latitude, longitude, emptyCell());
  if (!cell) return Number.NaN;
  const { south, north, west, east } = cell;
  return blendCorners(cell, at(south, west), at(south, east), at(north, west), at(north, east));
}

describe("in space", () => {
  it("is exact for a band, anywhere in a grid", () => {
    fc.assert(
      fc.property(
        fc.double({ min: -10, max: 10, noNaN: true }),
        fc.double({ min: 170, max: 190, noNaN: true }),
        (latitude, longitude) => {
          const wrapped = longitude > 180 ? longitude - 360 : longitude;
          const value = sample(
            pacific,
            latitude,
            wrapped,
            (row, column) => 3 * (row - 10) - 2 * (column + 170),
          );
          return Math.abs(value - (3 * latitude - 2 * longitude)) < 1e-9;
        },
      ),
    );
  });

  it("has values at the poles, also where rows are cell centres", () => {
    expect(sample(globe, 90, 33, (row) => row)).toBe(720);
    expect(sample(globe, -90, 33, (row) => row)).toBe(0);
    expect(sample(cellCentred, 90, 33, (row) => row)).toBe(179);
    expect(sample(cellCentred, -90, -180, (row) => row)).toBe(0);
  });

  it("has no value outside a regional grid", () => {
    expect(locate(pacific, 10.01, 180, emptyCell())).toBeUndefined();
    expect(locate(pacific, 0, 169.9, emptyCell())).toBeUndefined();
    expect(locate(pacific, 0, -169.9, emptyCell())).toBeUndefined();
    expect(locate(pacific, 10, -170, emptyCell())).toBeDefined();
  });

  it("renormalises over the sea corners when they have half of the weight, otherwise has no value", () => {
    const cell = { south: 0, north: 1, west: 0, east: 1, northward: 0.5, eastward: 0.25 };
    expect(blendCorners(cell, 4, Number.NaN, 8, Number.NaN)).toBe(6);
    expect(blendCorners({ ...cell, eastward: 0.5 }, 4, Number.NaN, 8, Number.NaN)).toBe(6);
    expect(blendCorners({ ...cell, eastward: 0.51 }, 4, Number.NaN, 8, Number.NaN)).toBeNaN();
  });
});

describe("in time", () => {
  const steps = [0, 10_800, 21_600];

  it.each([
    [2_700, 0, { before: 0, after: 1, later: 0.25 }],
    [10_800, 0, { before: 1, after: 1, later: 0 }],
    [21_600, 0, { before: 2, after: 2, later: 0 }],
    [-1, 0, undefined],
    [21_601, 0, undefined],
    [30_000, 10_000, { before: 2, after: 2, later: 0 }],
    [Number.NaN, 0, undefined],
  ])("finds the steps around %d s, where the last stays valid for %d s", (time, validFor, found) => {
    expect(bracket(steps, time, validFor)).toEqual(found);
    expect(bracket([], 0)).toBeUndefined();
  });

  it("follows the same rule for missing values as in space", () => {
    expect(blendSteps(2, 6, 0.25)).toBe(3);
    expect(blendSteps(2, Number.NaN, 0.5)).toBe(2);
    expect(blendSteps(2, Number.NaN, 0.51)).toBeNaN();
    expect(blendSteps(Number.NaN, 6, 0.51)).toBe(6);
    expect(blendSteps(Number.NaN, Number.NaN, 0.5)).toBeNaN();
  });
});
