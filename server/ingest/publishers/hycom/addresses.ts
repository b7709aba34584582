import type { Mirror, Part, PartObjects } from "#server/ingest/feeds/field-feed.ts";

const SERIES = "thredds/ncss/grid/FMRC_ESPC-D-V02_uv3z/FMRC_ESPC-D-V02_uv3z_best.ncd";

/**
 * First day under these names; another model had other names before. How much of its past the "best" series still has
 * is not known.
 */
const FIRST_DAY = Date.UTC(2024, 8, 5) / 1000;

// The service asks for at most two connections, and for no more than a day at once.
export const mirrors: readonly Mirror[] = [
  { name: "HYCOM", base: "https://ncss.hycom.org", requestsPerMinute: 20, since: FIRST_DAY },
];

/** A subset of the surface at the time of a part. @param stride Every n-th point of the grid. */
export function subset(part: Part, stride: number): PartObjects {
  const time = new Date(part.times[0]! * 1000).toISOString().replace(".000", "");
  const query = `var=water_u&var=water_v&vertCoord=0&time=${time}&horizStride=${stride}&accept=netcdf`;
  return { kind: "file", objects: [`${SERIES}?${query}`] };
}
