import { meanUntil } from "#server/ingest/plan.ts";
import { maximumUntil } from "#server/ingest/publishers/ecmwf/fields.ts";
import { choice, type FieldRule, grib, rule, scaled, unchanged } from "#server/ingest/sources/source.ts";

// The files have no index: names of elements are those of eccodes, for people.
const words = "";
const surface = { type: 1, words };
const wholeAtmosphere = { type: 10, words };
const seaLevel = { type: 101, words };
const heightAbove = (metres: number) => ({ type: 103, value: metres, words });
const parameter = (element: string, category: number, number: number) => ({
  codes: [0, category, number] as const,
  element,
});

/** Numbers of total precipitation since the base time, kg m-2: WMO's, and the one that it replaces. */
const totals = [52, 8];

/**
 * Fields of the surface package SP1. Gusts are the maximum since the hour before. Two numbers are in use for total
 * precipitation; eccodes does not know that of cloud cover, which is WMO's, in percent.
 */
export const fields: readonly FieldRule[] = [
  rule("eastward_wind_10m", choice([grib(parameter("10u", 2, 2), heightAbove(10))], unchanged)),
  rule("northward_wind_10m", choice([grib(parameter("10v", 2, 3), heightAbove(10))], unchanged)),
  rule(
    "wind_speed_of_gust",
    choice([grib(parameter("max_i10fg", 2, 22), heightAbove(10), "maximum")], unchanged, maximumUntil),
  ),
  rule(
    "precipitation_flux",
    ...totals.map((number) =>
      choice([grib(parameter("tp", 1, number), surface, "accumulation")], scaled(3600), meanUntil),
    ),
  ),
  rule("air_temperature", choice([grib(parameter("2t", 0, 0), heightAbove(2))], scaled(1, -273.15))),
  rule(
    "cloud_area_fraction",
    ...[surface, wholeAtmosphere].map((level) => choice([grib(parameter("tcc", 6, 1), level)], unchanged)),
  ),
  rule("air_pressure_at_mean_sea_level", choice([grib(parameter("prmsl", 3, 1), seaLevel)], scaled(0.01))),
];
