import { windField, windHeights } from "#lib/catalog/wind.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import {
  bytesOfMessages,
  type FieldFeed,
  fill,
  type Mirror,
  messagesAt,
  ofProfiles,
  type Profile,
  partsAt,
  range,
  wantedMessages,
} from "#server/ingest/feeds/field-feed.ts";
import { meanUntil } from "#server/ingest/plan.ts";
import {
  atMost,
  choice,
  type GribParameter,
  grib,
  modelName,
  rule,
  type Source,
  scaled,
  unchanged,
} from "./source.ts";

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
/** kg m-2 in buckets that begin at multiples of six hours, and, of the same name, since the start. */
const APCP: GribParameter = { codes: [0, 1, 8], element: "APCP" };
const PRATE: GribParameter = { codes: [0, 1, 7], element: "PRATE", bytes: 610_000 };
const CAPE: GribParameter = { codes: [0, 7, 6], element: "CAPE", bytes: 570_000 };
const TMP: GribParameter = { codes: [0, 0, 0], element: "TMP", bytes: 520_000 };
const TCDC: GribParameter = { codes: [0, 6, 1], element: "TCDC", bytes: 830_000 };
const PRMSL: GribParameter = { codes: [0, 3, 1], element: "PRMSL", bytes: 893_000 };

const winds = windHeights.flatMap((height) => [
  rule(windField("eastward", height), choice([grib(UGRD, heightAbove(height))], unchanged)),
  rule(windField("northward", height), choice([grib(VGRD, heightAbove(height))], unchanged)),
]);

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
      choice([grib(PRATE, surface, "average")], scaled(3600), meanUntil),
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
  ],
};

/** Version 16 of GFS: files of older cycles have other names, and no waves. */
const FIRST_CYCLE = Date.UTC(2021, 2, 23) / 1000;

/**
 * Where NOAA's model files lie, by the same names on every host. Amazon and Google have the archive; Microsoft has a month.
 * NOMADS is the origin and has two days, but its firewall redirects to a page when it is asked too often: it is asked
 * last, and only while the others may lag.
 */
const mirrors: readonly Mirror[] = [
  { name: "AWS", base: "https://noaa-gfs-bdp-pds.s3.amazonaws.com", since: FIRST_CYCLE },
  { name: "Google", base: "https://storage.googleapis.com/global-forecast-system", since: FIRST_CYCLE },
  { name: "Azure", base: "https://noaagfs.blob.core.windows.net/gfs", youngerThan: 30 * DAY_S },
  {
    name: "NOMADS",
    base: "https://nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod",
    youngerThan: 18 * HOUR_S,
    // 120 are documented.
    requestsPerMinute: 100,
    throttledBy: [302],
  },
];

/** Properties that GFS and GFS-Wave share. */
export const ncep = {
  credit: "NOAA/NCEP, public domain",
  /** Four a day. */
  cycles: { every: 6 * HOUR_S, offset: 0 },
  mirrors,
  parts: (cycle, profile) => partsAt(cycle, leads(profile)),
} satisfies Partial<FieldFeed>;

/** Leads of GFS and GFS-Wave, hours: hourly to 120 h, then three-hourly to 384 h. */
function leads(profile: Profile): number[] {
  if (profile === "lite") return range(0, 120, 3);
  // Ten days ahead of now: the newest whole cycle is at most twelve hours old, or a day if one is left out.
  const last = profile === "standard" ? 264 : 384;
  return [...range(0, 120, 1), ...range(123, last, 3)];
}

const wanted = ofProfiles(gfs, (fields) => wantedMessages(gfs, fields));

/** NOAA's Global Forecast System at 0.25°, `pgrb2` files. First steps are there 3 h 35 min after the base time. */
export const gfsFeed: FieldFeed = {
  ...ncep,
  name: "gfs",
  title: "NOAA GFS 0.25°: wind, gust, rain, CAPE, air temperature, cloud, pressure",
  source: gfs,
  delay: { first: 3 * 3600 + 35 * 60, whole: 5 * 3600 + 40 * 60 },
  objects: (part, profile) =>
    messagesAt(
      fill("gfs.{YYYY}{MM}{DD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF}", part),
      "wgrib2",
      wanted[profile],
    ),
  partBytes: (profile) => bytesOfMessages(wanted[profile]),
};
