import { DAY_S } from "#lib/time.ts";
import { asItIs } from "./convert.ts";
import { modelName, type Source, variable } from "./source.ts";

/**
 * NOAA's daily OISST v2.1 analysis, valid at 12 UTC.
 *
 * Days make one run, named by the latest: a later ingest of more days is the newer run. The latest day stays valid for
 * two weeks, because the sea changes slowly and preliminary files may come late. Of a preliminary and a final file of
 * one day the final is taken: its name sorts first.
 */
export const oisst: Source = {
  name: "oisst",
  title: "NOAA OISST v2.1: daily sea surface temperature from infrared satellites (NetCDF)",
  dataset: "Forecast",
  model: modelName("OISST v2.1"),
  namedBy: "last",
  holds: 14 * DAY_S,
  rules: [
    {
      field: "sea_surface_temperature",
      choices: [
        {
          needs: [variable("sst", "degC")],
          convert: asItIs,
          comment: "daily analysis; the latest day is persisted",
        },
      ],
    },
  ],
};
