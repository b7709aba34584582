import { describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinate, type Grid } from "#lib/field/grid.ts";
import { temporaryFolder } from "#test/archive.ts";
import { isLand } from "#test/feeds-mirror/analytic.ts";
import {
  checkStep,
  disagreement,
  extendBaseline,
  impossibility,
  misplaced,
  readBaseline,
  statisticsOf,
} from "./check-step.ts";

const globe: Grid = {
  latitude: { start: -90, step: 5, count: 37 },
  longitude: { start: 0, step: 5, count: 72 },
};
const part: Grid = { ...globe, latitude: { start: -60, step: 5, count: 25 } };
const name = "northward_wind_10m";

/** A wind without a mean over the globe, somewhat stronger than usual, shifted by a constant. */
function wind({ latitude, longitude }: Grid, shift = 0): Float32Array {
  const columns = longitude.count;
  return Float32Array.from({ length: latitude.count * columns }, (_, i) => {
    const row = coordinate(latitude, Math.floor(i / columns));
    const column = coordinate(longitude, i % columns);
    return shift + 6 * Math.sin((column * Math.PI) / 30) + 3 * Math.cos((row * Math.PI) / 20);
  });
}

it("finds nothing in a step like the one before, and tells its statistics", () => {
  const values = wind(globe);
  const statistics = statisticsOf(values, globe.longitude.count);
  expect(checkStep(name, values, globe, undefined)).toEqual({
    statistics,
    fault: undefined,
    isDisputed: false,
  });
  expect(checkStep(name, values, globe, statistics)).toMatchObject({ fault: undefined, isDisputed: false });
});

it("disputes a step of which nothing is wrong but that it differs from the one before", () => {
  const before = statisticsOf(wind(part), part.longitude.count);
  expect(checkStep(name, wind(part, 20), part, before)).toMatchObject({
    fault: expect.stringMatching(/^the mean of northward_wind_10m jumps/),
    isDisputed: true,
  });
});

it("refuses without a dispute what is impossible, or missing where it never is, whatever was before it", () => {
  const before = statisticsOf(wind(globe), globe.longitude.count);
  expect(checkStep(name, wind(globe, 500), globe, before)).toMatchObject({
    fault: expect.stringMatching(/cannot be outside/),
    isDisputed: false,
  });
  const holed = wind(globe).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
  const fault = expect.stringMatching(/^northward_wind_10m is missing at/);
  expect(checkStep(name, holed, globe, before)).toMatchObject({ fault, isDisputed: false });
  expect(checkStep(name, holed, globe, undefined)).toMatchObject({ fault, isDisputed: false });
  // Such a place is known of the globe only.
  expect(checkStep(name, wind(part), part, undefined).fault).toBeUndefined();
});

it("lets the mean of a region go where its weather goes, but not its missing values", () => {
  const region = { ...part, longitude: { ...part.longitude, count: 20 } };
  const before = statisticsOf(wind(region), region.longitude.count);
  expect(checkStep(name, wind(region, 20), region, before).fault).toBeUndefined();
  const holed = wind(region).map((value, i) => (i % 3 === 0 ? Number.NaN : value));
  expect(checkStep(name, holed, region, before).fault).toMatch(/is missing at/);
});

const grid: Grid = {
  latitude: { start: -90, step: 1, count: 181 },
  longitude: { start: 0, step: 1, count: 360 },
};

/** Values where a place has them. */
function fieldWhere(has: (latitude: number, longitude: number) => boolean, on = grid): Float32Array {
  const { latitude, longitude } = on;
  const values = new Float32Array(latitude.count * longitude.count);
  for (let row = 0, at = 0; row < latitude.count; row++)
    for (let column = 0; column < longitude.count; column++, at++)
      values[at] = has(coordinate(latitude, row), coordinate(longitude, column)) ? 1 : Number.NaN;
  return values;
}

const atSea = fieldWhere((latitude, longitude) => !isLand(latitude, longitude));
const shifted = fieldWhere((latitude, longitude) => !isLand(latitude, longitude - 90));
const aThird = atSea.map((value, at) => (at % 3 === 0 ? Number.NaN : value));
const everywhere = fieldWhere(() => true);

it.each<FieldName>([
  "sea_surface_temperature",
  "sea_floor_depth_below_sea_surface",
  "sea_surface_wave_significant_height",
  "surface_eastward_sea_water_velocity",
])("knows where %s is, though there was no run before", (name) => {
  expect(misplaced(name, atSea, grid)).toBeUndefined();
  expect(misplaced(name, shifted, grid)).toMatch(/open ocean/);
  expect(misplaced(name, aThird, grid)).toMatch(/is missing at \d+ of \d+ places of the open ocean/);
  expect(misplaced(name, everywhere, grid)).toMatch(/has values at \d+ of \d+ places far inland/);
});

it("lets ice and coasts be as a model has them", () => {
  const iced = fieldWhere((latitude, longitude) => Math.abs(latitude) < 60 && !isLand(latitude, longitude));
  expect(misplaced("sea_surface_wave_significant_height", iced, grid)).toBeUndefined();
});

it("lets a system of waves be absent at sea, and never be on land", () => {
  const name = "sea_surface_wind_wave_significant_height";
  expect(misplaced(name, aThird, grid)).toBeUndefined();
  expect(misplaced(name, everywhere, grid)).toMatch(/far inland/);
});

it("expects the wind everywhere", () => {
  expect(misplaced("eastward_wind_10m", everywhere, grid)).toBeUndefined();
  expect(misplaced("eastward_wind_10m", aThird, grid)).toMatch(/is missing at \d+ of \d+ places/);
});

it("leaves out what a grid does not reach", () => {
  const north: Grid = { ...grid, latitude: { start: 40, step: 1, count: 51 } };
  const values = fieldWhere((latitude, longitude) => !isLand(latitude, longitude), north);
  expect(misplaced("sea_surface_temperature", values, north)).toBeUndefined();
});

const COLUMNS = 144;
const ROWS = 73;

/** A field on the globe: a mean by latitude with waves around it. Missing over "land", a third of the columns. */
function around(mean: (latitude: number) => number, wave: number, hasLand = false) {
  const values = new Float32Array(COLUMNS * ROWS);
  for (let row = 0, at = 0; row < ROWS; row++)
    for (let column = 0; column < COLUMNS; column++) {
      const latitude = row * 2.5 - 90;
      const value = mean(latitude) + wave * Math.sin((5 * column * Math.PI) / 72);
      values[at++] = hasLand && column % 3 === 0 ? Number.NaN : value;
    }
  return values;
}

const sine = (latitude: number) => Math.sin((latitude * Math.PI) / 180);

/** Weather by the climatology's own means, in the catalog's unit, and what damage adds to it. */
const weather: [FieldName, Float32Array, number][] = [
  ["eastward_wind_10m", around((latitude) => -6 * Math.cos((latitude * Math.PI) / 60), 5), 10],
  ["northward_wind_100m", around((latitude) => -3 * sine(2 * latitude), 6), 10],
  ["wind_speed_of_gust", around((latitude) => 8 + 4 * sine(latitude) ** 2, 3), 12],
  ["air_pressure_at_mean_sea_level", around((latitude) => 1016 - 12 * sine(latitude) ** 2, 8), 20],
  ["air_temperature", around((latitude) => 28 - 48 * sine(latitude) ** 2, 4), 25],
  ["sea_surface_temperature", around((latitude) => 28 - 29 * sine(latitude) ** 2, 1, true), 16],
  ["cloud_area_fraction", around(() => 62, 35), -26],
  ["sea_surface_wave_significant_height", around((latitude) => 1.5 + 2 * sine(latitude) ** 2, 1, true), 3],
  ["sea_surface_wave_mean_period", around(() => 8.5, 2, true), 8],
  ["surface_eastward_sea_water_velocity", around(() => 0.01, 0.2, true), 0.5],
  ["precipitation_flux", around(() => 0.15, 0.14), 0.8],
];

describe.each(weather)("a first %s of the globe, which is compared with nothing", (name, values, odd) => {
  const changed = (change: (value: number) => number) => statisticsOf(values.map(change), COLUMNS);

  it("passes as the weather has it", () => {
    expect(impossibility(name, statisticsOf(values, COLUMNS), true)).toBeUndefined();
  });

  it("is refused with a mean that no day of the globe has, though each value might be", () => {
    const step = changed((value) => value + odd);
    expect(impossibility(name, step, true)).toMatch(/mean of .* over the globe is .*: it cannot be outside/);
    // A region may well have it.
    expect(impossibility(name, step, false)).toBeUndefined();
  });
});

it.each(["air_temperature", "eastward_wind_10m", "air_pressure_at_mean_sea_level"] as const)(
  "refuses a %s that hardly differs from place to place",
  (name) => {
    const values = weather.find(([each]) => each === name)![1];
    const { mean } = statisticsOf(values, COLUMNS);
    const flat = statisticsOf(
      values.map((value) => mean + (value - mean) / 100),
      COLUMNS,
    );
    expect(impossibility(name, flat, true)).toMatch(
      /spread of .* over the globe is .*: it cannot be outside/,
    );
  },
);

describe("a step after one that was published", () => {
  const name = "sea_surface_temperature";
  const sea = around((latitude) => 28 - 29 * sine(latitude) ** 2, 1);
  /** Missing in a quarter of the columns, from one on. */
  const landFrom = (first: number) =>
    statisticsOf(
      sea.map((value, at) =>
        ((at % COLUMNS) - first + COLUMNS) % COLUMNS < COLUMNS / 4 ? Number.NaN : value,
      ),
      COLUMNS,
    );

  it("agrees where its land is the same but for a little ice", () => {
    expect(disagreement(name, landFrom(0), landFrom(0))).toBeUndefined();
    expect(disagreement(name, landFrom(2), landFrom(0))).toBeUndefined();
  });

  it("is refused where as much is missing, but elsewhere", () => {
    expect(landFrom(72).missing).toBe(landFrom(0).missing);
    expect(disagreement(name, landFrom(72), landFrom(0))).toMatch(/missing at other places/);
  });

  it("is refused where its values differ from place to place much more than before, or much less", () => {
    const { mean } = statisticsOf(sea, COLUMNS);
    const spread = (factor: number) =>
      statisticsOf(
        sea.map((value) => mean + (value - mean) * factor),
        COLUMNS,
      );
    expect(disagreement(name, spread(2), spread(1))).toBeUndefined();
    expect(disagreement(name, spread(4), spread(1))).toMatch(/spread of .* jumps/);
    expect(disagreement(name, spread(1), spread(4))).toMatch(/spread of .* jumps/);
  });
});

const HOUR = 3600;
const DAY = 24 * HOUR;
const CYCLE = Date.UTC(2026, 8, 1, 12) / 1000;
const warmth = "sea_surface_temperature";
const published = { missing: 0.3, mean: 14, deviation: 11 };

async function nearOf(every: number, ahead: number) {
  const folder = temporaryFolder();
  const feed = { name: "test", cycles: { every, offset: 0 } };
  await extendBaseline(folder, feed, CYCLE, "lite", new Map([[CYCLE, { [warmth]: published }]]));
  return (await readBaseline(folder, feed, CYCLE + ahead, "lite")).near(warmth, CYCLE + ahead);
}

it("compares a day with the day before, and with the one before that where a day has failed", async () => {
  expect(await nearOf(DAY, DAY)).toMatchObject(published);
  expect(await nearOf(DAY, 2 * DAY)).toMatchObject(published);
});

it("compares nothing with steps of another part of the day where cycles are shorter, nor with what is days old", async () => {
  expect(await nearOf(6 * HOUR, 6 * HOUR)).toMatchObject(published);
  expect(await nearOf(6 * HOUR, 12 * HOUR)).toBeUndefined();
  expect(await nearOf(DAY, 4 * DAY)).toBeUndefined();
});
