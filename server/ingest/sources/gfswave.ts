import {
  type FieldFeed,
  fill,
  messagesAt,
  ofProfiles,
  wantedMessages,
} from "#server/ingest/feeds/field-feed.ts";
import { ncep } from "./gfs.ts";
import {
  bearing,
  choice,
  combinedDirection,
  combinedHeight,
  combinedPeriod,
  type GribSelector,
  grib,
  modelName,
  type Source,
  unchanged,
  waveRules,
} from "./source.ts";

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

const wanted = ofProfiles(gfswave, (fields) => wantedMessages(gfswave, fields));

/** Bytes of a message of 0.25°, about: 12 MB for the 19 of a step. */
const MESSAGE_BYTES = 630_000;

/** NOAA's GFS-Wave at 0.25°, `global.0p25` files of the GFS cycles. They follow the atmosphere within an hour. */
export const gfswaveFeed: FieldFeed = {
  ...ncep,
  name: "gfswave",
  title: "NOAA GFS-Wave 0.25°: combined waves, swell, wind waves",
  source: gfswave,
  delay: { first: 4 * 3600, whole: 5 * 3600 + 40 * 60 },
  objects: (part, profile) =>
    messagesAt(
      fill("gfs.{YYYY}{MM}{DD}/{HH}/wave/gridded/gfswave.t{HH}z.global.0p25.f{FFF}.grib2", part),
      "wgrib2",
      wanted[profile],
    ),
  partBytes: (profile) => wanted[profile].length * MESSAGE_BYTES,
};
