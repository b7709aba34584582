import { windField, windHeights } from "#lib/catalog/wind.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import { scaled, unchanged } from "./convert.ts";
import { choice, type GribParameter, grib, modelName, rule, type Source } from "./source.ts";

// Types of fixed surfaces: WMO code table 4.5; 200 is NCEP's code for the whole atmosphere as one layer.
const surface = { type: 1, words: "surface" };
const seaLevel = { type: 101, words: "mean sea level" };
const heightAbove = (metres: number) => ({ type: 103, value: metres, words: `${metres} m above ground` });
const lowest = (hPa: number) => ({ type: 108, value: hPa * 100, to: 0, words: `${hPa}-0 mb above ground` });
const wholeAtmosphere = [
  { type: 10, words: "entire atmosphere" },
  { type: 200, words: "entire atmosphere (considered as a single layer)" },
];

const UGRD: GribParameter = { codes: [0, 2, 2], element: "UGRD" };
const VGRD: GribParameter = { codes: [0, 2, 3], element: "VGRD" };
const GUST: GribParameter = { codes: [0, 2, 22], element: "GUST" };
const PRATE: GribParameter = { codes: [0, 1, 7], element: "PRATE" };
const CAPE: GribParameter = { codes: [0, 7, 6], element: "CAPE" };
const TMP: GribParameter = { codes: [0, 0, 0], element: "TMP" };
const TCDC: GribParameter = { codes: [0, 6, 1], element: "TCDC" };
const PRMSL: GribParameter = { codes: [0, 3, 1], element: "PRMSL" };

const winds = windHeights.flatMap((height) => [
  rule(windField("eastward", height), choice([grib(UGRD, heightAbove(height))], unchanged)),
  rule(windField("northward", height), choice([grib(VGRD, heightAbove(height))], unchanged)),
]);

/** Comment with the length of the window of an average. */
function averageUntil(records: readonly FieldRecord[]): string {
  const record = records[0];
  const time = record?.kind === "grib2" ? record.field.time : undefined;
  const hours = time ? (time.end - time.start) / 3600 : 0;
  return `${Number(hours.toFixed(1))}-h average ending at the valid time`;
}

/** NOAA's Global Forecast System, `pgrb2` files. */
export const gfs: Source = {
  name: "gfs",
  title: "NOAA GFS: wind, gust, rain, CAPE, temperature, cloud, pressure (GRIB2)",
  dataset: "Forecast",
  model: modelName("GFS"),
  rules: [
    ...winds,
    rule("wind_speed_of_gust", choice([grib(GUST, surface)], unchanged)),
    rule(
      "precipitation_flux",
      choice([grib(PRATE, surface)], scaled(3600)),
      choice([grib(PRATE, surface, "average")], scaled(3600), averageUntil),
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
      ...wholeAtmosphere.map((level) => choice([grib(TCDC, level, "average")], unchanged, averageUntil)),
    ),
    rule("air_pressure_at_mean_sea_level", choice([grib(PRMSL, seaLevel)], scaled(0.01))),
  ],
};
