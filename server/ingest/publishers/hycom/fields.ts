import { choice, type FieldRule, rule, unchanged, variable } from "#server/ingest/sources/source.ts";

const velocity = (name: string) => choice([variable(name, "m s-1")], unchanged, "no tides were added");

/** Currents of the level nearest to the surface. */
export const fields: readonly FieldRule[] = [
  rule("surface_eastward_sea_water_velocity", velocity("water_u")),
  rule("surface_northward_sea_water_velocity", velocity("water_v")),
];
