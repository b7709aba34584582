import { choice, type FieldRule, rule, unchanged, variable } from "#server/ingest/sources/source.ts";

export const fields: readonly FieldRule[] = [
  rule(
    "sea_surface_temperature",
    choice([variable("sst", "degC")], unchanged, "daily analysis; the latest day is persisted"),
  ),
];
