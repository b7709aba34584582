import { expect, it } from "vitest";
import { globeView, mercatorView } from "#components/map/map-view.ts";
import { FILL } from "#lib/catalog/fill.ts";
import type { Frame } from "#lib/field/frame.ts";
import { landMask, type VelocityGrid, velocityGrid } from "./velocity-grid.ts";

/** A steady flow over the globe at 10°, missing east of 170°. */
function flow(names: readonly [string, string], u: number, v: number) {
  const frame: Frame = {
    grid: { latitude: { start: -90, step: 10, count: 19 }, longitude: { start: -180, step: 10, count: 36 } },
    time: 0,
    bands: names.map((name) => ({ name, scale: 0.01, offset: 0 })),
    values: Int16Array.from({ length: 2 * 19 * 36 }, (_, at) => {
      if (Math.floor(at / 2) % 36 === 35) return FILL;
      return Math.round(100 * (at % 2 === 0 ? u : v));
    }),
    perNode: 2,
  };
  return { before: frame, after: frame, later: 0 };
}

const wind = ["eastward_wind_10m", "northward_wind_10m"] as const;
const current = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;
const camera = { width: 400, height: 300, centre: { latitude: 45, longitude: 0 }, zoom: 2 };
const atSea = () => false;

function nodeAt({ cell, columns, values }: VelocityGrid, x: number, y: number): number[] {
  const at = 4 * (Math.round(y / cell) * columns + Math.round(x / cell));
  return [...values.subarray(at, at + 3)];
}

it("moves particles to the right in a westerly and up in a southerly, in both projections", () => {
  for (const view of [mercatorView(camera), globeView(camera)]) {
    const mask = landMask(view, atSea);
    const [right, none] = nodeAt(velocityGrid(view, flow(wind, 10, 0), mask)!, 200, 150);
    expect(right).toBeGreaterThan(20);
    expect(none).toBeCloseTo(0, 6);
    const [still, down] = nodeAt(velocityGrid(view, flow(wind, 0, 10), mask)!, 200, 150);
    expect(still).toBeCloseTo(0, 6);
    expect(down).toBeLessThan(-20);
  }
});

it("moves particles twice as fast in twice the current", () => {
  const view = mercatorView(camera);
  const mask = landMask(view, atSea);
  const speed = (u: number) => nodeAt(velocityGrid(view, flow(current, u, 0), mask)!, 100, 100)[0]!;
  expect(speed(0.8)).toBeCloseTo(2 * speed(0.4), 6);
});

it("follows the meridians on the globe: northward leads to the pole from all sides", () => {
  const view = globeView({ ...camera, centre: { latitude: 80, longitude: 0 }, zoom: 1.5 });
  const grid = velocityGrid(view, flow(wind, 0, 10), landMask(view, atSea))!;
  const pole = { x: 0, y: 0 };
  view.project(90, 0, pole);
  for (const [x, y] of [
    [120, 150],
    [280, 150],
    [200, 60],
    [200, 220],
  ] as const) {
    const [right = 0, down = 0] = nodeAt(grid, x, y);
    const [toRight, toDown] = [pole.x - x, pole.y - y];
    const cosine = (right * toRight + down * toDown) / Math.hypot(right, down) / Math.hypot(toRight, toDown);
    expect(cosine).toBeGreaterThan(0.98);
  }
});

it("has no flow off the globe and where the field has no value; currents none on land, which winds blow over", () => {
  const east = mercatorView({ ...camera, centre: { latitude: 0, longitude: 170 } });
  const mask = landMask(east, (latitude) => latitude > 10);
  const currents = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;
  const grid = velocityGrid(east, flow(currents, 5, 5), mask)!;
  expect(nodeAt(velocityGrid(east, flow(wind, 5, 5), mask)!, 150, 20)[2]).toBe(1);
  expect(nodeAt(grid, 200, 150)).toEqual([0, 0, 0]);
  expect(nodeAt(grid, 150, 150)[2]).toBe(1);
  expect(nodeAt(grid, 150, 20)).toEqual([0, 0, 0]);
  const globe = globeView({ ...camera, zoom: 0.5 });
  expect(nodeAt(velocityGrid(globe, flow(wind, 5, 5), landMask(globe, atSea))!, 0, 0)).toEqual([0, 0, 0]);
});

it("reads across 180°", () => {
  const view = mercatorView({ ...camera, centre: { latitude: 0, longitude: -179 } });
  const grid = velocityGrid(view, flow(wind, 5, 5), landMask(view, atSea))!;
  expect(nodeAt(grid, 300, 150)[2]).toBe(1);
});

it("has no velocities for a field that is not a flow", () => {
  const view = mercatorView(camera);
  const still = flow(["air_pressure_at_mean_sea_level", "precipitation_flux"], 1, 1);
  expect(velocityGrid(view, still, landMask(view, atSea))).toBeUndefined();
});
