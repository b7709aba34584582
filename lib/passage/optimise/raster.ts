import type { Place } from "#lib/geo/sphere.ts";

/** Cells of land and sea, degrees: rows from the south pole, columns from 180° W. */
export const CELL_DEGREES = 0.05;
export const ROWS = 3600;
export const COLUMNS = 7200;

/** A place in a cell. @param up, right Shares of the cell from its south and west edges. */
export function placeIn(row: number, column: number, up: number, right: number): Place {
  return {
    latitude: hundredThousandths(-90 + (row + up) * CELL_DEGREES),
    longitude: hundredThousandths(-180 + (wrapped(column) + right) * CELL_DEGREES),
  };
}

export function rowOf(latitude: number): number {
  return Math.max(0, Math.min(ROWS - 1, Math.floor((latitude + 90) / CELL_DEGREES)));
}

/** With its fraction; of any turn around the Earth. */
export function columnOf(longitude: number): number {
  return (longitude + 180) / CELL_DEGREES;
}

/** A column of any turn around the Earth as one of the raster. */
export function wrapped(column: number, columns = COLUMNS): number {
  return ((column % columns) + columns) % columns;
}

export function hundredThousandths(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

/** Whether a bit of a mask is set. */
export function hasBit(bits: Uint8Array, cell: number): boolean {
  return ((bits[cell >> 3]! >> (cell & 7)) & 1) === 1;
}

export function setBit(bits: Uint8Array, cell: number): void {
  bits[cell >> 3]! |= 1 << (cell & 7);
}
