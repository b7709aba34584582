import { combinedDirection, combinedHeight, combinedPeriod, unchanged } from "./convert.ts";
import { choice, type GribSelector, grib, modelName, type Source } from "./source.ts";
import { bearing, waveRules } from "./wave-rules.ts";

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

const combined = waveRules(
  "sea_surface_wave",
  [choice([HTSGW], unchanged)],
  [choice([PERPW], unchanged, "primary wave period (PERPW), close to the peak period")],
  bearing(DIRPW, "primary wave direction (DIRPW)"),
);

const windSea = waveRules(
  "sea_surface_wind_wave",
  [choice([WVHGT], unchanged)],
  [choice([WVPER], unchanged)],
  bearing(WVDIR),
);

// All swell partitions, not only the highest: with the wind sea they add up to the combined height
// (sqrt(WVHGT² + ΣSWELL²) / HTSGW = 0.995 in a real file). The mean by energy is exact for the energy period.
const swell = waveRules(
  "sea_surface_swell_wave",
  [
    choice(
      partitions.map(SWELL),
      combinedHeight,
      "root of the sum of the squares of swell partitions 1 to 3",
    ),
  ],
  [choice(withHeight(SWPER), combinedPeriod, "energy-weighted mean of swell partitions 1 to 3")],
  (part) => [
    choice(
      withHeight(SWDIR),
      combinedDirection(part),
      "energy-weighted vector mean of swell partitions 1 to 3",
    ),
  ],
);

/** NOAA's GFS-Wave (WAVEWATCH III). Its directions are those that waves come FROM. */
export const gfswave: Source = {
  name: "gfswave",
  title: "NOAA GFS-Wave: combined waves, swell, wind waves (GRIB2)",
  dataset: "Forecast",
  model: modelName("GFS-Wave"),
  rules: [...combined, ...windSea, ...swell],
};
