import { HOUR_S } from "#lib/time.ts";
import { partsAt } from "#server/ingest/feeds/field-feed.ts";
import { mirrors } from "#server/ingest/publishers/gfs/addresses.ts";
import { cycles, leads } from "#server/ingest/publishers/gfs/publisher.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { files, otherFiles } from "./addresses.ts";
import { fields } from "./fields.ts";

/** NOAA's GFS-Wave (WAVEWATCH III), `global.0p25` files of the GFS cycles. They follow the atmosphere within an hour. */
export const gfswave = publisher({
  name: "gfswave",
  title: "NOAA GFS-Wave",
  model: "GFS-Wave",
  system: "gfs",
  licence: "public domain",
  credit: "NOAA/NCEP, public domain",
  fields,
  // Its period is close to the peak period, while the other publishers have a true mean period.
  lastFor: ["wave"],
  feed: {
    inProfile: "lite",
    grid: around(0.25),
    cycles,
    delay: { first: 4 * HOUR_S, whole: 5 * HOUR_S + 40 * 60 },
    parts: (cycle, profile) => partsAt(cycle, leads(profile)),
    mirrors,
    files,
    otherFiles,
    index: "wgrib2",
    // This is an estimate from 12 MB for the 19 messages of a step.
    messageBytes: 630_000,
  },
});
