import { coordinate, type Grid } from "@open-metocean/geo/grid";
import { describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
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
  latitude: { start: -90, step: 2.5, count: 73 },
  longitude: { start: 0, step: 2.5, count: 144 },
};
const zone: Grid = { ...globe, latitude: { start: -60, step: 2.5, count: 49 } };
const region: Grid = { ...zone, longitude: { ...zone.longitude, count: 40 } };
const COLUMNS = globe.longitude.count;

/** A field whose value is a function of the place, in degrees. */
function fieldOf(value: (latitude: number, longitude: number) => number, on = globe): Float32Array {
  const columns = on.longitude.count;
  return Float32Array.from({ length: on.latitude.count * columns }, (_, i) =>
    value(coordinate(on.latitude, Math.floor(i / columns)), coordinate(on.longitude, i % columns)),
  );
}

const aThirdOf = (values: Float32Array) => values.map((value, i) => (i % 3 === 0 ? Number.NaN : value));
const sine = (degrees: number) => Math.sin((degrees * Math.PI) / 180);

describe("a step of the wind", () => {
  const name = "northward_wind_10m";
  const wind = (grid: Grid, shift = 0) =>
    fieldOf((latitude, longitude) => shift + 6 * sine(6 * longitude) + 3 * sine(90 - 9 * latitude), grid);

  it.each([
    ["like the one before", globe, wind(globe), /^$/, false],
    ["that jumps, around the globe, is disputed", zone, wind(zone, 20), /^the mean of .* jumps/, true],
    ["that jumps, of a region, has weather", region, wind(region, 20), /^$/, false],
    ["that cannot be", globe, wind(globe, 500), /cannot be outside/, false],
    ["that is missing where it never is", globe, aThirdOf(wind(globe)), /is missing at/, false],
    ["that is missing in a region", region, aThirdOf(wind(region)), /is missing at/, true],
  ] as const)("%s", (_, grid, values, fault, isDisputed) => {
    const before = statisticsOf(wind(grid), grid.longitude.count);
    const checked = checkStep(name, values, grid, before);
    expect(checked.fault ?? "").toMatch(fault);
    expect(checked.isDisputed).toBe(isDisputed);
  });

  it("is refused without a comparison where the climate of the globe excludes it", () => {
    expect(checkStep(name, wind(globe), globe, undefined).fault).toBeUndefined();
    expect(checkStep(name, aThirdOf(wind(globe)), globe, undefined).fault).toMatch(/is missing at/);
    expect(checkStep(name, aThirdOf(wind(zone)), zone, undefined).fault).toBeUndefined();
  });
});

describe("where a field of the globe is, though there was no run before", () => {
  const grid: Grid = {
    latitude: { start: -90, step: 1, count: 181 },
    longitude: { start: 0, step: 1, count: 360 },
  };
  const where = (has: (latitude: number, longitude: number) => boolean, on = grid) =>
    fieldOf((latitude, longitude) => (has(latitude, longitude) ? 1 : Number.NaN), on);
  const isSea = (latitude: number, longitude: number) => !isLand(latitude, longitude);
  const [atSea, everywhere] = [where(isSea), where(() => true)];
  const north: Grid = { ...grid, latitude: { start: 40, step: 1, count: 51 } };
  const [open, inland] = [
    /is missing at \d+ of \d+ places of the open ocean/,
    /values at \d+ of \d+ places far inland/,
  ];

  it.each<[FieldName, string, Float32Array, RegExp, Grid?]>([
    ...(
      [
        "sea_surface_temperature",
        "sea_floor_depth_below_sea_surface",
        "sea_surface_wave_significant_height",
        "surface_eastward_sea_water_velocity",
      ] as const
    ).flatMap((name): [FieldName, string, Float32Array, RegExp][] => [
      [name, "at sea", atSea, /^$/],
      [name, "a quarter of the globe too far east", where((y, x) => isSea(y, x - 90)), open],
      [name, "with holes", aThirdOf(atSea), open],
      [name, "on land", everywhere, inland],
    ]),
    [
      "sea_surface_wave_significant_height",
      "but ice",
      where((y, x) => Math.abs(y) < 60 && isSea(y, x)),
      /^$/,
    ],
    ["sea_surface_wind_wave_significant_height", "with holes", aThirdOf(atSea), /^$/],
    ["sea_surface_wind_wave_significant_height", "on land", everywhere, inland],
    ["eastward_wind_10m", "everywhere", everywhere, /^$/],
    ["eastward_wind_10m", "with holes", aThirdOf(everywhere), /is missing at \d+ of \d+ places/],
    ["sea_surface_temperature", "in the north alone", where(isSea, north), /^$/, north],
  ])("%s %s", (name, _, values, words, on = grid) => {
    expect(misplaced(name, values, on) ?? "").toMatch(words);
  });
});

/** A mean by latitude with waves around it; missing over "land", a third of the columns. */
const around = (mean: (latitude: number) => number, wave: number, hasLand = false) =>
  fieldOf((latitude, longitude) =>
    hasLand && (longitude / 2.5) % 3 === 0 ? Number.NaN : mean(latitude) + wave * sine(5 * longitude),
  );

/** Weather at the climatology's own means, in the catalog's unit, and an offset that damage adds to it. */
const weather: [FieldName, Float32Array, number][] = [
  ["eastward_wind_10m", around((latitude) => -6 * sine(90 - 3 * latitude), 5), 10],
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

it.each(weather)(
  "accepts a first %s within the climatology, and refuses one with a mean that the globe never has",
  (name, values, odd) => {
    const shifted = statisticsOf(
      values.map((value) => value + odd),
      COLUMNS,
    );
    expect(impossibility(name, statisticsOf(values, COLUMNS), true)).toBeUndefined();
    expect(impossibility(name, shifted, true)).toMatch(
      /mean of .* over the globe is .*: it cannot be outside/,
    );
    // A region may have such a mean.
    expect(impossibility(name, shifted, false)).toBeUndefined();
  },
);

/** Scales the differences from the mean by a factor. */
function spread(values: Float32Array, factor: number) {
  const { mean } = statisticsOf(values, COLUMNS);
  return statisticsOf(
    values.map((value) => mean + (value - mean) * factor),
    COLUMNS,
  );
}

it.each(weather.filter(([name]) => /temperature|eastward_wind|pressure/.test(name)))(
  "refuses a %s that hardly differs from place to place",
  (name, values) => {
    expect(impossibility(name, spread(values, 0.01), true)).toMatch(/spread of .* over the globe is/);
  },
);

describe("a step after one that was published", () => {
  const name = "sea_surface_temperature";
  const sea = around((latitude) => 28 - 29 * sine(latitude) ** 2, 1);
  /** Statistics of a step in which a quarter of the columns is missing, from the given column on. */
  const landFrom = (first: number) =>
    statisticsOf(
      sea.map((value, at) =>
        ((at % COLUMNS) - first + COLUMNS) % COLUMNS < COLUMNS / 4 ? Number.NaN : value,
      ),
      COLUMNS,
    );

  it.each([
    ["agrees with the same land", landFrom(0), landFrom(0), /^$/],
    ["agrees where its land differs by a little ice", landFrom(2), landFrom(0), /^$/],
    [
      "is refused where as much is missing, but elsewhere",
      landFrom(72),
      landFrom(0),
      /missing at other places/,
    ],
    ["agrees where it varies twice as much", spread(sea, 2), spread(sea, 1), /^$/],
    ["is refused where it varies much more", spread(sea, 4), spread(sea, 1), /spread of .* jumps/],
    ["is refused where it varies much less", spread(sea, 1), spread(sea, 4), /spread of .* jumps/],
  ])("%s", (_, step, before, words) => {
    expect(disagreement(name, step, before) ?? "").toMatch(words);
  });
});

const HOUR = 3600;
const DAY = 24 * HOUR;

it.each([
  [DAY, DAY, true],
  // The cycle of one day has failed.
  [DAY, 2 * DAY, true],
  [DAY, 4 * DAY, false],
  [6 * HOUR, 6 * HOUR, true],
  // The steps are at different times of the day.
  [6 * HOUR, 12 * HOUR, false],
])(
  "of cycles every %i s one is compared with what was published %i s before: %s",
  async (every, ahead, isCompared) => {
    const folder = temporaryFolder();
    const feed = { name: "test", cycles: { every, offset: 0 } };
    const cycle = Date.UTC(2026, 8, 1, 12) / 1000;
    const published = { missing: 0.3, mean: 14, deviation: 11 };
    const name = "sea_surface_temperature";
    await extendBaseline(folder, feed, cycle, "lite", new Map([[cycle, { [name]: published }]]));
    const found = (await readBaseline(folder, feed, cycle + ahead, "lite")).near(name, cycle + ahead);
    expect(found).toEqual(isCompared ? published : undefined);
  },
);
