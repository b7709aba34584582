import type { FileGrid } from "./grib-message.ts";
import type { Nodes } from "./wave-forms.ts";

/**
 * Resolution of the files, degrees. The real ones have 0.25, and 1/12 for currents; coarser ones are for quick tests.
 */
export type Resolution = 0.25 | 1 | 2.5 | 5;

/** Names under which NOAA publishes GFS: those of version 16, and of version 17, which has WMO's number for rain. */
export type GfsNames = "v16" | "v17";

export interface Planet {
  resolution: Resolution;
  /** Under which names a cycle of GFS is published; version 16 by default. @param cycle Unix seconds. */
  gfsNames?: (cycle: number) => readonly GfsNames[];
  /** Objects in place of those of the planet, by "host/path". */
  objects?: ReadonlyMap<string, Uint8Array>;
}

const EMPTY: Nodes = { latitudes: new Float64Array(0), longitudes: new Float64Array(0) };
const nodesOfGrid = new Map<string, Nodes>();

/** Coordinates of a grid's rows and columns. The same grid gives the same object. */
export function nodesOf(grid: FileGrid): Nodes {
  const key = JSON.stringify(grid);
  const found = nodesOfGrid.get(key) ?? EMPTY;
  if (found !== EMPTY) return found;
  const made = {
    latitudes: Float64Array.from({ length: grid.rows }, (_, row) => grid.latitude + row * grid.latitudeStep),
    longitudes: Float64Array.from(
      { length: grid.columns },
      (_, column) => grid.longitude + column * grid.longitudeStep,
    ),
  };
  nodesOfGrid.set(key, made);
  return made;
}

/** A global grid with nodes at the poles, north to south. @param west First longitude. */
export function globe(step: number, west: number): FileGrid {
  return {
    rows: Math.round(180 / step) + 1,
    columns: Math.round(360 / step),
    latitude: 90,
    latitudeStep: -step,
    longitude: west,
    longitudeStep: step,
  };
}
