import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Mirror } from "#server/ingest/feeds/field-feed.ts";

/** First cycle of version 16 of GFS. Earlier files have other names, and no waves. */
const FIRST_CYCLE = Date.UTC(2021, 2, 23) / 1000;

/**
 * Hosts of NOAA's model files, with the same names on every host. Amazon and Google have the archive; Microsoft has a
 * month. NOMADS is the origin and has two days, but its firewall redirects to a page when it is called too often. It is
 * therefore called last, and only while the others may lag.
 */
export const mirrors: readonly Mirror[] = [
  { name: "AWS", base: "https://noaa-gfs-bdp-pds.s3.amazonaws.com", since: FIRST_CYCLE },
  { name: "Google", base: "https://storage.googleapis.com/global-forecast-system", since: FIRST_CYCLE },
  { name: "Azure", base: "https://noaagfs.blob.core.windows.net/gfs", youngerThan: 30 * DAY_S },
  {
    name: "NOMADS",
    base: "https://nomads.ncep.noaa.gov/pub/data/nccf/com/gfs/prod",
    youngerThan: 18 * HOUR_S,
    // 120 requests a minute are documented.
    requestsPerMinute: 100,
    throttledBy: [302],
  },
];

export const files = "gfs.{YYYY}{MM}{DD}/{HH}/atmos/gfs.t{HH}z.pgrb2.0p25.f{FFF}";

/** Names of version 17, which replaces version 16 at a date that is not known, as NOAA's public code has them in 2026. */
export const otherFiles = [
  "gfs.{YYYY}{MM}{DD}/{HH}/products/atmos/grib2/0p25/gfs.t{HH}z.pres_a.0p25.f{FFF}.grib2",
];
