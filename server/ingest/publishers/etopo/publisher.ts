import type { Grid } from "@open-metocean/geo/grid";
import { byProfile, partsAt } from "#server/ingest/feeds/field-feed.ts";
import { publisher } from "#server/ingest/publishers/publisher.ts";
import { COLUMNS, mirrors, ROWS, subset } from "./addresses.ts";
import { fields } from "./fields.ts";

/** Every n-th cell is fetched: 5′ or 2′. The whole relief would take more memory than the rest of the service. */
const stride = byProfile(5, 5, 2);

/** The grid of every n-th centre of the cells of 60″. */
function everyNth(n: number): Grid {
  const axis = (start: number, count: number) => ({ start: start + 1 / 120, step: n / 60, count: count / n });
  return { latitude: axis(-90, ROWS), longitude: axis(-180, COLUMNS) };
}

/**
 * ETOPO 2022, the surface at 60″, of which a server of NOAA sends every n-th cell. It never changes: its only cycle has
 * the base time 0.
 *
 * Not verified here: the names of dimensions and variable at this server (public code reads `z` of this data set), and
 * its largest answer.
 */
export const etopo = publisher({
  name: "etopo",
  title: "NOAA ETOPO 2022",
  model: "ETOPO",
  licence: "public domain",
  credit: "NOAA/NCEI, ETOPO 2022, https://doi.org/10.25921/fd45-gt74",
  dataset: "Static",
  fields,
  feed: {
    inProfile: "standard",
    grid: byProfile(everyNth(stride.lite), everyNth(stride.standard), everyNth(stride.full)),
    cycles: { every: Number.MAX_SAFE_INTEGER, offset: 0 },
    delay: { first: 0, whole: 0 },
    parts: (cycle) => partsAt(cycle, [0]),
    mirrors,
    objects: (_, profile) => subset(stride[profile]),
    partBytes: (profile) => (ROWS * COLUMNS * 4) / stride[profile] ** 2,
  },
});
