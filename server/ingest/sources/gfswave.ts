import {
  bearingX,
  bearingY,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  unchanged,
} from "./convert.ts";
import { type FieldRule, type GribSelector, grib, modelName, type Source } from "./source.ts";

const surface = { type: 1 };
/** NCEP's type of surface for the n-th partition, sorted by height. */
const partition = (number: number) => ({ type: 241, value: number });
const partitions = [1, 2, 3];

const HTSGW = grib([10, 0, 3], surface);
const PERPW = grib([10, 0, 11], surface);
const DIRPW = grib([10, 0, 10], surface);
const WVHGT = grib([10, 0, 5], surface);
const WVPER = grib([10, 0, 6], surface);
const WVDIR = grib([10, 0, 4], surface);
const SWELL = (n: number) => grib([10, 0, 8], partition(n));
const SWPER = (n: number) => grib([10, 0, 9], partition(n));
const SWDIR = (n: number) => grib([10, 0, 7], partition(n));

/** Height and another property of each partition. */
const withHeight = (property: (n: number) => GribSelector) =>
  partitions.flatMap((n) => [SWELL(n), property(n)]);

const combined: FieldRule[] = [
  { field: "sea_surface_wave_significant_height", choices: [{ needs: [HTSGW], convert: unchanged }] },
  {
    field: "sea_surface_wave_mean_period",
    choices: [
      {
        needs: [PERPW],
        convert: unchanged,
        comment: "primary wave period (PERPW), close to the peak period",
      },
    ],
  },
  {
    field: "sea_surface_wave_from_direction_x",
    choices: [{ needs: [DIRPW], convert: bearingX, comment: "primary wave direction (DIRPW)" }],
  },
  {
    field: "sea_surface_wave_from_direction_y",
    choices: [{ needs: [DIRPW], convert: bearingY, comment: "primary wave direction (DIRPW)" }],
  },
];

const windSea: FieldRule[] = [
  { field: "sea_surface_wind_wave_significant_height", choices: [{ needs: [WVHGT], convert: unchanged }] },
  { field: "sea_surface_wind_wave_mean_period", choices: [{ needs: [WVPER], convert: unchanged }] },
  { field: "sea_surface_wind_wave_from_direction_x", choices: [{ needs: [WVDIR], convert: bearingX }] },
  { field: "sea_surface_wind_wave_from_direction_y", choices: [{ needs: [WVDIR], convert: bearingY }] },
];

// All swell partitions, not only the highest: with the wind sea they add up to the combined height
// (sqrt(WVHGT² + ΣSWELL²) / HTSGW = 0.995 in a real file). The mean by energy is exact for the energy period.
const swell: FieldRule[] = [
  {
    field: "sea_surface_swell_wave_significant_height",
    choices: [
      {
        needs: partitions.map(SWELL),
        convert: combinedHeight,
        comment: "root of the sum of the squares of swell partitions 1 to 3",
      },
    ],
  },
  {
    field: "sea_surface_swell_wave_mean_period",
    choices: [
      {
        needs: withHeight(SWPER),
        convert: combinedPeriod,
        comment: "energy-weighted mean of swell partitions 1 to 3",
      },
    ],
  },
  ...(["x", "y"] as const).map(
    (part): FieldRule => ({
      field: `sea_surface_swell_wave_from_direction_${part}`,
      choices: [
        {
          needs: withHeight(SWDIR),
          convert: combinedDirection(part),
          comment: "energy-weighted vector mean of swell partitions 1 to 3",
        },
      ],
    }),
  ),
];

/** NOAA's GFS-Wave (WAVEWATCH III). Its directions are those that waves come FROM. */
export const gfswave: Source = {
  name: "gfswave",
  title: "NOAA GFS-Wave: combined waves, swell, wind waves (GRIB2)",
  dataset: "Forecast",
  model: modelName("GFS-Wave"),
  rules: [...combined, ...windSea, ...swell],
};
