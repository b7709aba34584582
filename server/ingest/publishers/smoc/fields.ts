import { choice, type FieldRule, rule, sum, unchanged, variable } from "#server/ingest/sources/source.ts";

/**
 * Sea water velocity toward east or north, the most complete combination first: circulation, tides and Stokes drift.
 */
function current(total: string, circulation: string, tide: string, stokes: string) {
  const velocity = (name: string) => variable(name, "m s-1");
  return [
    choice([velocity(total)], unchanged),
    choice([velocity(circulation), velocity(tide), velocity(stokes)], sum),
    choice([velocity(circulation), velocity(tide)], sum, "without Stokes drift"),
    choice([velocity(circulation)], unchanged, "without tides and Stokes drift"),
  ];
}

/** Surface currents by the names of Copernicus Marine. */
export const fields: readonly FieldRule[] = [
  rule("surface_eastward_sea_water_velocity", ...current("utotal", "uo", "utide", "vsdx")),
  rule("surface_northward_sea_water_velocity", ...current("vtotal", "vo", "vtide", "vsdy")),
];
