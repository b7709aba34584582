import { DAY_S, HOUR_S } from "#lib/time.ts";
import { type FieldFeed, fill, partsAt } from "#server/ingest/feeds/field-feed.ts";
import { choice, modelName, rule, type Source, unchanged, variable } from "./source.ts";

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

const FIRST_DAY = Date.UTC(1981, 8, 1) / 1000;

/**
 * NOAA's daily analysis of sea temperature, valid at 12 UTC. A preliminary file appears after a day or two; the final
 * one replaces it after two weeks, and is taken where it is there.
 */
export const oisstFeed: FieldFeed = {
  name: "oisst",
  title: "NOAA OISST v2.1 0.25°: daily sea surface temperature",
  credit: "NOAA/NCEI, OISST v2.1, https://doi.org/10.25921/RE9P-PT57",
  source: oisst,
  cycles: { every: DAY_S, offset: 12 * HOUR_S },
  delay: { first: 24 * HOUR_S, whole: 48 * HOUR_S },
  mirrors: [
    {
      name: "NCEI",
      base: "https://www.ncei.noaa.gov/data/sea-surface-temperature-optimum-interpolation/v2.1/access",
      since: FIRST_DAY,
    },
    {
      name: "AWS",
      base: "https://noaa-cdr-sea-surface-temp-optimum-interpolation-pds.s3.amazonaws.com/data/v2.1",
      since: FIRST_DAY,
    },
  ],
  parts: (cycle) => partsAt(cycle, [0]),
  objects(part) {
    const name = fill("avhrr/{YYYY}{MM}/oisst-avhrr-v02r01.{YYYY}{MM}{DD}", part);
    return { kind: "file", objects: [`${name}.nc`, `${name}_preliminary.nc`] };
  },
  partBytes: () => 1_600_000,
};
