import { DAY_S, HOUR_S } from "#lib/time.ts";
import { partsAt } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { daily, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

/**
 * NOAA's daily analysis of sea temperature from infrared satellites, valid at 12 UTC. A preliminary file appears after
 * a day or two. The final one replaces it after two weeks, and is used where it exists.
 *
 * All days of files that are ingested by hand form one run, named by the latest day, so that a later ingest of more
 * days is the newer run. The latest day stays valid for two weeks, because the sea changes slowly and preliminary files
 * may be late. If a day has both files, the final one is used, because its name sorts first.
 */
export const oisst = publisher({
  name: "oisst",
  title: "NOAA OISST v2.1",
  remark: "daily, by infrared satellites",
  model: "OISST v2.1",
  licence: "public domain",
  credit: "NOAA/NCEI, OISST v2.1, https://doi.org/10.25921/RE9P-PT57",
  fields,
  baseTimeFrom: "last",
  validFor: 14 * DAY_S,
  feed: {
    inProfile: "standard",
    grid: around(0.25, -89.875, 89.875),
    cycles: { every: DAY_S, offset: 12 * HOUR_S },
    delay: { first: 24 * HOUR_S, whole: 48 * HOUR_S },
    parts: (cycle) => partsAt(cycle, [0]),
    mirrors,
    objects: daily,
    partBytes: () => 1_600_000,
  },
});
