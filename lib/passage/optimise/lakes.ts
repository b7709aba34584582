import type { Place } from "#lib/geo/sphere.ts";
import type { Coast } from "./coast.ts";
import { COLUMNS, columnOf, ROWS, rowOf, wrapped } from "./raster.ts";

/** Water of more cells is taken for the ocean: the Caspian has about 17,000. */
const MAX_LAKE = 40_000;

/** Cells between two pauses. */
const CELLS_PER_TURN = 4000;

/** Whether one of two places lies in a lake, and the other does not lie in the same: there is no way by water. */
export function* areApart(coast: Coast, from: Place, to: Place): Generator<void, boolean, void> {
  const [start, end] = [cellOf(from), cellOf(to)];
  return (yield* isLakeWithout(coast, start, end)) || (yield* isLakeWithout(coast, end, start));
}

/** Whether all water about a cell is few cells, and another is not among them. */
function* isLakeWithout(coast: Coast, start: number, other: number): Generator<void, boolean, void> {
  const known = new Set([start]);
  let looked = 0;
  for (const cell of known) {
    if (++looked % CELLS_PER_TURN === 0) yield;
    if (cell === other || known.size > MAX_LAKE) return false;
    const [row, column] = [Math.floor(cell / COLUMNS), cell % COLUMNS];
    for (let r = Math.max(0, row - 1); r <= Math.min(ROWS - 1, row + 1); r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (coast.isSea(r, c) || coast.isByLine(r, c)) known.add(r * COLUMNS + wrapped(c));
  }
  return true;
}

function cellOf({ latitude, longitude }: Place): number {
  return rowOf(latitude) * COLUMNS + wrapped(Math.floor(columnOf(longitude)));
}
