import { beforeAll, describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { fieldNames } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { cyclones } from "#server/demo/cyclones/vortex.ts";
import { nodesOf } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import { deriveStaticWorld } from "#server/demo/static/static-world.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { box } from "#test/demo-world.ts";
import { fieldGroups, groupOf } from "./field-groups.ts";
import { gust } from "./gust.ts";
import { movingSystems } from "./systems.ts";
import { airTemperature } from "./temperature.ts";
import { weather } from "./weather.ts";
import { atmosphere } from "./wind.ts";

let world: World;
beforeAll(() => {
  world = { seed: 1, static: deriveStaticWorld() };
});

const time = Date.parse("2026-09-15T12:00:00Z") / 1000;
const DAY = 86_400;

const globe = box(-89, -180, 2, 90, 180);
const place = (latitude: number, longitude: number) => box(latitude, longitude, 1, 1, 1);

function areaMean(values: Float32Array, weight: (at: number) => number = () => 1): number {
  const { cosLatitude, columns } = nodesOf(globe);
  let sum = 0;
  let area = 0;
  for (const [at, value] of values.entries()) {
    const share = cosLatitude[Math.floor(at / columns)]! * weight(at);
    if (share === 0) continue;
    sum += share * value;
    area += share;
  }
  return sum / area;
}

it("computes every stored field of the catalog, in one group each", () => {
  expect(fieldGroups.flatMap((group) => group.fields).sort()).toEqual([...fieldNames].sort());
  for (const group of fieldGroups) {
    const values = group.compute(world, { grid: box(10, 170, 5, 3, 5), time });
    expect(Object.keys(values).sort()).toEqual([...group.fields].sort());
    for (const field of group.fields) expect(values[field]).toHaveLength(15);
  }
});

it("has the same numbers in every chunk, across ±180 and in every convention of longitude", () => {
  const fields = [
    "precipitation_flux",
    "cloud_area_fraction",
    "atmosphere_convective_available_potential_energy",
    "wind_speed_of_gust",
    "air_temperature",
    "eastward_wind_100m",
  ] as const satisfies readonly FieldName[];
  for (const field of fields) {
    const value = (grid: Grid) => groupOf(field).compute(world, { grid, time })[field]!;
    const whole = value(box(-70, 160, 2, 70, 20));
    for (const [row, column, part] of [
      [0, 0, box(-70, 160, 2, 1, 1)],
      [31, 10, box(-8, 180, 2, 9, 10)],
      [31, 10, box(-8, -180, 2, 9, 10)],
      [50, 3, box(30, 166 + 360, 2, 20, 17)],
    ] as const) {
      const values = value(part);
      for (let r = 0; r < part.latitude.count; r++) {
        for (let c = 0; c < part.longitude.count; c++) {
          expect(values[r * part.longitude.count + c], field).toBe(whole[(row + r) * 20 + column + c]);
        }
      }
    }
  }
});

it("is finite at the poles, whichever meridian leads there", () => {
  for (const pole of [-90, 90]) {
    const grid = box(pole, -180, 30, 1, 12);
    const { rain, cloud } = weather(world, { grid, time });
    const temperature = airTemperature(world, { grid, time });
    for (let column = 0; column < 12; column++) {
      expect(rain[column]).toBeGreaterThanOrEqual(0);
      expect(Math.abs(cloud[column]! - cloud[0]!)).toBeLessThan(1);
      expect(temperature[column]).toBeGreaterThan(-80);
    }
  }
});

describe("credible weather", () => {
  it.each(["2026-01-15", "2026-07-15"])("has the rain, cloud and warmth of the Earth in %s", (day) => {
    const patch = { grid: globe, time: Date.parse(`${day}T06:00:00Z`) / 1000 };
    const { rain, cloud, cape } = weather(world, patch);
    const temperature = airTemperature(world, patch);
    // On Earth it rains 2.7 mm a day, half to two thirds of the sky is cloud, and the air is at 14 °C.
    expect(24 * areaMean(rain)).toBeGreaterThan(1.5);
    expect(24 * areaMean(rain)).toBeLessThan(5.5);
    expect(areaMean(cloud)).toBeGreaterThan(38);
    expect(areaMean(cloud)).toBeLessThan(70);
    expect(areaMean(temperature)).toBeGreaterThan(11);
    expect(areaMean(temperature)).toBeLessThan(18);
    for (let at = 0; at < rain.length; at++) {
      expect(rain[at]! >= 0 && rain[at]! < 100).toBe(true);
      expect(cloud[at]! >= 0 && cloud[at]! <= 100).toBe(true);
      expect(cape[at]! >= 0 && cape[at]! < 8000).toBe(true);
      expect(temperature[at]! > -75 && temperature[at]! < 52).toBe(true);
    }
  });

  it("rains more around deep lows than around highs", () => {
    const near = { low: [] as number[], high: [] as number[] };
    for (let day = 0; day < 30; day++) {
      const at = time + day * DAY;
      for (const system of movingSystems(1, at)) {
        if (Math.abs(system.amplitude) < 8) continue;
        const { rain } = weather(world, { grid: place(system.latitude, system.longitude), time: at });
        near[system.kind].push(rain[0]!);
      }
    }
    const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
    expect(mean(near.low)).toBeGreaterThan(1);
    expect(mean(near.high)).toBeLessThan(0.1);
  });

  it("pours and is overcast at the eye wall of a cyclone", () => {
    const strong = cyclones(1, time).filter((one) => one.windKnots > 60);
    expect(strong.length).toBeGreaterThan(0);
    for (const one of strong) {
      const wall = weather(world, {
        grid: place(one.latitude + one.coreRadius / 111.2, one.longitude),
        time,
      });
      expect(wall.rain[0]).toBeGreaterThan(8);
      expect(wall.cloud[0]).toBeGreaterThan(95);
    }
  });

  it("gusts are never below the mean wind, nor much more than half above it except in squalls", () => {
    const patch = { grid: globe, time };
    const gusts = gust(world, patch);
    const { eastward, northward } = atmosphere(world, patch);
    const dry = landAt(world.static.land, nodesOf(globe));
    for (let at = 0; at < gusts.length; at++) {
      const speed = Math.hypot(eastward[at]!, northward[at]!);
      expect(gusts[at]!).toBeGreaterThanOrEqual(speed * 1.229);
      expect(gusts[at]!).toBeLessThan(speed * (dry[at] ? 1.8 : 1.66) + 6.01);
    }
  });

  it("is colder in its own winter, and warmer by day than by night inland", () => {
    const winter = airTemperature(world, {
      grid: place(52, 60),
      time: Date.parse("2026-01-15T09:00:00Z") / 1000,
    });
    const summer = airTemperature(world, {
      grid: place(52, 60),
      time: Date.parse("2026-07-15T09:00:00Z") / 1000,
    });
    expect(summer[0]! - winter[0]!).toBeGreaterThan(20);
    const day = airTemperature(world, { grid: place(25, 20), time: time + 2 * 3600 });
    const night = airTemperature(world, { grid: place(25, 20), time: time + 15 * 3600 });
    expect(day[0]! - night[0]!).toBeGreaterThan(5);
  });
});

it("is the same planet on every machine", () => {
  // Values at a few hundred places, rounded to steps that no engine's last digit can tip, as one number a field.
  const grid = box(-81, -180, 9, 19, 40);
  const steps: Partial<Record<FieldName, number>> = {
    air_pressure_at_mean_sea_level: 0.05,
    eastward_wind_10m: 0.05,
    northward_wind_100m: 0.05,
    wind_speed_of_gust: 0.05,
    precipitation_flux: 0.05,
    cloud_area_fraction: 0.5,
    atmosphere_convective_available_potential_energy: 5,
    air_temperature: 0.05,
  };
  const prints = Object.entries(steps).map(([name, step]) => {
    const field = name as FieldName;
    const values = groupOf(field).compute(world, { grid, time })[field]!;
    let print = 0;
    for (const value of values) print = (Math.imul(print, 31) + Math.round(value / step)) | 0;
    return `${field} ${print}`;
  });
  expect(prints).toMatchInlineSnapshot(`
    [
      "air_pressure_at_mean_sea_level -180081836",
      "eastward_wind_10m -529817391",
      "northward_wind_100m -1116035557",
      "wind_speed_of_gust 1813837803",
      "precipitation_flux -1896482202",
      "cloud_area_fraction -1892107142",
      "atmosphere_convective_available_potential_energy 633019203",
      "air_temperature 2140296860",
    ]
  `);
});
