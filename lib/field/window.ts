import type { Box } from "@open-metocean/geo/box";
import { type Axis, coordinate, type Grid } from "@open-metocean/geo/grid";

/** The nodes of a grid inside a box, with their coordinates. */
export interface GridWindow {
  /** First row, and the number of consecutive rows. */
  firstRow: number;
  rows: number;
  /** Columns of the grid, west to east. */
  columns: Int32Array;
  /** Degrees north, ascending. */
  latitude: Float64Array;
  /** Degrees east, −180..180, in the order of `columns`. */
  longitude: Float64Array;
}

/**
 * A node within this distance of an edge counts as on the edge, degrees, because axes are sums of steps with
 * rounding errors.
 */
const EDGE = 1e-9;

/**
 * Coordinates are rounded to this many parts of a degree, which removes the rounding errors of such a sum.
 */
const COORDINATE_DIGITS = 1e12;

/**
 * The nodes inside a box, edges included. An axis without a node inside contributes the node nearest to the
 * middle of the box.
 *
 * No meridian occurs twice: 180 is written as 180 if it is the east edge of the box, otherwise as −180.
 */
export function windowOf(grid: Grid, box: Box): GridWindow {
  const { firstRow, rows } = rowsInside(grid.latitude, box.south, box.north);
  const { columns, longitude } = columnsInside(grid.longitude, box.west, eastOf(box));
  const latitude = Float64Array.from({ length: rows }, (_, i) =>
    tidy(coordinate(grid.latitude, firstRow + i)),
  );
  return { firstRow, rows, columns, latitude, longitude };
}

/** The east edge of a box, beyond 180 if the box crosses the antimeridian. */
function eastOf({ west, east }: Box): number {
  return west > east ? east + 360 : east;
}

function rowsInside(axis: Axis, south: number, north: number): { firstRow: number; rows: number } {
  const last = axis.count - 1;
  const from = Math.max(0, Math.ceil((south - EDGE - axis.start) / axis.step));
  const to = Math.min(last, Math.floor((north + EDGE - axis.start) / axis.step));
  if (from <= to) return { firstRow: from, rows: to - from + 1 };
  const middle = Math.round(((south + north) / 2 - axis.start) / axis.step);
  return { firstRow: Math.max(0, Math.min(last, middle)), rows: 1 };
}

function columnsInside(axis: Axis, west: number, east: number): Pick<GridWindow, "columns" | "longitude"> {
  const inside: { column: number; travelled: number }[] = [];
  let nearest = { column: 0, travelled: 0 };
  let least = Number.POSITIVE_INFINITY;
  const middle = (east - west) / 2;
  for (let column = 0; column < axis.count; column++) {
    const travelled = eastwards(coordinate(axis, column) - west);
    if (travelled <= east - west + EDGE) inside.push({ column, travelled });
    const apart = Math.abs(shortest(travelled - middle));
    if (apart < least - EDGE) {
      least = apart;
      nearest = { column, travelled: middle + shortest(travelled - middle) };
    }
  }
  const found = inside.length > 0 ? inside.sort((a, b) => a.travelled - b.travelled) : [nearest];
  return {
    columns: Int32Array.from(found, ({ column }) => column),
    longitude: Float64Array.from(found, ({ travelled }) => written(west + travelled, east)),
  };
}

/** Degrees to travel east, 0 ≤ d < 360; a rounding error below 0 becomes 0. */
export function eastwards(degrees: number): number {
  const turned = ((degrees % 360) + 360) % 360;
  return turned > 360 - EDGE ? 0 : turned;
}

/** An equivalent turn in −180 < d ≤ 180. */
function shortest(degrees: number): number {
  const turned = eastwards(degrees);
  return turned > 180 ? turned - 360 : turned;
}

/** @param longitude Degrees from the west edge on, −360..540. @param east East edge of the box, likewise. */
function written(longitude: number, east: number): number {
  const tidied = tidy(longitude);
  if (tidied === 180 && east <= 180) return 180;
  if (tidied >= 180) return tidy(tidied - 360);
  return tidied < -180 ? tidy(tidied + 360) : tidied;
}

/** Removes rounding errors and −0. */
function tidy(degrees: number): number {
  return Math.round(degrees * COORDINATE_DIGITS) / COORDINATE_DIGITS + 0;
}
