import { HOUR_S } from "#lib/time.ts";
import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { filesOf, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

export const licence = "CC BY 4.0";
export const credit = "Source: Deutscher Wetterdienst, CC BY 4.0";

/** Two cycles a day. Not verified here: the hours at which the files appear. */
export const rhythm = {
  cycles: { every: 12 * HOUR_S, offset: 0 },
  delay: { first: 6 * HOUR_S, whole: 9 * HOUR_S },
};

/** The longest lead, hours. */
const last = byProfile(120, 174);

/** DWD's global wave model GWAM (WAM), three-hourly. */
export const dwdgwam = publisher({
  name: "dwdgwam",
  title: "DWD GWAM",
  remark: "with a true mean period",
  model: "DWD GWAM",
  licence,
  credit,
  fields,
  feed: {
    grid: around(0.25, -85.25, 89.25),
    ...rhythm,
    parts: (cycle, profile) => partsAt(cycle, range(0, last[profile], 3)),
    mirrors,
    files: filesOf("gwam"),
    index: "none",
    // About: 7.2 MB for the 13 files of a step.
    messageBytes: 550_000,
  },
});
