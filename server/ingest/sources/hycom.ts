import { DAY_S, HOUR_S } from "#lib/time.ts";
import { byProfile, type FieldFeed, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { choice, modelName, rule, type Source, unchanged, variable } from "./source.ts";

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

const SERIES = "thredds/ncss/grid/FMRC_ESPC-D-V02_uv3z/FMRC_ESPC-D-V02_uv3z_best.ncd";

/** Before, another model had other names. How much of its past the "best" series still has is not known. */
const FIRST_DAY = Date.UTC(2024, 8, 5) / 1000;

/** Every n-th point of the grid of 0.08° × 0.04°: its whole surface is more than a subset service should be asked for. */
const stride = byProfile(6, 3);
const days = byProfile(5, 7);
const everyHours = byProfile(6, 3);

/** Columns and rows of the grid, and 16 bits of each of two components. */
const GRID_BYTES = 4500 * 4251 * 2 * 2;

/**
 * HYCOM's "best" series, in place of SMOC: one subset a step by the NetCDF Subset Service, in plain HTTPS.
 *
 * The series has of every time the newest run's value; which run that was is not asked, and the base time is ours. Not
 * verified here: the form of the request against the service of today (public code uses it so), its largest subset, the
 * hours at which runs appear, and whether the model has tides. None are added.
 */
export const hycomFeed: FieldFeed = {
  name: "hycom",
  title: "HYCOM ESPC-D-V02: surface currents",
  resolution: byProfile("0.24° × 0.48°", "0.12° × 0.24°"),
  nodes: byProfile(750 * 709, 1500 * 1417),
  credit: "HYCOM.org, US Navy ESPC-D-V02, public domain",
  source: hycom,
  cycles: { every: DAY_S, offset: 12 * HOUR_S },
  delay: { first: 30 * HOUR_S, whole: 36 * HOUR_S },
  // The service asks for at most two connections, and for no more than a day at once.
  mirrors: [{ name: "HYCOM", base: "https://ncss.hycom.org", requestsPerMinute: 20, since: FIRST_DAY }],
  parts: (cycle, profile) => partsAt(cycle, range(0, days[profile] * 24, everyHours[profile])),
  objects(part, profile) {
    const time = new Date(part.times[0]! * 1000).toISOString().replace(".000", "");
    const query = `var=water_u&var=water_v&vertCoord=0&time=${time}&horizStride=${stride[profile]}&accept=netcdf`;
    return { kind: "file", objects: [`${SERIES}?${query}`] };
  },
  partBytes: (profile) => Math.round(GRID_BYTES / stride[profile] ** 2),
};
