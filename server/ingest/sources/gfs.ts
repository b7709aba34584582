import { windField, windHeights } from "#lib/catalog/wind.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import { scaled, unchanged } from "./convert.ts";
import { choice, grib, modelName, rule, type Source } from "./source.ts";

// Types of fixed surfaces: WMO code table 4.5; 200 is NCEP's code for the whole atmosphere as one layer.
const surface = { type: 1 };
const seaLevel = { type: 101 };
const heightAbove = (metres: number) => ({ type: 103, value: metres });
const lowest = (pascals: number) => ({ type: 108, value: pascals, to: 0 });
const wholeAtmosphere = [{ type: 10 }, { type: 200 }];

const UGRD = [0, 2, 2] as const;
const VGRD = [0, 2, 3] as const;
const GUST = [0, 2, 22] as const;
const PRATE = [0, 1, 7] as const;
const CAPE = [0, 7, 6] as const;
const TMP = [0, 0, 0] as const;
const TCDC = [0, 6, 1] as const;
const PRMSL = [0, 3, 1] as const;

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
      choice([grib(CAPE, lowest(25_500))], unchanged),
      choice(
        [grib(CAPE, lowest(18_000))],
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
