import { depthBelow } from "./convert.ts";
import { choice, modelName, rule, type Source, variable } from "./source.ts";

/** NOAA's relief of the Earth: ETOPO 2022 (`z`), and FERRET's ETOPO20 (`ROSE`). Heights, positive up. */
export const etopo: Source = {
  name: "etopo",
  title: "NOAA ETOPO: depth of the sea floor (NetCDF)",
  dataset: "Static",
  model: modelName("ETOPO"),
  rules: [
    rule(
      "sea_floor_depth_below_sea_surface",
      ...["z", "ROSE"].map((name) => choice([variable(name, "m")], depthBelow)),
    ),
  ],
};
