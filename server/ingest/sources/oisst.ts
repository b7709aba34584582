import { unchanged } from "./convert.ts";
import { choice, modelName, rule, type Source, variable } from "./source.ts";

/**
 * NOAA's daily OISST v2.1 analysis, valid at 12 UTC.
 *
 * All days form one run, named by the latest, so that a later ingest of more days is the newer run. The latest day stays
 * valid for two weeks, because the sea changes slowly and preliminary files may be late. Of a preliminary and a final
 * file of one day the final one is taken: its name sorts first.
 */
export const oisst: Source = {
  name: "oisst",
  title: "NOAA OISST v2.1: daily sea surface temperature from infrared satellites (NetCDF)",
  dataset: "Forecast",
  model: modelName("OISST v2.1"),
  baseTimeFrom: "last",
  validFor: 14 * 86_400,
  rules: [
    rule(
      "sea_surface_temperature",
      choice([variable("sst", "degC")], unchanged, "daily analysis; the latest day is persisted"),
    ),
  ],
};
