import { expect, it } from "vitest";
import { centres } from "#lib/field/centres.ts";
import type { Grid } from "#lib/field/grid.ts";
import { type FieldAt, valuesAtNodes } from "#lib/field/isolines.ts";

const grid: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: -180, step: 1, count: 360 },
};
const systems = [
  { latitude: 52, longitude: -20, depth: -30 },
  { latitude: -48, longitude: 179.6, depth: -22 },
  { latitude: 33, longitude: -40, depth: 18 },
  { latitude: 5, longitude: 100, depth: 7 },
];

/** Highs and lows on an even field. */
const weather: FieldAt = (latitude, longitude) =>
  systems.reduce((sum, system) => {
    const away = ((longitude - system.longitude + 540) % 360) - 180;
    const distance = Math.hypot(
      latitude - system.latitude,
      away * Math.cos((system.latitude * Math.PI) / 180),
    );
    return sum + system.depth * Math.exp(-((distance / 9) ** 2));
  }, 1013);

/** Half a hPa of noise from node to node, the same each time. */
const noise: FieldAt = (latitude, longitude) =>
  0.25 * Math.sin(12.9898 * Math.round(latitude) + 78.233 * Math.round(longitude) * Math.round(latitude + 3));

const test = { radius: 5, prominence: 1.5 };
const found = (field: FieldAt) =>
  centres(field, grid, valuesAtNodes(field, grid), test)
    .map(({ kind, latitude, longitude }) => `${kind} ${latitude} ${longitude}`)
    .sort();

it("finds every high and low once, also on the antimeridian", () => {
  expect(found(weather)).toEqual(["high 33 -40", "high 5 100", "low -48 -180", "low 52 -20"]);
});

it("finds no centres in noise, and the same number with noise upon the weather", () => {
  expect(found(noise)).toEqual([]);
  expect(
    found((latitude, longitude) => weather(latitude, longitude) + noise(latitude, longitude)),
  ).toHaveLength(4);
});

it("finds none in an even field, nor in a slope", () => {
  expect(found(() => 1013)).toEqual([]);
  expect(found((latitude) => 1013 + latitude)).toEqual([]);
});

it("tells the value of a centre", () => {
  const low = centres(weather, grid, valuesAtNodes(weather, grid), test).find(
    ({ latitude }) => latitude === 52,
  );
  expect(low?.value).toBeCloseTo(weather(52, -20), 9);
});

it("still marks a low beside what is missing, and none in the corner of what is known", () => {
  const cut =
    (edge: number): FieldAt =>
    (latitude, longitude) =>
      longitude < edge ? Number.NaN : weather(latitude, longitude);
  expect(found(cut(-26))).toContain("low 52 -20");
  expect(found(cut(-19))).not.toContain("low 52 -20");
});
