import { windField, windHeights } from "#lib/catalog/wind.ts";
import type { FieldRecord } from "#server/ingest/record.ts";
import { scaled, unchanged } from "./convert.ts";
import { type FieldRule, grib, modelName, type Source } from "./source.ts";

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

const winds: FieldRule[] = windHeights.flatMap((height) => [
  {
    field: windField("eastward", height),
    choices: [{ needs: [grib(UGRD, heightAbove(height))], convert: unchanged }],
  },
  {
    field: windField("northward", height),
    choices: [{ needs: [grib(VGRD, heightAbove(height))], convert: unchanged }],
  },
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
    { field: "wind_speed_of_gust", choices: [{ needs: [grib(GUST, surface)], convert: unchanged }] },
    {
      field: "precipitation_flux",
      choices: [
        { needs: [grib(PRATE, surface)], convert: scaled(3600) },
        { needs: [grib(PRATE, surface, "average")], convert: scaled(3600), comment: averageUntil },
      ],
    },
    {
      field: "atmosphere_convective_available_potential_energy",
      choices: [
        { needs: [grib(CAPE, lowest(25_500))], convert: unchanged },
        {
          needs: [grib(CAPE, lowest(18_000))],
          convert: unchanged,
          comment:
            "best parcel of the lowest 180 hPa, in place of the most unstable one of the lowest 255 hPa",
        },
        {
          needs: [grib(CAPE, surface)],
          convert: unchanged,
          comment: "surface parcel, in place of the most unstable one",
        },
      ],
    },
    {
      field: "air_temperature",
      choices: [{ needs: [grib(TMP, heightAbove(2))], convert: scaled(1, -273.15) }],
    },
    {
      field: "cloud_area_fraction",
      choices: [
        ...wholeAtmosphere.map((level) => ({ needs: [grib(TCDC, level)], convert: unchanged })),
        ...wholeAtmosphere.map((level) => ({
          needs: [grib(TCDC, level, "average")],
          convert: unchanged,
          comment: averageUntil,
        })),
      ],
    },
    {
      field: "air_pressure_at_mean_sea_level",
      choices: [{ needs: [grib(PRMSL, seaLevel)], convert: scaled(0.01) }],
    },
  ],
};
