import { DAY_S } from "#lib/time.ts";
import type { Mirror } from "#server/ingest/feeds/field-feed.ts";

/** The only host. It has the cycles of about two days. */
export const mirrors: readonly Mirror[] = [
  {
    name: "DWD",
    base: "https://opendata.dwd.de/weather/maritime/wave_models",
    youngerThan: 1.5 * DAY_S,
    requestsPerMinute: 120,
  },
];

/** Template of the files of a model, one for each step and parameter, packed by bzip2. */
export function filesOf(model: "gwam" | "ewam"): string {
  return `${model}/grib/{HH}/{param}/${model.toUpperCase()}_{PARAM}_{YYYY}{MM}{DD}{HH}_{FFF}.grib2.bz2`;
}
