import type { Mirror, PartObjects } from "#server/ingest/feeds/field-feed.ts";

/** Rows and columns of the relief at 60″. */
export const ROWS = 10_800;
export const COLUMNS = 21_600;

export const mirrors: readonly Mirror[] = [
  { name: "OceanWatch", base: "https://oceanwatch.pifsc.noaa.gov/erddap/griddap", requestsPerMinute: 10 },
];

/** Every n-th cell of the relief. */
export function subset(n: number): PartObjects {
  const every = (cells: number) => `%5B0:${n}:${cells - 1}%5D`;
  return { kind: "file", objects: [`ETOPO_2022_v1_60s.nc?z${every(ROWS)}${every(COLUMNS)}`] };
}
