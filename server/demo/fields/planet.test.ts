import { beforeAll, describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { groupOf, type Values } from "#server/demo/field-groups.ts";
import { landAt, nodesOf, type Patch } from "#server/demo/math/grid.ts";
import { demoManifest } from "#server/demo/runs.ts";
import type { World } from "#server/demo/static/world.ts";
import { cyclones } from "#server/demo/storms/cyclones.ts";
import { box, demoWorld, fingerprint } from "#test/demo-world.ts";
import { movingSystems } from "./pressure.ts";
import { iceCover } from "./temperature.ts";
import { smoothWind } from "./wind.ts";

let world: World;
beforeAll(() => {
  world = demoWorld();
});

const DAY = 86_400;
const at = (instant: string) => Date.parse(instant) / 1000;
const time = at("2026-09-15T12:00:00Z");
const globe = box(-89, -180, 2, 90, 180);

const [EAST, NORTH] = ["eastward_wind_10m", "northward_wind_10m"] as const;
const HEIGHT = "sea_surface_wave_significant_height";
const PRESSURE = "air_pressure_at_mean_sea_level";
const SST = "sea_surface_temperature";
const CURRENT = ["surface_eastward_sea_water_velocity", "surface_northward_sea_water_velocity"] as const;

function fields(patch: Patch, ...names: FieldName[]): Required<Values> {
  return Object.assign({}, ...names.map((name) => groupOf(name).compute(world, patch)));
}
const speedOf = (east: Float32Array, north: Float32Array) =>
  east.map((u, node) => Math.hypot(u, north[node]!));

it("has hurricane force only in tropical cyclones, which occur in their season", () => {
  for (let day = 0; day < 365; day += 13) {
    const when = at("2026-01-01T00:00:00Z") + day * DAY;
    const storms = cyclones(1, when).filter(({ windKnots }) => windKnots >= 34);
    expect(storms.length).toBeLessThanOrEqual(4);
    const all = fields({ grid: globe, time: when }, EAST);
    const { latitude, longitude } = nodesOf(globe);
    for (const [node, speed] of speedOf(all[EAST], all[NORTH]).entries()) {
      if (speed < 32) continue;
      const [row, column] = [Math.floor(node / 180), node % 180];
      const near = storms.some(
        (one) =>
          Math.abs(one.latitude - latitude[row]!) < 4 &&
          Math.cos(((one.longitude - longitude[column]!) * Math.PI) / 180) > 0.99,
      );
      expect(near, `${speed} m/s at ${latitude[row]}, ${longitude[column]}`).toBe(true);
    }
  }
});

it("turns anticlockwise around northern lows and clockwise around southern ones, and the other way around highs", () => {
  /** The same air over a planet without land. */
  const land = world.static.land.map(() => 0);
  const coastDistance = new Float32Array(land.length).fill(1000);
  const water = { ...world, static: { ...world.static, land, coastDistance } };
  const wind = (latitude: number, longitude: number) => {
    const { eastward, northward } = smoothWind(water, { grid: box(latitude, longitude, 1, 1, 1), time });
    return [eastward[0]!, northward[0]!] as const;
  };
  let seen = 0;
  for (const { latitude, longitude, amplitude, hemisphere, kind } of movingSystems(1, time)) {
    if (Math.abs(amplitude) < 9) continue;
    const wide = 6 / Math.cos((latitude * Math.PI) / 180);
    const around =
      wind(latitude - 6, longitude)[0] -
      wind(latitude + 6, longitude)[0] +
      wind(latitude, longitude + wide)[1] -
      wind(latitude, longitude - wide)[1];
    expect(Math.sign(around)).toBe(hemisphere * (kind === "low" ? 1 : -1));
    seen++;
  }
  expect(seen).toBeGreaterThan(5);
});

describe("waves", () => {
  const systems = ["sea_surface_wave", "sea_surface_wind_wave", "sea_surface_swell_wave"] as const;

  it.each(["2026-01-15T00:00:00Z", "2026-07-03T09:00:00Z"])(
    "are consistent around the globe at %s",
    (when) => {
      const patch = { grid: box(-90, -180, 1, 181, 360), time: at(when) };
      const seas = fields(patch, HEIGHT);
      const ice = iceCover(world, patch);
      const dry = landAt(world.static.land, nodesOf(patch.grid));
      for (let node = 0; node < dry.length; node++) {
        const height = seas[HEIGHT][node]!;
        if (dry[node] === 1 || ice[node] === 1) expect(height).toBeNaN();
        else if (ice[node] === 0) expect(height).toBeGreaterThan(0);
        if (!(height > 0)) continue;
        let squares = 0;
        for (const system of systems) {
          const period = seas[`${system}_mean_period`][node]!;
          const own = seas[`${system}_significant_height`][node]!;
          const [x, y] = [
            seas[`${system}_from_direction_x`][node]!,
            seas[`${system}_from_direction_y`][node]!,
          ];
          if (system !== "sea_surface_wave") squares += own * own;
          if (own / (1.56 * period * period) >= 1 / 14 || period > 18)
            throw new Error(`${system} of ${period} s`);
          if (Math.abs(Math.hypot(x, y) - 1) > 1e-5) throw new Error(`${system} has no unit vector`);
        }
        if (Math.abs(Math.sqrt(squares) - height) > 1e-5) throw new Error("heights do not add up");
      }
    },
  );
});

describe("currents", () => {
  it.each([
    ["Gulf Stream", 35, 43, -62],
    ["Kuroshio extension", 32, 40, 150],
    ["Agulhas Return Current", -44, -36, 32],
    ["Circumpolar Current", -62, -46, -130],
  ])("of the %s flow east", (_, south, north, longitude) => {
    const rows = Math.round((north - south) / 0.25) + 1;
    const line = fields({ grid: box(south, longitude, 0.25, rows, 1), time }, CURRENT[0])[CURRENT[0]];
    expect(Math.max(...line)).toBeGreaterThan(0.3);
    expect(line.reduce((sum, u) => sum + u, 0)).toBeGreaterThan(0);
  });
});

describe("the temperature of the sea", () => {
  it.each([
    [45, -30, 13.5],
    [30, -45, 23.5],
    [45, 180, 11],
    [-50, 90, 6],
    [15, -45, 27],
  ])(
    "is as in the World Ocean Atlas at %d, %d in November, to three degrees",
    (latitude, longitude, degrees) => {
      const patch = { grid: box(latitude - 2, longitude - 2, 1, 5, 5), time: at("2025-11-15") };
      const mean = fields(patch, SST)[SST].reduce((sum, one) => sum + one, 0) / 25;
      expect(Math.abs(mean - degrees)).toBeLessThan(3);
    },
  );
});

/**
 * Hashes of samples of each planet. Never edit the row of a planet that was released: browsers keep frames under its
 * run ids permanently. If values change on purpose, raise PLANET in `runs.ts` and add a row.
 */
const planets: Readonly<Record<string, Partial<Record<FieldName, string>>>> = {
  "demo-world-2": {
    [PRESSURE]: "53ee585d",
    [EAST]: "c95fc552",
    wind_speed_of_gust: "7226154f",
    precipitation_flux: "2c2ca48e",
    cloud_area_fraction: "d81ce7da",
    air_temperature: "8a6f187c",
    [HEIGHT]: "22a9da3c",
    sea_surface_wave_from_direction_x: "38190957",
    [CURRENT[0]]: "567d08a8",
    [SST]: "56d5369b",
    sea_floor_depth_below_sea_surface: "60b04547",
  },
};

/** Rounding steps that are too coarse for differences in the last digit between engines. */
const steps: Partial<Record<FieldName, number>> = {
  cloud_area_fraction: 0.5,
  [HEIGHT]: 0.04,
  sea_surface_wave_from_direction_x: 0.02,
  [CURRENT[0]]: 0.02,
  [SST]: 0.1,
  sea_floor_depth_below_sea_surface: 1,
};

it("is the same planet on every machine, and changes only under another name", () => {
  const planet = demoManifest(time).runs[0]!.id.split(".")[1]!;
  const prints = planets[planet] ?? {};
  const names = Object.keys(prints) as FieldName[];
  expect(names.length, `no samples of ${planet}`).toBeGreaterThan(0);
  const all = fields({ grid: box(-75, -180, 3, 52, 120), time }, ...names);
  const found = names.map((name) => [name, fingerprint(all[name], steps[name] ?? 0.05)]);
  expect(Object.fromEntries(found)).toEqual(prints);
});
