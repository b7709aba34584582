import { windField, windHeights } from "#lib/catalog/wind.ts";
import { meanUntil } from "#server/ingest/plan.ts";
import {
  atMost,
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
const heightAbove = (metres: number) => ({ type: 103, value: metres, words: `${metres} m above ground` });
const lowest = (hPa: number) => ({ type: 108, value: hPa * 100, to: 0, words: `${hPa}-0 mb above ground` });
const wholeAtmosphere = [
  { type: 10, words: "entire atmosphere" },
  { type: 200, words: "entire atmosphere (considered as a single layer)" },
];

// Bytes are the mean of the messages of 0.25° in an index of 2025.
const UGRD: GribParameter = { codes: [0, 2, 2], element: "UGRD", bytes: 985_000 };
const VGRD: GribParameter = { codes: [0, 2, 3], element: "VGRD", bytes: 965_000 };
const GUST: GribParameter = { codes: [0, 2, 22], element: "GUST", bytes: 637_000 };
/** Sums, kg m-2, in windows that begin at multiples of six hours and, under the same name, since the start. */
const APCP: GribParameter = { codes: [0, 1, 8], element: "APCP" };
/** By NCEP's number, and by WMO's, which has replaced it and which wgrib2 calls TPRATE. */
const PRATE = ([7, 52] as const).map(
  (number): GribParameter => ({
    codes: [0, 1, number],
    element: "PRATE",
    alternatives: ["TPRATE"],
    bytes: 610_000,
  }),
);
const CAPE: GribParameter = { codes: [0, 7, 6], element: "CAPE", bytes: 570_000 };
const TMP: GribParameter = { codes: [0, 0, 0], element: "TMP", bytes: 520_000 };
const TCDC: GribParameter = { codes: [0, 6, 1], element: "TCDC", bytes: 830_000 };
const PRMSL: GribParameter = { codes: [0, 3, 1], element: "PRMSL", bytes: 893_000 };

const winds = windHeights.flatMap((height) => [
  rule(windField("eastward", height), choice([grib(UGRD, heightAbove(height))], unchanged)),
  rule(windField("northward", height), choice([grib(VGRD, heightAbove(height))], unchanged)),
]);

/** Fields of the `pgrb2` files. */
export const fields: readonly FieldRule[] = [
  ...winds,
  rule("wind_speed_of_gust", choice([grib(GUST, surface)], unchanged)),
  rule(
    "precipitation_flux",
    ...PRATE.map((rate) => choice([grib(rate, surface)], scaled(3600))),
    ...PRATE.map((rate) => choice([grib(rate, surface, "average")], scaled(3600), meanUntil)),
    choice([grib(APCP, surface, "accumulation")], scaled(3600), meanUntil),
  ),
  rule(
    "atmosphere_convective_available_potential_energy",
    choice([grib(CAPE, lowest(255))], unchanged),
    choice(
      [grib(CAPE, lowest(180))],
      unchanged,
      "best parcel of the lowest 180 hPa, in place of the most unstable one of the lowest 255 hPa",
    ),
    choice([grib(CAPE, surface)], unchanged, "surface parcel, in place of the most unstable one"),
  ),
  rule("air_temperature", choice([grib(TMP, heightAbove(2))], scaled(1, -273.15))),
  rule(
    "cloud_area_fraction",
    ...wholeAtmosphere.map((level) => choice([grib(TCDC, level)], unchanged)),
    ...wholeAtmosphere.map((level) => choice([grib(TCDC, level, "average")], atMost(100), meanUntil)),
  ),
  rule("air_pressure_at_mean_sea_level", choice([grib(PRMSL, seaLevel)], scaled(0.01))),
];
