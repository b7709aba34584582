import { byProfile, type FieldFeed, type PartObjects, partsAt } from "#server/ingest/feeds/field-feed.ts";
import { choice, depthBelow, modelName, rule, type Source, variable } from "./source.ts";

/** NOAA's relief of the Earth: ETOPO 2022 (`z`), and FERRET's ETOPO20 (`ROSE`). Heights, positive up. */
export const etopo: Source = {
  name: "etopo",
  title: "NOAA ETOPO: depth of the sea floor (NetCDF)",
  dataset: "Static",
  model: modelName("ETOPO"),
  rules: [
    rule(
      "sea_floor_depth_below_sea_surface",
      ...["z", "ROSE"].map((name) => choice([variable(name, "m")], depthBelow)),
    ),
  ],
};

/** Rows and columns of the relief at 60″. */
const ROWS = 10_800;
const COLUMNS = 21_600;

/** Every n-th cell: 5′ or 2′. The whole relief takes more memory than the rest of the service. */
const stride = byProfile(5, 5, 2);

/**
 * ETOPO 2022, the surface at 60″, of which a server of NOAA sends every n-th cell. It never changes: its only cycle has
 * the base time 0.
 *
 * Not verified here: the names of dimensions and variable at this server (public code reads `z` of this data set), and
 * its largest answer.
 */
export const etopoFeed: FieldFeed = {
  name: "etopo",
  title: "NOAA ETOPO 2022: depth of the sea floor",
  resolution: byProfile("1/12°", "1/12°", "1/30°"),
  nodes: byProfile(4320 * 2160, 4320 * 2160, 10_800 * 5400),
  credit: "NOAA/NCEI, ETOPO 2022, https://doi.org/10.25921/fd45-gt74",
  source: etopo,
  cycles: { every: Number.MAX_SAFE_INTEGER, offset: 0 },
  delay: { first: 0, whole: 0 },
  mirrors: [
    { name: "OceanWatch", base: "https://oceanwatch.pifsc.noaa.gov/erddap/griddap", requestsPerMinute: 10 },
  ],
  parts: (cycle) => partsAt(cycle, [0]),
  objects(_, profile): PartObjects {
    const every = (cells: number) => `%5B0:${stride[profile]}:${cells - 1}%5D`;
    return { kind: "file", objects: [`ETOPO_2022_v1_60s.nc?z${every(ROWS)}${every(COLUMNS)}`] };
  },
  partBytes: (profile) => (ROWS * COLUMNS * 4) / stride[profile] ** 2,
};
