import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { mapLevels, memberChunk, pointChunk, type Shape } from "./layout.ts";

const globe = (step: number): Grid => ({
  latitude: { start: -90, step, count: Math.round(180 / step) + 1 },
  longitude: { start: -180, step, count: Math.round(360 / step) },
});

it.each([
  { of: "0.25°", grid: globe(0.25), levels: [1, 2, 4] },
  { of: "1/12°", grid: globe(1 / 12), levels: [1, 6, 12] },
  { of: "0.5°", grid: globe(0.5), levels: [1, 2] },
  { of: "1/3°", grid: globe(1 / 3), levels: [1, 2, 3] },
  { of: "1°", grid: globe(1), levels: [1] },
  { of: "2.5°", grid: globe(2.5), levels: [1] },
  {
    of: "a globe of 1442 columns, which 4 does not divide",
    grid: { latitude: globe(0.25).latitude, longitude: { start: -180, step: 360 / 1442, count: 1442 } },
    levels: [1, 2, 7],
  },
])(
  "has levels near 0.5° and 1° that are coarser than $of and still close around the globe",
  ({ grid, levels }) => {
    expect(mapLevels(grid)).toEqual(levels);
  },
);

it.each<[Shape, number, Shape]>([
  [[80, 721, 1440], 1, [8, 8, 8]],
  // The statistics of wind are written together.
  [[80, 721, 1440], 20, [4, 8, 16]],
  [[80, 361, 720], 20, [8, 8, 8]],
  // 26 million nodes: eight steps of the whole grid would not fit into the writer's memory.
  [[80, 3600, 7200], 1, [2, 16, 16]],
])("cuts %j of %i fields that are written together into point chunks of %j", (shape, fields, chunk) => {
  expect(pointChunk(shape, fields)).toEqual(chunk);
});

it.each([
  [1, 40],
  [2, 40],
  [3, 1],
  [31, 41],
  [50, 65],
  [51, 1],
  [300, 9],
])(
  "has a chunk of members that fills an entry of the cache, with edges that are powers of two: %d members, %d steps",
  (members, times) => {
    const { chunk, places } = memberChunk(times, members);
    expect(places).toBeGreaterThanOrEqual(members);
    expect(places * chunk[0] * chunk[1] * chunk[2]).toBe(512);
    for (const edge of [...chunk, places]) expect(Number.isInteger(Math.log2(edge))).toBe(true);
  },
);

it("has no chunk for more members than fit", () => {
  expect(() => memberChunk(1, 513)).toThrow(RangeError);
});
