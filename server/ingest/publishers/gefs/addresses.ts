import { HOUR_S } from "#lib/time.ts";
import type { Mirror } from "#server/ingest/feeds/field-feed.ts";

/** First cycle of version 12 of GEFS, which has these files and waves. */
const FIRST_CYCLE = Date.UTC(2020, 8, 23, 12) / 1000;

/** Hosts of NOAA's ensemble, with the same names on every host. NOMADS is the origin; see those of GFS. */
export const mirrors: readonly Mirror[] = [
  { name: "AWS", base: "https://noaa-gefs-pds.s3.amazonaws.com", since: FIRST_CYCLE },
  {
    name: "Google",
    base: "https://storage.googleapis.com/gfs-ensemble-forecast-system",
    since: FIRST_CYCLE,
  },
  {
    name: "NOMADS",
    base: "https://nomads.ncep.noaa.gov/pub/data/nccf/com/gens/prod",
    youngerThan: 18 * HOUR_S,
    // 120 requests a minute are documented.
    requestsPerMinute: 100,
    throttledBy: [302],
  },
];

const cycle = "gefs.{YYYY}{MM}{DD}/{HH}";

/** @param of Part of the ensemble as names have it: "c00", "p07", "avg". */
export const quarterDegree = (of: string) => `${cycle}/atmos/pgrb2sp25/ge${of}.t{HH}z.pgrb2s.0p25.f{FFF}`;
/** @param set The files `a` have the usual fields, and the files `b` others, gusts among them. */
export const halfDegree = (set: "a" | "b", of: string) =>
  `${cycle}/atmos/pgrb2${set}p5/ge${of}.t{HH}z.pgrb2${set}.0p50.f{FFF}`;
export const waves = (of: string) => `${cycle}/wave/gridded/gefs.wave.t{HH}z.${of}.global.0p25.f{FFF}.grib2`;

/** The name of a member in the names of files. */
export const memberWord = (number: number) => (number === 0 ? "c00" : `p${String(number).padStart(2, "0")}`);
