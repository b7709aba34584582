import { partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { credit, licence } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { mirrors } from "#server/ingest/publishers/ecmwfaifs/addresses.ts";
import { last, rhythm } from "#server/ingest/publishers/ecmwfaifs/publisher.ts";
import { fields } from "#server/ingest/publishers/ecmwfwave/fields.ts";
import { around, publisher } from "#server/ingest/publishers/publisher.ts";
import { files } from "./addresses.ts";

/**
 * Waves of ECMWF's AIFS Single, which version 2 of the model forecasts together with the weather: height, mean period and
 * direction of all waves, by the parameters of ECMWF's wave model. The files also have heights of waves whose periods
 * are in a range (product template 4.103), which are other quantities and are not fetched.
 */
export const ecmwfaifswave = publisher({
  name: "ecmwfaifswave",
  title: "ECMWF AIFS Single open data",
  remark: "six-hourly, by machine learning, with a true mean period",
  model: "ECMWF AIFS waves",
  system: "ecmwfaifs",
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
    // This is the mean of the messages in an index of June 2026; a file of ten has 8.1 MB.
    messageBytes: 790_000,
  },
});
