import { describe, expect, it } from "vitest";
import { FILL } from "#lib/catalog/fields.ts";
import { blankFrame, pasteChunk, spreadCoarse } from "./assemble.ts";
import type { Frame } from "./frame.ts";
import { chunkNames, chunkPart, chunksInView, type GridPart, partGrid } from "./frame-chunks.ts";
import { coordinate, type Grid, strided } from "./grid.ts";
import { sampleBand } from "./sample.ts";

const globe: Grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: -180, step: 5, count: 72 },
};
const chunking = { rows: 19, columns: 18 };
const bands = [
  { name: "height", scale: 0.5, offset: 3 },
  { name: "sine", scale: 1, offset: 0 },
  { name: "cosine", scale: 1, offset: 0 },
];

/** Each number tells its place and band; some are missing. */
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

const chunkOf = (part: GridPart) => filled(partGrid(globe, part));

describe("assembled chunks", () => {
  it("are exactly the whole level", () => {
    const frame = blankFrame(globe, { time: 60, bands });
    for (const name of chunkNames(globe, chunking))
      pasteChunk(frame, chunkOf(chunkPart(globe, chunking, name)!));
    expect(frame.values.filter((_, i) => i % 4 < 3)).toEqual(
      filled(globe).values.filter((_, i) => i % 4 < 3),
    );
  });

  it("are at the right place in a window across the antimeridian", () => {
    const view = chunksInView(globe, chunking, { south: 0, north: 40, west: 150, east: 200 })!;
    const window = partGrid(globe, view.part);
    const frame = blankFrame(window, { time: 60, bands });
    for (const name of view.names) pasteChunk(frame, chunkOf(chunkPart(globe, chunking, name)!));
    expect(frame.values.filter((_, i) => i % 4 < 3)).toEqual(
      filled(window).values.filter((_, i) => i % 4 < 3),
    );
    const pair = { before: frame, after: frame, later: 0 };
    const whole = filled(globe);
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
  const coarseGrid = { latitude: strided(globe.latitude, 4), longitude: strided(globe.longitude, 4) };
  const coarse = filled(coarseGrid);
  const frame = blankFrame(globe, { time: 60, bands });
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
