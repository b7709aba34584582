import type { Scan } from "./field.ts";

/**
 * Reorders values from the order of the message to that of `Grid`: rows south to north, columns west to east from the
 * grid's first column.
 *
 * @param values In the message's order, one per point. Not modified.
 */
export function toGridOrder(values: Float32Array, scan: Scan): Float32Array {
  const { columns, rows } = scan;
  const out = new Float32Array(values.length);
  if (scan.byColumn || scan.westward || scan.serpentine) {
    for (let index = 0; index < values.length; index++) out[gridIndex(scan, index)] = values[index]!;
    return out;
  }
  const { firstColumn } = scan;
  for (let row = 0; row < rows; row++) {
    const from = (scan.northward ? row : rows - 1 - row) * columns;
    const to = row * columns;
    out.set(values.subarray(from + firstColumn, from + columns), to);
    out.set(values.subarray(from, from + firstColumn), to + columns - firstColumn);
  }
  return out;
}

/** Index on the grid of the `index`-th value of the message. */
function gridIndex(scan: Scan, index: number): number {
  const { columns, rows } = scan;
  const lineLength = scan.byColumn ? rows : columns;
  const line = Math.floor(index / lineLength);
  let place = index % lineLength;
  if (scan.serpentine && line % 2 === 1) place = lineLength - 1 - place;
  let column = scan.byColumn ? line : place;
  let row = scan.byColumn ? place : line;
  if (scan.westward) column = columns - 1 - column;
  if (!scan.northward) row = rows - 1 - row;
  column -= scan.firstColumn;
  if (column < 0) column += columns;
  return row * columns + column;
}
