import { credit, licence } from "#server/ingest/publishers/ecmwf/publisher.ts";
import { mirrors } from "#server/ingest/publishers/ecmwfens/addresses.ts";
import { plansOf, rhythm, size } from "#server/ingest/publishers/ecmwfens/publisher.ts";
import { fields } from "#server/ingest/publishers/ecmwfwave/fields.ts";
import { ensemble } from "#server/ingest/publishers/ensemble.ts";

/** Waves of ECMWF's ensemble, by the parameters of its wave model. */
export const ecmwfenswave = ensemble({
  name: "ecmwfenswave",
  system: "ecmwfens",
  title: "ECMWF ENS waves open data",
  remark: "with a true mean period",
  model: "ECMWF ENS waves",
  licence,
  credit,
  size,
  fields,
  index: "ecmwf",
  // This is the estimate for the waves of the deterministic forecast.
  messageBytes: 790_000,
  ...rhythm,
  mirrors,
  plans: plansOf("waef"),
});
