import { beforeAll, expect, it } from "vitest";
import type { Grid } from "#lib/field/grid.ts";
import { stormOf, stormState } from "#server/demo/cyclones/storm-tracks.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { demoWorld, fingerprint } from "#test/demo-world.ts";
import { iceCover, seaSurfaceTemperature } from "./sst.ts";

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const time = Date.parse("2026-09-15T12:00:00Z") / 1000;

function box(south: number, west: number, step: number, rows: number, columns: number): Grid {
  return { latitude: { start: south, step, count: rows }, longitude: { start: west, step, count: columns } };
}

const degrees = (grid: Grid, when = time) =>
  seaSurfaceTemperature(world, { grid, time: when }).sea_surface_temperature;
const at = (latitude: number, longitude: number, when = time) =>
  degrees(box(latitude, longitude, 1, 1, 1), when)[0]!;
const mean = (values: Float32Array) => values.reduce((sum, value) => sum + value, 0) / values.length;

it("has the same numbers in every chunk, across ±180 and in every convention of longitude", () => {
  const whole = degrees(box(-50, 160, 0.75, 60, 60));
  for (const [row, column, rows, columns, turn] of [
    [5, 20, 17, 40, -360],
    [0, 0, 60, 60, 360],
    [59, 59, 1, 1, 0],
  ] as const) {
    const part = degrees(box(-50 + 0.75 * row, 160 + 0.75 * column + turn, 0.75, rows, columns));
    for (let r = 0; r < rows; r++) {
      for (let c = 0; c < columns; c++) {
        expect(part[r * columns + c]).toBe(whole[(row + r) * 60 + column + c]);
      }
    }
  }
});

it.each(["2026-02-15", "2026-05-15", "2026-08-25", "2026-11-15"])(
  "stays between freezing and 32 °C in %s",
  (day) => {
    const grid = box(-90, -180, 2, 91, 180);
    const land = landAt(world.static.land, nodesOf(grid));
    const globe = degrees(grid, Date.parse(day) / 1000);
    const atSea = globe.filter((_, node) => land[node] === 0);
    expect(globe.filter((_, node) => land[node] === 1).every(Number.isNaN)).toBe(true);
    expect(Math.min(...atSea)).toBe(Math.fround(-1.8));
    expect(Math.max(...atSea)).toBeLessThan(32);
  },
);

it("is warmest in late summer on either side of the equator", () => {
  const august = Date.parse("2026-08-28") / 1000;
  const february = Date.parse("2026-02-26") / 1000;
  expect(at(42, -40, august)).toBeGreaterThan(at(42, -40, february) + 4);
  expect(at(-38, -100, february)).toBeGreaterThan(at(-38, -100, august) + 3);
});

it("is colder where water wells up and warmer where currents bring it", () => {
  expect(at(-12, -79)).toBeLessThan(at(-12, -110) - 2);
  expect(at(60, -2)).toBeGreaterThan(at(60, -175) + 3);
});

it("has the climatological temperatures of November", () => {
  const november = Date.parse("2025-11-15") / 1000;
  const near = (latitude: number, longitude: number) =>
    mean(degrees(box(latitude - 2, longitude - 2, 1, 5, 5), november));
  // World Ocean Atlas, to about two degrees: Atlantic, Pacific, Southern Ocean, trades.
  expect(near(45, -30)).toBeGreaterThan(11);
  expect(near(45, -30)).toBeLessThan(16);
  expect(near(30, -45)).toBeGreaterThan(21);
  expect(near(30, -45)).toBeLessThan(26);
  expect(near(45, 180)).toBeGreaterThan(8);
  expect(near(45, 180)).toBeLessThan(14);
  expect(near(-50, 90)).toBeGreaterThan(3);
  expect(near(-50, 90)).toBeLessThan(9);
  expect(near(15, -45)).toBeGreaterThan(25.5);
  expect(near(15, -45)).toBeLessThan(29);
});

it("falls across the north wall of the Gulf Stream", () => {
  const section = degrees(box(34, -64, 0.25, 41, 1));
  let steepest = 0;
  for (let row = 4; row < section.length; row++)
    steepest = Math.max(steepest, section[row - 4]! - section[row]!);
  expect(steepest).toBeGreaterThan(2);
});

it("leaves a cold wake behind a strong cyclone, which fades", () => {
  const storm = stormOf("south", time);
  const passage = storm.begins + 6 * 86_400;
  const state = stormState(1, storm, passage)!;
  const grid = box(state.latitude - 0.5, state.longitude - 0.5, 0.5, 3, 3);
  const before = mean(degrees(grid, passage - 2 * 86_400));
  const after = mean(degrees(grid, passage + 2 * 86_400));
  const later = mean(degrees(grid, passage + 9 * 86_400));
  expect(after).toBeLessThan(before - 1);
  expect(later).toBeGreaterThan(after + 0.7);
});

it("has ice around the poles in their winters only", () => {
  const ice = (latitude: number, longitude: number, day: string) =>
    iceCover(world, { grid: box(latitude, longitude, 1, 1, 1), time: Date.parse(day) / 1000 })[0]!;
  expect(ice(86, 0, "2026-03-01")).toBeGreaterThan(0.9);
  expect(ice(-67, -40, "2026-09-15")).toBeGreaterThan(0.6);
  expect(ice(-58, 90, "2026-02-20")).toBe(0);
  expect(ice(45, -30, "2026-02-20")).toBe(0);
});

it("is the same planet on every machine", () => {
  expect(fingerprint(degrees(box(-75, -180, 3, 52, 120)), 0.1)).toMatchInlineSnapshot(`"0552246e"`);
});
