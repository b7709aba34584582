import type { Grid } from "@open-metocean/geo/grid";
import { HOUR_S } from "#lib/time.ts";
import { type Profile, partsAt, range } from "#server/ingest/feeds/field-feed.ts";
import { publisher } from "#server/ingest/publishers/publisher.ts";
import { contents, files, mirrors } from "./addresses.ts";
import { fields } from "./fields.ts";

const [ROWS, COLUMNS] = [1920, 2560];
const [row, column] = [180 / ROWS, 360 / COLUMNS];

/** Cell centres, about 10 km apart in middle latitudes. */
const grid: Grid = {
  latitude: { start: -90 + row / 2, step: row, count: ROWS },
  longitude: { start: -180 + column / 2, step: column, count: COLUMNS },
};

/**
 * Leads, hours. The runs of 06 and 18 UTC end at 66 h. A step of this grid has five times the nodes of one of 0.25°, so
 * only `full` has the hourly ones.
 */
function leads(cycle: number, profile: Profile): number[] {
  const last = cycle % (12 * HOUR_S) === 0 ? 168 : 66;
  if (profile === "lite") return range(0, Math.min(last, 120), 6);
  const first = profile === "full" ? [...range(0, 54, 1), ...range(57, 144, 3)] : range(0, 144, 3);
  return [...first, ...range(150, 168, 6)].filter((lead) => lead <= last);
}

/**
 * The Met Office's global deterministic model, the Unified Model at 10 km: one NetCDF file for each step and variable. It has
 * no waves. Not verified here: the hours at which the files appear (others see them after about six), and on which
 * longitudes the axis begins.
 */
export const ukmo = publisher({
  name: "ukmo",
  title: "Met Office global",
  model: "UKMO global",
  licence: "CC BY-SA 4.0",
  credit: "British Crown copyright, the Met Office, CC BY-SA 4.0",
  fields,
  feed: {
    grid,
    cycles: { every: 6 * HOUR_S, offset: 0 },
    delay: { first: 5 * HOUR_S, whole: 7 * HOUR_S },
    parts: (cycle, profile) => partsAt(cycle, leads(cycle, profile)),
    mirrors,
    files,
    contents,
  },
});
