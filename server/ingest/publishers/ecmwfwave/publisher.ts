import { partsAt } from "#server/ingest/feeds/field-feed.ts";
import { filesOf, mirrors } from "#server/ingest/publishers/ecmwf/addresses.ts";
import { credit, leads, licence, rhythm } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { fields } from "./fields.ts";

/** ECMWF's open data of its wave model, at 0.25°. */
export const ecmwfwave = publisher({
  name: "ecmwfwave",
  title: "ECMWF WAM open data",
  remark: "with a true mean period",
  model: "ECMWF WAM",
  system: "ecmwf",
  licence,
  credit,
  fields,
  feed: {
    inProfile: "standard",
    grid: around(0.25),
    ...rhythm,
    parts: (cycle, profile) => partsAt(cycle, leads(cycle, profile)),
    mirrors,
    files: (part) => filesOf("wave", part),
    index: "ecmwf",
    // This is an estimate from 8.7 MB for 11 messages in a file of a related model.
    messageBytes: 790_000,
  },
});
