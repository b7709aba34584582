import { distanceKm, greatCircle, MILE_KM, type Place, placeOf, RADIANS } from "#lib/geo/sphere.ts";

/** Cells of the mask of land, degrees: rows from the south pole, columns from 180° W. */
export const CELL_DEGREES = 0.05;
export const ROWS = 3600;
export const COLUMNS = 7200;

/** Cells of a block, which tells how far the next land is. */
const BLOCK = 20;
const [BLOCK_ROWS, BLOCK_COLUMNS] = [ROWS / BLOCK, COLUMNS / BLOCK];
/** Blocks that are looked at around each. */
const FARTHEST = 12;

/** A great circle is followed in parts of this length, n mi, which are as good as straight on the raster. */
const PART_MILES = 10;

/** Bits of each row as their difference from the row south of it, which compresses better. */
export function differenced(bits: Uint8Array): Uint8Array {
  const width = COLUMNS / 8;
  return bits.map((byte, at) => byte ^ (at < width ? 0 : bits[at - width]!));
}

/** Land and sea in cells of 0.05°. */
export class Coast {
  readonly #bits: Uint8Array;
  /** For each block the number of blocks in all directions that are free of land, itself included. */
  readonly #open: Uint8Array;

  /** @param bits One a cell, 1 on land, row-major. */
  constructor(bits: Uint8Array) {
    this.#bits = bits;
    this.#open = openBlocks(bits);
  }

  /** @param packed As from `differenced`; changed in place. */
  static unpack(packed: Uint8Array): Coast {
    const width = COLUMNS / 8;
    for (let at = width; at < packed.length; at++) packed[at]! ^= packed[at - width]!;
    return new Coast(packed);
  }

  isLand({ latitude, longitude }: Place): boolean {
    return this.isLandCell(rowOf(latitude), Math.floor(columnOf(longitude)));
  }

  /** @param column Of any turn around the Earth. */
  isLandCell(row: number, column: number): boolean {
    const cell = row * COLUMNS + wrapped(column, COLUMNS);
    return ((this.#bits[cell >> 3]! >> (cell & 7)) & 1) === 1;
  }

  /** Whether a great circle crosses no cell of land, those of its ends included. */
  isClear(from: Place, to: Place): boolean {
    const miles = distanceKm(from, to) / MILE_KM;
    const place = miles > PART_MILES ? greatCircle(from, to) : undefined;
    let at = from;
    for (let gone = 0; ; ) {
      const open = this.#openMiles(at);
      const next = Math.min(miles, gone + Math.max(PART_MILES, open));
      const end = next === miles || !place ? to : placeOf(place(next / miles));
      if (next - gone > open && !this.#isClearPart(at, end)) return false;
      if (next === miles) return true;
      [gone, at] = [next, end];
    }
  }

  /** The middle of the nearest cell of water; undefined where there is none within the radius, n mi. */
  nearestWater(place: Place, withinMiles: number): Place | undefined {
    if (!this.isLand(place)) return place;
    const rows = Math.ceil(withinMiles / 60 / CELL_DEGREES);
    const [row, column] = [rowOf(place.latitude), Math.floor(columnOf(place.longitude))];
    let [best, found]: [number, Place | undefined] = [withinMiles * MILE_KM, undefined];
    for (let r = Math.max(0, row - rows); r <= Math.min(ROWS - 1, row + rows); r++) {
      const stretch = 1 / Math.max(0.05, Math.cos(centreOf(r, 0).latitude * RADIANS));
      const columns = Math.min(COLUMNS / 2, Math.ceil(rows * stretch));
      for (let c = column - columns; c <= column + columns; c++) {
        if (this.isLandCell(r, c)) continue;
        const centre = centreOf(r, c);
        const km = distanceKm(place, centre);
        if (km < best) [best, found] = [km, centre];
      }
    }
    return found;
  }

  /** Miles from a place in any direction that are known to be free of land. */
  #openMiles({ latitude, longitude }: Place): number {
    const row = Math.floor(rowOf(latitude) / BLOCK);
    const open = this.#open[row * BLOCK_COLUMNS + Math.floor(wrapped(columnOf(longitude), COLUMNS) / BLOCK)]!;
    // Half of what the meridians allow here: they converge on the way.
    return open <= 1 ? 0 : 30 * (open - 1) * Math.cos(latitude * RADIANS);
  }

  /** Every cell that a straight line on the raster touches (Amanatides and Woo 1987). */
  #isClearPart(from: Place, to: Place): boolean {
    const [y0, y1] = [(from.latitude + 90) / CELL_DEGREES, (to.latitude + 90) / CELL_DEGREES];
    const x0 = columnOf(from.longitude);
    let dx = columnOf(to.longitude) - x0;
    if (dx > COLUMNS / 2) dx -= COLUMNS;
    if (dx < -COLUMNS / 2) dx += COLUMNS;
    const dy = y1 - y0;
    let [row, column] = [Math.min(ROWS - 1, Math.floor(y0)), Math.floor(x0)];
    const [lastRow, lastColumn] = [Math.min(ROWS - 1, Math.floor(y1)), Math.floor(x0 + dx)];
    const [stepX, stepY] = [Math.sign(dx), Math.sign(dy)];
    let nextX =
      dx === 0 ? Number.POSITIVE_INFINITY : (stepX > 0 ? column + 1 - x0 : x0 - column) / Math.abs(dx);
    let nextY = dy === 0 ? Number.POSITIVE_INFINITY : (stepY > 0 ? row + 1 - y0 : y0 - row) / Math.abs(dy);
    for (let left = Math.abs(lastRow - row) + Math.abs(lastColumn - column); ; left--) {
      if (this.isLandCell(row, column)) return false;
      if (left <= 0) return true;
      if (nextX < nextY) {
        column += stepX;
        nextX += 1 / Math.abs(dx);
      } else {
        row = Math.max(0, Math.min(ROWS - 1, row + stepY));
        nextY += 1 / Math.abs(dy);
      }
    }
  }
}

/** The middle of a cell. */
export function centreOf(row: number, column: number): Place {
  const longitude = -180 + (wrapped(column, COLUMNS) + 0.5) * CELL_DEGREES;
  return {
    latitude: hundredThousandths(-90 + (row + 0.5) * CELL_DEGREES),
    longitude: hundredThousandths(longitude),
  };
}

export function rowOf(latitude: number): number {
  return Math.max(0, Math.min(ROWS - 1, Math.floor((latitude + 90) / CELL_DEGREES)));
}

/** With its fraction; of any turn around the Earth. */
export function columnOf(longitude: number): number {
  return (longitude + 180) / CELL_DEGREES;
}

export function hundredThousandths(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

function wrapped(column: number, columns: number): number {
  return ((column % columns) + columns) % columns;
}

function openBlocks(bits: Uint8Array): Uint8Array {
  const hasLand = new Uint8Array(BLOCK_ROWS * BLOCK_COLUMNS);
  for (let at = 0; at < bits.length; at++)
    if (bits[at] !== 0) {
      const row = Math.floor((at * 8) / COLUMNS / BLOCK);
      // Eight cells lie in two blocks at most.
      for (const cell of [at * 8, at * 8 + 7])
        hasLand[row * BLOCK_COLUMNS + Math.floor((cell % COLUMNS) / BLOCK)] = 1;
    }
  const open = new Uint8Array(hasLand.length);
  let free: Uint8Array = hasLand.map((land) => 1 - land);
  for (let radius = 1; radius <= FARTHEST; radius++) {
    for (let block = 0; block < open.length; block++) open[block]! += free[block]!;
    free = shrunk(free);
  }
  return open;
}

/** Blocks that are free, as are the eight around them. */
function shrunk(free: Uint8Array): Uint8Array {
  return free.map((one, block) => {
    if (one === 0) return 0;
    const [row, column] = [Math.floor(block / BLOCK_COLUMNS), block % BLOCK_COLUMNS];
    for (let r = Math.max(0, row - 1); r <= Math.min(BLOCK_ROWS - 1, row + 1); r++)
      for (let c = column - 1; c <= column + 1; c++)
        if (free[r * BLOCK_COLUMNS + wrapped(c, BLOCK_COLUMNS)] === 0) return 0;
    return 1;
  });
}
