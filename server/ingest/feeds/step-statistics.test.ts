import { describe, expect, it } from "vitest";
import type { FieldName } from "#lib/catalog/fields.ts";
import { disagreement, impossibility, statisticsOf } from "./check-step.ts";

const COLUMNS = 144;
const ROWS = 73;

/** A field on the globe: a mean by latitude with waves around it. Missing over "land", a third of the columns. */
function globe(mean: (latitude: number) => number, wave: number, hasLand = false) {
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
  ["eastward_wind_10m", globe((latitude) => -6 * Math.cos((latitude * Math.PI) / 60), 5), 10],
  ["northward_wind_100m", globe((latitude) => -3 * sine(2 * latitude), 6), 10],
  ["wind_speed_of_gust", globe((latitude) => 8 + 4 * sine(latitude) ** 2, 3), 12],
  ["air_pressure_at_mean_sea_level", globe((latitude) => 1016 - 12 * sine(latitude) ** 2, 8), 20],
  ["air_temperature", globe((latitude) => 28 - 48 * sine(latitude) ** 2, 4), 25],
  ["sea_surface_temperature", globe((latitude) => 28 - 29 * sine(latitude) ** 2, 1, true), 16],
  ["cloud_area_fraction", globe(() => 62, 35), -26],
  ["sea_surface_wave_significant_height", globe((latitude) => 1.5 + 2 * sine(latitude) ** 2, 1, true), 3],
  ["sea_surface_wave_mean_period", globe(() => 8.5, 2, true), 8],
  ["surface_eastward_sea_water_velocity", globe(() => 0.01, 0.2, true), 0.5],
  ["precipitation_flux", globe(() => 0.15, 0.14), 0.8],
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
  const sea = globe((latitude) => 28 - 29 * sine(latitude) ** 2, 1);
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
