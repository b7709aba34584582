import {
  bearing,
  choice,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  type FieldRule,
  type GribSelector,
  grib,
  unchanged,
  waveRules,
} from "#server/ingest/sources/source.ts";

const surface = { type: 1, words: "surface" };
/** NCEP's type of surface for the n-th partition, sorted by height. */
const partition = (number: number) => ({ type: 241, value: number, words: `${number} in sequence` });
const partitions = [1, 2, 3];

const combinedOrWind = (element: string, number: number) =>
  grib({ codes: [10, 0, number], element }, surface);
const ofSwell = (element: string, number: number) => (n: number) =>
  grib({ codes: [10, 0, number], element }, partition(n));

const HTSGW = combinedOrWind("HTSGW", 3);
const PERPW = combinedOrWind("PERPW", 11);
const DIRPW = combinedOrWind("DIRPW", 10);
const WVHGT = combinedOrWind("WVHGT", 5);
const WVPER = combinedOrWind("WVPER", 6);
const WVDIR = combinedOrWind("WVDIR", 4);
const SWELL = ofSwell("SWELL", 8);
const SWPER = ofSwell("SWPER", 9);
const SWDIR = ofSwell("SWDIR", 7);

/** Height and another property of each partition. */
const withHeight = (property: (n: number) => GribSelector) =>
  partitions.flatMap((n) => [SWELL(n), property(n)]);

export const combined = waveRules(
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

// All swell partitions are used, not only the highest: with the wind sea they add up to the combined height
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

/** Fields of GFS-Wave. Its directions are those that waves come FROM. */
export const fields: readonly FieldRule[] = [...combined, ...windSea, ...swell];
