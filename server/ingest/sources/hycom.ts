import { unchanged } from "./convert.ts";
import { choice, modelName, rule, type Source, variable } from "./source.ts";

const velocity = (name: string) => choice([variable(name, "m s-1")], unchanged, "no tides were added");

/** The US Navy's global ocean forecast ESPC-D-V02 by HYCOM.org: currents of the level nearest to the surface. */
export const hycom: Source = {
  name: "hycom",
  title: "HYCOM ESPC-D-V02: currents at the surface (NetCDF)",
  dataset: "Forecast",
  model: modelName("HYCOM ESPC"),
  rules: [
    rule("surface_eastward_sea_water_velocity", velocity("water_u")),
    rule("surface_northward_sea_water_velocity", velocity("water_v")),
  ],
};
