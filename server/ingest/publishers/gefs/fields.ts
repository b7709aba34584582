import {
  choice,
  type FieldRule,
  type GribParameter,
  grib,
  rule,
  scaled,
  unchanged,
} from "#server/ingest/sources/source.ts";

const surface = { type: 1, words: "surface" };
const seaLevel = { type: 101, words: "mean sea level" };
const at10m = { type: 103, value: 10, words: "10 m above ground" };

// Bytes are those of messages of 0.25° in an index of 2025.
const UGRD: GribParameter = { codes: [0, 2, 2], element: "UGRD", bytes: 880_000 };
const VGRD: GribParameter = { codes: [0, 2, 3], element: "VGRD", bytes: 834_000 };
const GUST: GribParameter = { codes: [0, 2, 22], element: "GUST", bytes: 514_000 };
const PRMSL: GribParameter = { codes: [0, 3, 1], element: "PRMSL", bytes: 893_000 };

/** Fields of a member, and of the mean and the spread. */
export const fields: readonly FieldRule[] = [
  rule("eastward_wind_10m", choice([grib(UGRD, at10m)], unchanged)),
  rule("northward_wind_10m", choice([grib(VGRD, at10m)], unchanged)),
  rule("wind_speed_of_gust", choice([grib(GUST, surface)], unchanged)),
  rule("air_pressure_at_mean_sea_level", choice([grib(PRMSL, seaLevel)], scaled(0.01))),
];
