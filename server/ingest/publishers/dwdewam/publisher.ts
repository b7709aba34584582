import { byProfile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { filesOf, mirrors } from "#server/ingest/publishers/dwdgwam/addresses.ts";
import { fields } from "#server/ingest/publishers/dwdgwam/fields.ts";
import { credit, licence, rhythm } from "#server/ingest/publishers/dwdgwam/publisher.ts";
import { publisher } from "#server/ingest/publishers/publisher.ts";

/** Hours between steps. */
const every = byProfile(3, 1);

/** DWD's wave model EWAM (WAM) of the seas around Europe, hourly. */
export const dwdewam = publisher({
  name: "dwdewam",
  title: "DWD EWAM, European seas",
  remark: "with a true mean period",
  model: "DWD EWAM",
  licence,
  credit,
  fields,
  feed: {
    grid: {
      latitude: { start: 30, step: 0.05, count: 721 },
      longitude: { start: -10.5, step: 0.1, count: 526 },
    },
    ...rhythm,
    parts: (cycle, profile) => partsAt(cycle, range(0, 78, every[profile])),
    mirrors,
    files: filesOf("ewam"),
    index: "none",
    // About: the bytes a node of GWAM.
    messageBytes: 210_000,
  },
});
