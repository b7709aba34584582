import type { MessageGrid } from "./message.ts";

/** A grid of one distance of rows and one of columns, and how values of an answer are laid onto it. */
export interface RegularGrid extends MessageGrid {
  /** Column of the grid for each longitude of the answer; undefined where they are the same. */
  columnOf: Int32Array | undefined;
}

/** Part of a step by which a coordinate may be off. */
const TOLERANCE = 1e-3;

/**
 * The regular grid of an answer's nodes. A gap that a regional grid leaves in a box around the globe has columns too, which
 * are missing everywhere.
 *
 * @param latitude Degrees north, ascending. @param longitude Degrees east, west to east in any convention.
 * @throws RangeError where the nodes are not on a regular grid.
 */
export function regularGrid(latitude: Float64Array, longitude: Float64Array): RegularGrid {
  const travelled = longitude.map((value) => (((value - longitude[0]!) % 360) + 360) % 360);
  const across = stepOf(travelled);
  const along = stepOf(latitude);
  const columnOf = Int32Array.from(travelled, (value) => Math.round(value / across));
  const columns = columnOf.at(-1)! + 1;
  if (
    travelled.some(
      (value, i) => Math.abs(value / across - columnOf[i]!) > TOLERANCE * Math.max(1, columnOf[i]! / 10),
    )
  )
    throw new RangeError("The longitudes are not on a regular grid");
  return {
    rows: latitude.length,
    columns,
    south: latitude[0]!,
    north: latitude.at(-1)!,
    west: longitude[0]!,
    east: longitude.at(-1)!,
    latitudeStep: along,
    longitudeStep: across,
    columnOf: columns === longitude.length ? undefined : columnOf,
  };
}

/** Values of an answer on its regular grid, both (rows, columns) row-major; NaN = missing. */
export function onRegularGrid(grid: RegularGrid, values: Float64Array): Float64Array {
  const { columnOf, rows, columns } = grid;
  if (!columnOf) return values;
  const out = new Float64Array(rows * columns).fill(Number.NaN);
  for (let row = 0, at = 0; row < rows; row++)
    for (const column of columnOf) out[row * columns + column] = values[at++]!;
  return out;
}

/** The least distance; of a single place 1. Without gaps it is that of the ends, which have the least rounding error. */
function stepOf(ascending: Float64Array): number {
  const parts = ascending.length - 1;
  if (parts === 0) return 1;
  const mean = (ascending[parts]! - ascending[0]!) / parts;
  let least = Number.POSITIVE_INFINITY;
  for (let i = 1; i <= parts; i++) least = Math.min(least, ascending[i]! - ascending[i - 1]!);
  if (mean - least < TOLERANCE * mean) return mean;
  return (ascending[parts]! - ascending[0]!) / Math.round((ascending[parts]! - ascending[0]!) / least);
}
