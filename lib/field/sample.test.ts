import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fields.ts";
import type { Frame } from "./frame.ts";
import { sampleBand } from "./sample.ts";

const grid = { latitude: { start: 0, step: 10, count: 2 }, longitude: { start: -180, step: 90, count: 4 } };
const frame = (u: number[], v: number[]): Frame => ({
  grid,
  time: 0,
  bands: [
    { name: "u", scale: 0.5, offset: 0 },
    { name: "v", scale: 1, offset: 100 },
  ],
  values: Int16Array.from(u.flatMap((stored, node) => [stored, v[node]!])),
  perNode: 2,
});
const early = frame([0, 10, 20, 30, 0, 10, 20, 30], [0, 0, 0, 0, 8, 8, 8, 8]);
const late = frame([40, 50, 60, 70, 40, 50, 60, 70], [0, 0, 0, FILL, 8, 8, 8, FILL]);

it("reads each band in its own unit, across the antimeridian too", () => {
  const pair = { before: early, after: early, later: 0 };
  expect(sampleBand(pair, 0, 5, -135)).toBe(2.5);
  expect(sampleBand(pair, 1, 5, -135)).toBe(104);
  expect(sampleBand(pair, 0, 0, 135)).toBe(7.5);
  expect(sampleBand(pair, 0, 0, 180)).toBe(0);
});

it("is linear from one step to the next", () => {
  expect(sampleBand({ before: early, after: late, later: 0.25 }, 0, 0, -180)).toBe(5);
});

it("has no value where less than half of the weight is valid, nor outside the grid", () => {
  const pair = { before: late, after: late, later: 0 };
  expect(sampleBand(pair, 1, 5, 80)).toBeNaN();
  expect(sampleBand(pair, 1, 5, 44)).toBe(104);
  expect(sampleBand(pair, 0, 10.1, 0)).toBeNaN();
});
