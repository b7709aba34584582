import { meanUntil } from "#server/ingest/plan.ts";
import { fields as ofIfs } from "#server/ingest/publishers/ecmwf/fields.ts";
import {
  choice,
  type FieldRule,
  type GribParameter,
  grib,
  rule,
  scaled,
  unchanged,
} from "#server/ingest/sources/source.ts";

const words = "sfc";
const surface = { type: 1, words };
const at100m = { type: 103, value: 100, words };

// Bytes are those of messages of 0.25° in an index of 2025.
const u100: GribParameter = { codes: [0, 2, 2], element: "100u", bytes: 1_167_000 };
const v100: GribParameter = { codes: [0, 2, 3], element: "100v", bytes: 1_313_000 };
/** Rain since the base time: metres of water by ECMWF's own number, kg m-2 by WMO's. */
const tpMetres: GribParameter = { codes: [0, 1, 193], element: "tp", bytes: 653_000 };
const tp: GribParameter = { codes: [0, 1, 52], element: "tp", bytes: 653_000 };

/** Fields that the files have as those of IFS do. */
const shared: ReadonlySet<string> = new Set([
  "eastward_wind_10m",
  "northward_wind_10m",
  "air_temperature",
  "cloud_area_fraction",
  "air_pressure_at_mean_sea_level",
]);

/** Fields of the `oper-fc` files. The model has no gusts and no CAPE. */
export const fields: readonly FieldRule[] = [
  ...ofIfs.filter(({ field }) => shared.has(field)),
  rule("eastward_wind_100m", choice([grib(u100, at100m)], unchanged)),
  rule("northward_wind_100m", choice([grib(v100, at100m)], unchanged)),
  rule(
    "precipitation_flux",
    choice([grib(tpMetres, surface, "accumulation")], scaled(3600 * 1000), meanUntil),
    choice([grib(tp, surface, "accumulation")], scaled(3600), meanUntil),
  ),
];
