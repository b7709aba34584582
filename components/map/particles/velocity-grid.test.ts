import { expect, it } from "vitest";
import { globeView, type MapView, mercatorView } from "#components/map/map-view.ts";
import { frameOf, globeGrid, steady } from "#test/map.ts";
import { landMask, velocityGrid, withoutLabels } from "./velocity-grid.ts";

const wind = ["eastward_wind_10m", "northward_wind_10m"] as const;
const current = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;
const camera = { width: 400, height: 300, centre: { latitude: 45, longitude: 0 }, zoom: 2 };

/** Reads the velocities of a steady global flow, missing east of 169°, at pixels of a view. */
function flow(
  view: MapView,
  [x, y]: readonly [string, string],
  u: number,
  v: number,
  onLand = (_: number) => false,
) {
  const until = (value: number) => (_: number, longitude: number) => (longitude > 169 ? Number.NaN : value);
  const frame = frameOf({ [x]: until(u), [y]: until(v) }, { grid: globeGrid(10) });
  const grid = velocityGrid(view, steady(frame), landMask(view, onLand));
  return (right: number, down: number) => {
    const { cell, columns, values } = grid!;
    const at = 4 * (Math.round(down / cell) * columns + Math.round(right / cell));
    return [...values.subarray(at, at + 3)] as [number, number, number];
  };
}

it.each([mercatorView(camera), globeView(camera)])(
  "moves to the right in a westerly, up in a southerly",
  (view) => {
    const [right, none] = flow(view, wind, 10, 0)(200, 150);
    expect([right > 20, none]).toEqual([true, expect.closeTo(0, 6)]);
    const [still, down] = flow(view, wind, 0, 10)(200, 150);
    expect([still, down < -20]).toEqual([expect.closeTo(0, 6), true]);
  },
);

it("moves particles twice as fast in twice the current", () => {
  const speed = (u: number) => flow(mercatorView(camera), current, u, 0)(100, 100)[0];
  expect(speed(0.8)).toBeCloseTo(2 * speed(0.4), 6);
});

it("has no flow off the globe, on land, and where the field has no value", () => {
  const east = mercatorView({ ...camera, centre: { latitude: 0, longitude: 170 } });
  const north = (latitude: number) => latitude > 10;
  const currents = flow(east, current, 5, 5, north);
  expect([currents(200, 150), currents(150, 20)]).toEqual([
    [0, 0, 0],
    [0, 0, 0],
  ]);
  expect(currents(150, 150)[2]).toBe(1);
  expect(flow(east, wind, 5, 5, north)(150, 20)).toEqual([0, 0, 0]);
  expect(flow(globeView({ ...camera, zoom: 0.5 }), wind, 5, 5)(0, 0)).toEqual([0, 0, 0]);
});

it.each([mercatorView(camera), mercatorView({ ...camera, centre: { latitude: 45, longitude: 180 } })])(
  "has no flow below a label, and has it beside the label",
  (view) => {
    const sea = landMask(view, () => false);
    const middle = view.unproject(200, 150)!;
    const beyond = view.unproject(900, 150) ?? middle;
    const box = { halfWidth: 40, halfHeight: 10 };
    const masked = withoutLabels(view, sea, [
      { ...middle, ...box },
      { ...beyond, ...box },
    ]);
    const columns = camera.width / 10 + 1;
    const at = (x: number, y: number) => masked[(y / 10) * columns + x / 10];
    expect([at(160, 150), at(200, 140), at(240, 160)]).toEqual([1, 1, 1]);
    expect([at(140, 150), at(200, 120), at(260, 160)]).toEqual([0, 0, 0]);
    expect(sea.every((node) => node === 0)).toBe(true);
  },
);

it("reads across 180°, and nothing of a field that is not a flow", () => {
  const view = mercatorView({ ...camera, centre: { latitude: 0, longitude: -179 } });
  expect(flow(view, wind, 5, 5)(300, 150)[2]).toBe(1);
  const still = steady(frameOf({ air_pressure_at_mean_sea_level: 1, precipitation_flux: 1 }));
  expect(
    velocityGrid(
      view,
      still,
      landMask(view, () => false),
    ),
  ).toBeUndefined();
});
