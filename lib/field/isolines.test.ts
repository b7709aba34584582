import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "./frame.ts";
import { sampleBand } from "./interpolate.ts";
import { cutLine, type FieldAt, isolines, levelsOf, smoothed, valuesAtNodes } from "./isolines.ts";

const globe = (step: number): Grid => ({
  latitude: { start: -90, step, count: 180 / step + 1 },
  longitude: { start: -180, step, count: 360 / step },
});
const radians = Math.PI / 180;
const waves: FieldAt = (latitude, longitude) =>
  1000 + 30 * Math.sin(3 * longitude * radians) * Math.cos(2 * latitude * radians) + latitude / 3;

/** A field as frames store it: 0.5°, quantised, with a hole. */
const frame: Frame = {
  grid: globe(0.5),
  time: 0,
  bands: [{ name: "air_pressure_at_mean_sea_level", scale: 0.005, offset: 980 }],
  values: Int16Array.from(valuesAtNodes(waves, globe(0.5)), (value, node) => {
    const [latitude, longitude] = [-90 + 0.5 * Math.floor(node / 720), -180 + 0.5 * (node % 720)];
    return Math.hypot(latitude + 30, longitude - 60) < 6 ? FILL : Math.round((value - 980) / 0.005);
  }),
  perNode: 1,
};
const sampled: FieldAt = (latitude, longitude) =>
  sampleBand({ before: frame, after: frame, later: 0 }, 0, latitude, longitude);

function linesOf(field: FieldAt, grid: Grid, step: number) {
  const values = valuesAtNodes(field, grid);
  return isolines(field, grid, values, levelsOf(values, step));
}

it.each([0.5, 1, 2])("has the level at every point by the API's sampler, contoured at %d°", (step) => {
  const lines = linesOf(sampled, globe(step), 4);
  expect(lines.length).toBeGreaterThan(20);
  let worst = 0;
  for (const { level, points } of lines) {
    for (let index = 0; index < points.length; index += 2) {
      worst = Math.max(worst, Math.abs(sampled(points[index + 1]!, points[index]!) - level));
    }
  }
  expect(worst).toBeLessThan(step === 0.5 ? 1e-6 : 0.02);
});

it("closes the ring around a high, also on the antimeridian", () => {
  const bump: FieldAt = (latitude, longitude) =>
    100 * Math.exp(-((latitude - 10.2) ** 2 + (((longitude + 360) % 360) - 180.3) ** 2) / 200);
  const lines = linesOf(bump, globe(1), 20);
  expect(lines.map(({ level, closed }) => [level, closed])).toEqual([
    [20, true],
    [40, true],
    [60, true],
    [80, true],
  ]);
  for (const line of lines) {
    const pieces = cutLine(smoothed(line, 0.4, 3));
    expect(pieces.length).toBeGreaterThanOrEqual(2);
    for (const piece of pieces) {
      piece.forEach(([longitude], index) => {
        expect(Math.abs(longitude)).toBeLessThanOrEqual(180);
        if (index > 0) expect(Math.abs(longitude - piece[index - 1]![0])).toBeLessThan(3);
      });
    }
  }
});

it.each([
  { points: [180.1, 10, 179.8, 12, 179, 14], pieces: 2 },
  { points: [-180.2, 10, -179.7, 12, -179, 14], pieces: 2 },
  { points: [180, 10, 180.5, 12, 181, 14], pieces: 1 },
  { points: [180, 10, 179.5, 12, 179, 14], pieces: 1 },
])("cuts a line that begins at $points.0° east into finite places", ({ points, pieces }) => {
  const cut = cutLine({ level: 0, closed: false, points });
  expect(cut).toHaveLength(pieces);
  // On the globe projection MapLibre hangs on a line with coordinates that are not finite.
  expect(cut.flat(2).every(Number.isFinite)).toBe(true);
  expect(Math.max(...cut.flat().map(([longitude]) => Math.abs(longitude)))).toBeLessThanOrEqual(180);
});

it("ends lines at missing values and at the edge of a regional grid", () => {
  const grid: Grid = {
    latitude: { start: 0, step: 1, count: 11 },
    longitude: { start: 170, step: 1, count: 21 },
  };
  const field: FieldAt = (latitude, longitude) => (Math.abs(longitude - 185) < 1.5 ? Number.NaN : latitude);
  const lines = linesOf(field, grid, 5.5);
  expect(lines.map(({ level, closed }) => [level, closed])).toEqual([
    [5.5, false],
    [5.5, false],
  ]);
  const ends = lines.map(({ points }) => [points[0]!, points.at(-2)!].sort((a, b) => a - b));
  expect(ends.sort(([a = 0], [b = 0]) => a - b)).toEqual([
    [170, 183],
    [187, 190],
  ]);
});
