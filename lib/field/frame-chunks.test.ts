import { expect, it } from "vitest";
import { chunkNames, chunkPart, chunksInView, partGrid } from "./frame-chunks.ts";
import type { Grid } from "./grid.ts";

const globe: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
const chunking = { rows: 91, columns: 90 };
const pacific: Grid = {
  latitude: { start: -10, step: 1, count: 21 },
  longitude: { start: 150, step: 1, count: 61 },
};

it("cuts a grid into parts that contain every node once", () => {
  const seen = new Uint8Array(181 * 360);
  const names = chunkNames(globe, chunking);
  expect(names).toEqual(["0.0", "0.1", "0.2", "0.3", "1.0", "1.1", "1.2", "1.3"]);
  for (const name of names) {
    const part = chunkPart(globe, chunking, name)!;
    for (let row = part.row; row < part.row + part.rows; row++)
      for (let column = part.column; column < part.column + part.columns; column++)
        seen[row * 360 + column]!++;
  }
  expect(new Set(seen)).toEqual(new Set([1]));
});

it.each(["2.0", "0.4", "-1.0", "00.0", "0", "0.0.0", "1e1.0", "ALL", ""])(
  "refuses the chunk name %j",
  (name) => {
    expect(chunkPart(globe, chunking, name)).toBeUndefined();
  },
);

it.each([
  ["inside one chunk", { south: 10, north: 20, west: 10, east: 20 }, ["1.2"]],
  ["up to the node beyond its edge", { south: 10, north: 20, west: 10, east: 89.5 }, ["1.2", "1.3"]],
  ["across the equator", { south: -5, north: 5, west: 10, east: 20 }, ["0.2", "1.2"]],
  ["across the antimeridian", { south: 10, north: 20, west: 170, east: 190 }, ["1.3", "1.0"]],
  ["that ends at the antimeridian", { south: 10, north: 20, west: 170, east: 180 }, ["1.3", "1.0"]],
  ["given one turn west", { south: 10, north: 20, west: -350, east: -340 }, ["1.2"]],
  ["beyond the poles", { south: 80, north: 95, west: 10, east: 20 }, ["1.2"]],
  ["of the whole globe", { south: -90, north: 90, west: -200, east: 200 }, chunkNames(globe, chunking)],
] as const)("finds the chunks of a view %s", (_, box, names) => {
  expect(chunksInView(globe, chunking, box)?.names).toEqual(names);
});

it("merges the chunks on both sides of the antimeridian into one window", () => {
  const { part } = chunksInView(globe, chunking, { south: 10, north: 20, west: 170, east: 190 })!;
  expect(partGrid(globe, part)).toEqual({
    latitude: { start: 1, step: 1, count: 90 },
    longitude: { start: 90, step: 1, count: 180 },
  });
});

it("finds a regional grid at any whole turn of longitude, and nothing outside it", () => {
  const small = { rows: 21, columns: 31 };
  const names = (west: number, east: number) =>
    chunksInView(pacific, small, { south: 0, north: 5, west, east })?.names;
  expect(names(-175, -170)).toEqual(["0.1"]);
  expect(names(160, 190)).toEqual(["0.0", "0.1"]);
  expect(names(0, 20)).toBeUndefined();
});
