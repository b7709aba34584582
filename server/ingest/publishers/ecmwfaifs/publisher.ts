import { HOUR_S } from "#lib/time.ts";
import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { credit, licence, rhythm as ofIfs } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { files, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

/** The longest lead, hours. Every run has 15 days. */
export const last = byProfile(120, 240, 360);

/** Publication times of weather and waves. Public code saw whole runs after 5:45 h, and waits for up to 7.5 h. */
export const rhythm = {
  cycles: ofIfs.cycles,
  delay: { first: 5.75 * HOUR_S, whole: 7.5 * HOUR_S },
};

/**
 * ECMWF's AIFS Single, a forecast by machine learning: six-hourly, so that its rain is the mean of six hours. It has no
 * gusts.
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
    ...rhythm,
    parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 6)),
    mirrors,
    files,
    index: "ecmwf",
    absentAtStart: ["precipitation_flux"],
  },
});
