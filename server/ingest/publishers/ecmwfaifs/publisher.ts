import { HOUR_S } from "#lib/time.ts";
import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { credit, licence, rhythm } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { files, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

/** The longest lead, hours. A run has 15 days. */
const last = byProfile(120, 240, 360);

/**
 * ECMWF's AIFS Single, a forecast by machine learning: six-hourly, so that its rain is the mean of six hours.
 *
 * Not verified here: where the waves of version 2 are, which are therefore not fetched, and the hours at which steps appear
 * (public code waits for 6 h to 7.5 h).
 */
export const ecmwfaifs = publisher({
  name: "ecmwfaifs",
  title: "ECMWF AIFS Single open data",
  remark: "six-hourly, by machine learning",
  model: "ECMWF AIFS",
  licence,
  credit,
  fields,
  feed: {
    grid: around(0.25),
    cycles: rhythm.cycles,
    delay: { first: 6 * HOUR_S, whole: 7.5 * HOUR_S },
    parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 6)),
    mirrors,
    files,
    index: "ecmwf",
    absentAtStart: ["precipitation_flux"],
  },
});
