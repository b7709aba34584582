import { coordinate, type Grid, strided } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "./frame.ts";
import {
  blankFrame,
  chunkNames,
  chunkPart,
  chunksInView,
  type GridPart,
  partGrid,
  pasteChunk,
  spreadCoarse,
} from "./frame-chunks.ts";
import { sampleBand } from "./interpolate.ts";

const globe: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
const chunking = { rows: 91, columns: 90 };

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
  ["up to the node beyond its edge", { south: 10, north: 20, west: 10, east: 89.5 }, ["1.2", "1.3"]],
  ["across the equator", { south: -5, north: 5, west: 10, east: 20 }, ["0.2", "1.2"]],
  ["across the antimeridian", { south: 10, north: 20, west: 170, east: 190 }, ["1.3", "1.0"]],
  ["beyond the poles", { south: 80, north: 95, west: 10, east: 20 }, ["1.2"]],
  ["of the whole globe", { south: -90, north: 90, west: -200, east: 200 }, chunkNames(globe, chunking)],
] as const)("finds the chunks of a view %s", (_, box, names) => {
  expect(chunksInView(globe, chunking, box)?.names).toEqual(names);
});

const planet: Grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: -180, step: 5, count: 72 },
};
const parts = { rows: 19, columns: 18 };
const bands = [
  { name: "height", scale: 0.5, offset: 3 },
  { name: "sine", scale: 1, offset: 0 },
  { name: "cosine", scale: 1, offset: 0 },
];

/** Each number encodes its place and band; some are missing. */
function filled(grid: Grid): Frame {
  const frame = blankFrame(grid, { time: 60, bands });
  const { latitude, longitude } = grid;
  for (let row = 0; row < latitude.count; row++)
    for (let column = 0; column < longitude.count; column++)
      for (let band = 0; band < 3; band++) {
        const east = (coordinate(longitude, column) + 540) % 360;
        const north = coordinate(latitude, row) + 90;
        const missing = (east / 5 + north / 5) % 11 === 0;
        frame.values[(row * longitude.count + column) * 4 + band] = missing
          ? FILL
          : north * 72 + east / 5 + band;
      }
  return frame;
}

const chunkOf = (part: GridPart) => filled(partGrid(planet, part));

describe("assembled chunks", () => {
  it("are at the right place in a window across the antimeridian", () => {
    const view = chunksInView(planet, parts, { south: 0, north: 40, west: 150, east: 200 })!;
    const window = partGrid(planet, view.part);
    const frame = blankFrame(window, { time: 60, bands });
    for (const name of view.names) pasteChunk(frame, chunkOf(chunkPart(planet, parts, name)!));
    expect(frame.values.filter((_, i) => i % 4 < 3)).toEqual(
      filled(window).values.filter((_, i) => i % 4 < 3),
    );
    const pair = { before: frame, after: frame, later: 0 };
    const whole = filled(planet);
    for (const [latitude, longitude] of [
      [12, 179],
      [12, -179],
      [33, 178.5],
    ] as const) {
      expect(sampleBand(pair, 0, latitude, longitude)).toBeCloseTo(
        sampleBand({ before: whole, after: whole, later: 0 }, 0, latitude, longitude),
        9,
      );
    }
  });
});

it("a coarser frame fills a finer one with the values of the sampler", () => {
  const coarseGrid = { latitude: strided(planet.latitude, 4), longitude: strided(planet.longitude, 4) };
  const coarse = filled(coarseGrid);
  const frame = blankFrame(planet, { time: 60, bands });
  spreadCoarse(frame, coarse);
  const pair = { before: coarse, after: coarse, later: 0 };
  let valid = 0;
  for (let row = 0; row < 37; row++)
    for (let column = 0; column < 72; column++) {
      const sampled = sampleBand(pair, 0, -90 + 5 * row, -180 + 5 * column);
      const stored = frame.values[(row * 72 + column) * 4]!;
      if (Number.isNaN(sampled)) expect(stored).toBe(FILL);
      else {
        valid++;
        expect(Math.abs(stored * 0.5 + 3 - sampled)).toBeLessThanOrEqual(0.25 + 1e-9);
      }
    }
  expect(valid).toBeGreaterThan(37 * 72 * 0.7);
});

const pacific: Grid = {
  latitude: { start: -10, step: 1, count: 21 },
  longitude: { start: 150, step: 1, count: 61 },
};

it("finds a regional grid at any whole turn of longitude, and nothing outside it", () => {
  const small = { rows: 21, columns: 31 };
  const names = (west: number, east: number) =>
    chunksInView(pacific, small, { south: 0, north: 5, west, east })?.names;
  expect(names(-175, -170)).toEqual(["0.1"]);
  expect(names(160, 190)).toEqual(["0.0", "0.1"]);
  expect(names(0, 20)).toBeUndefined();
});
