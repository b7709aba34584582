import type { Grid } from "@open-metocean/geo/grid";
import { expect, it } from "vitest";
import { centres } from "./centres.ts";
import { type FieldAt, valuesAtNodes } from "./isolines.ts";

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

/** An even field with highs and lows. */
const weather: FieldAt = (latitude, longitude) =>
  systems.reduce((sum, system) => {
    const away = ((longitude - system.longitude + 540) % 360) - 180;
    const distance = Math.hypot(
      latitude - system.latitude,
      away * Math.cos((system.latitude * Math.PI) / 180),
    );
    return sum + system.depth * Math.exp(-((distance / 9) ** 2));
  }, 1013);

const test = { radius: 5, prominence: 1.5 };
const found = (field: FieldAt) =>
  centres(field, grid, valuesAtNodes(field, grid), test)
    .map(({ kind, latitude, longitude }) => `${kind} ${latitude} ${longitude}`)
    .sort();

it("finds every high and low once, also on the antimeridian", () => {
  expect(found(weather)).toEqual(["high 33 -40", "high 5 100", "low -48 -180", "low 52 -20"]);
});

/** A dome or basin of `height`, so broad that its slope is negligible within 5°. */
const broad =
  (latitude: number, longitude: number, base: number, height: number): FieldAt =>
  (y, x) => {
    const away = ((((x - longitude + 180) % 360) + 360) % 360) - 180;
    const squared = ((y - latitude) / 25) ** 2 + ((away * Math.cos((y * Math.PI) / 180)) / 30) ** 2;
    return base + height * Math.exp(-squared);
  };

it.each([
  { where: "in mid-ocean", longitude: -40, marked: -40 },
  { where: "on the antimeridian", longitude: 180, marked: -180 },
])("marks a flat high of 1028 hPa inside its closed isobar, once, $where", ({ longitude, marked }) => {
  const high = broad(33, longitude, 1020, 8.3);
  expect(found(high)).toEqual([]);
  const closed = { step: 4, size: 3 };
  const all = (field: FieldAt, step = closed) =>
    centres(field, grid, valuesAtNodes(field, grid), { ...test, closed: step });
  expect(all(high)).toMatchObject([{ kind: "high", latitude: 33, longitude: marked }]);
  expect(all(high)[0]?.value).toBeCloseTo(1028.3, 1);
  // A high with a plateau on top, as whole numbers produce it, is found once; a low is found as well.
  const stepped: FieldAt = (y, x) => Math.round(high(y, x) * 2) / 2;
  expect(all(stepped).filter(({ kind }) => kind === "high")).toHaveLength(1);
  expect(all(broad(-50, longitude, 1010, -6.5))).toMatchObject([{ kind: "low", latitude: -50 }]);
  // A ring that is too small is not drawn and marks no centre.
  expect(all(high, { step: 4, size: 20 })).toEqual([]);
});

it("marks a low next to missing values, and none in the corner of the grid", () => {
  const cut =
    (edge: number): FieldAt =>
    (latitude, longitude) =>
      longitude < edge ? Number.NaN : weather(latitude, longitude);
  expect(found(cut(-26))).toContain("low 52 -20");
  expect(found(cut(-19))).not.toContain("low 52 -20");
});
