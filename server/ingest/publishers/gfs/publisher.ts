import { HOUR_S } from "#lib/time.ts";
import { type Profile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { files, mirrors, otherFiles } from "./addresses.ts";
import { fields } from "./fields.ts";

/** Four cycles a day, seconds. */
export const cycles = { every: 6 * HOUR_S, offset: 0 };

/** Leads, hours: hourly to 120 h, then three-hourly to 384 h. */
export function leads(profile: Profile): number[] {
  if (profile === "lite") return range(0, 120, 3);
  // The last lead reaches ten days ahead of now: the newest complete cycle is at most twelve hours old, or a day if one
  // is left out.
  const last = profile === "standard" ? 264 : 384;
  return [...range(0, 120, 1), ...range(123, last, 3)];
}

/** NOAA's Global Forecast System at 0.25°. The first steps are available 3 h 35 min after the base time. */
export const gfs = publisher({
  name: "gfs",
  title: "NOAA GFS",
  model: "GFS",
  licence: "public domain",
  credit: "NOAA/NCEP, public domain",
  fields,
  feed: {
    inProfile: "lite",
    grid: around(0.25),
    cycles,
    delay: { first: 3 * HOUR_S + 35 * 60, whole: 5 * HOUR_S + 40 * 60 },
    parts: (cycle, profile) => partsAt(cycle, leads(profile)),
    mirrors,
    files,
    otherFiles,
    index: "wgrib2",
  },
});
