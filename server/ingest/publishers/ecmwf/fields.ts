import { meanUntil } from "#server/ingest/plan.ts";
import {
  choice,
  type FieldRule,
  type GribParameter,
  grib,
  type PlannedInput,
  rule,
  scaled,
  unchanged,
} from "#server/ingest/sources/source.ts";

const sfc = "sfc";
const surface = { type: 1, words: sfc };
const seaLevel = { type: 101, words: sfc };
const mostUnstableParcel = { type: 17, words: sfc };
const heightAbove = (metres: number) => ({ type: 103, value: metres, words: sfc });

// Bytes are those of messages of 0.25° in the index of a related model; others are estimates.
const u10: GribParameter = { codes: [0, 2, 2], element: "10u", bytes: 746_000 };
const v10: GribParameter = { codes: [0, 2, 3], element: "10v", bytes: 756_000 };
/** Maximum since the previous step of the model's output. The index names the length of its window at some leads. */
const fg10: GribParameter = {
  codes: [0, 2, 22],
  element: "10fg",
  alternatives: ["10fg3", "10fg6"],
  bytes: 800_000,
};
const msl: GribParameter = { codes: [0, 3, 0], element: "msl", bytes: 488_000 };
const t2: GribParameter = { codes: [0, 0, 0], element: "2t", bytes: 573_000 };
const mucape: GribParameter = { codes: [0, 7, 6], element: "mucape", bytes: 600_000 };
/** Rate, kg m-2 s-1, at an instant. The same number is kg m-2 as an accumulation. */
const tprate: GribParameter = { codes: [0, 1, 52], element: "tprate", bytes: 500_000 };
/**
 * ECMWF's own numbers, from its local table: metres of water, and fractions. WMO's numbers have kg m-2, and percent.
 */
const tpMetres: GribParameter = { codes: [0, 1, 193], element: "tp" };
const tp: GribParameter = { codes: [0, 1, 52], element: "tp" };
const tccFraction: GribParameter = { codes: [0, 6, 192], element: "tcc", bytes: 1_390_000 };
const tccPercent: GribParameter = { codes: [0, 6, 1], element: "tcc" };

/** Converts kg m-2 s-1 to kg m-2 h-1. */
const hourly = scaled(3600);
/** Converts metres of water per second to kg m-2 h-1. */
const hourlyFromMetres = scaled(3600 * 1000);

/** A note with the length of the window of which a value is the maximum. */
export function maximumUntil([input]: readonly PlannedInput[]): string {
  const time = input?.record.kind === "grib2" ? input.record.field.time : undefined;
  return `maximum of the ${time ? (time.end - time.start) / 3600 : 0} h that end at the valid time`;
}

/** Fields of the `oper-fc` files. */
export const fields: readonly FieldRule[] = [
  rule("eastward_wind_10m", choice([grib(u10, heightAbove(10))], unchanged)),
  rule("northward_wind_10m", choice([grib(v10, heightAbove(10))], unchanged)),
  rule("wind_speed_of_gust", choice([grib(fg10, heightAbove(10), "maximum")], unchanged, maximumUntil)),
  rule(
    "precipitation_flux",
    choice([grib(tprate, surface)], hourly),
    choice([grib(tpMetres, surface, "accumulation")], hourlyFromMetres, meanUntil),
    choice([grib(tp, surface, "accumulation")], hourly, meanUntil),
  ),
  rule(
    "atmosphere_convective_available_potential_energy",
    choice([grib(mucape, mostUnstableParcel)], unchanged),
  ),
  rule("air_temperature", choice([grib(t2, heightAbove(2))], scaled(1, -273.15))),
  rule(
    "cloud_area_fraction",
    choice([grib(tccFraction, surface)], scaled(100)),
    choice([grib(tccPercent, surface)], unchanged),
  ),
  rule("air_pressure_at_mean_sea_level", choice([grib(msl, seaLevel)], scaled(0.01))),
];
