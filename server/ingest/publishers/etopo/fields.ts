import { choice, depthBelow, type FieldRule, rule, variable } from "#server/ingest/sources/source.ts";

/** Heights, positive up, of ETOPO 2022 (`z`) and of FERRET's ETOPO20 (`ROSE`). */
export const fields: readonly FieldRule[] = [
  rule(
    "sea_floor_depth_below_sea_surface",
    ...["z", "ROSE"].map((name) => choice([variable(name, "m")], depthBelow)),
  ),
];
