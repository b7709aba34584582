import { type Place, RADIANS } from "@open-metocean/geo/sphere";
import {
  type CellNumber,
  edgesOf,
  CELL as FILE_CELL,
  COLUMNS as FILE_COLUMNS,
  isCellEdge,
  type PackedPolygons,
  STEPS,
  unpackRing,
} from "#lib/places/coast-cells.ts";

/** Cells of land and sea, degrees: rows from the south pole, columns from 180° W. */
export const CELL_DEGREES = 0.05;
export const ROWS = 3600;
export const COLUMNS = 7200;

/** A place in a cell. @param up, right Offset from its south and west edges, as shares of the cell. */
export function placeIn(row: number, column: number, up: number, right: number): Place {
  return {
    latitude: hundredThousandths(-90 + (row + up) * CELL_DEGREES),
    longitude: hundredThousandths(-180 + (wrapped(column) + right) * CELL_DEGREES),
  };
}

export function rowOf(latitude: number): number {
  return Math.max(0, Math.min(ROWS - 1, Math.floor((latitude + 90) / CELL_DEGREES)));
}

/** Column with its fraction, in any turn around the Earth. */
export function columnOf(longitude: number): number {
  return (longitude + 180) / CELL_DEGREES;
}

/** Normalises a column of any turn around the Earth to one of the raster. */
export function wrapped(column: number, columns = COLUMNS): number {
  return ((column % columns) + columns) % columns;
}

export function hundredThousandths(degrees: number): number {
  return Math.round(degrees * 1e5) / 1e5;
}

export function hasBit(bits: Uint8Array, cell: number): boolean {
  return ((bits[cell >> 3]! >> (cell & 7)) & 1) === 1;
}

export function setBit(bits: Uint8Array, cell: number): void {
  bits[cell >> 3]! |= 1 << (cell & 7);
}

/** Coordinate steps of the coast per raster cell, and raster cells per side of a coast file. */
const CELL_STEPS = CELL_DEGREES * STEPS;
const FILE_CELLS = Math.round(FILE_CELL.longitude / CELL_DEGREES);

/** An edge also counts in cells that it misses by this share of a cell, so that rounding loses none. */
const SLACK = 1e-6;

/** The nearest point of the coast from a place: its distance, and its offset to the north and east, n mi. */
export interface CoastNear {
  miles: number;
  north: number;
  east: number;
}

interface Edges {
  /** Cells with edges, ascending: row × `FILE_CELLS` + column, from the corner of the file. */
  cells: Uint16Array;
  /** Index at which the edges of each cell begin. */
  starts: Uint32Array;
  /** x and y of both ends of each edge, in steps from 180° W and from the south pole. */
  ends: Int32Array;
}

/**
 * The coastline in cells of the raster, from the files that the map shows (Natural Earth 1:10 million). Files
 * are read when they are first needed.
 */
export class Coastline {
  readonly #read: (file: CellNumber) => PackedPolygons;
  readonly #files = new Map<CellNumber, Edges>();

  /** @param read Returns the polygons of a file; none if it is entirely sea or land. */
  constructor(read: (file: CellNumber) => PackedPolygons) {
    this.#read = read;
  }

  /**
   * Whether a straight line meets the coast within a cell, or an edge that extends beyond the cell.
   *
   * @param x0, y0, x1, y1 Ends of the line, in columns and rows of the same turn as the column.
   */
  meets(row: number, column: number, [x0, y0, x1, y1]: readonly [number, number, number, number]): boolean {
    const turn = column - wrapped(column);
    const [ax, ay] = [(x0 - turn) * CELL_STEPS, y0 * CELL_STEPS];
    const [bx, by] = [(x1 - turn) * CELL_STEPS, y1 * CELL_STEPS];
    const { ends, first, last } = this.#edgesIn(row, wrapped(column));
    for (let at = first; at < last; at += 4) {
      const [px, py, qx, qy] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
      const p = (bx - ax) * (py - ay) - (by - ay) * (px - ax);
      const q = (bx - ax) * (qy - ay) - (by - ay) * (qx - ax);
      if (p * q > 0) continue;
      const a = (qx - px) * (ay - py) - (qy - py) * (ax - px);
      const b = (qx - px) * (by - py) - (qy - py) * (bx - px);
      if (a * b <= 0) return true;
    }
    return false;
  }

  /**
   * Number of times that the coast is crossed within a cell on the way from a point along its row.
   *
   * @param x, y The point, in columns and rows.
   * @param sense 1 to the east, -1 to the west.
   */
  crossings(row: number, column: number, x: number, y: number, sense: 1 | -1): number {
    const [fromX, lineY] = [x * CELL_STEPS, y * CELL_STEPS];
    const { ends, first, last } = this.#edgesIn(row, column);
    let count = 0;
    for (let at = first; at < last; at += 4) {
      const [px, py, qx, qy] = [ends[at]!, ends[at + 1]!, ends[at + 2]!, ends[at + 3]!];
      if (py > lineY === qy > lineY) continue;
      const crossing = px + ((lineY - py) / (qy - py)) * (qx - px);
      if (Math.floor(crossing / CELL_STEPS) === column && sense * (crossing - fromX) > 0) count++;
    }
    return count;
  }

  /**
   * The point of the coast in a cell that is nearest to a point; undefined if the cell has none.
   *
   * @param x, y The point, in columns and rows of the same turn as the column.
   */
  nearestIn(row: number, column: number, x: number, y: number): CoastNear | undefined {
    const [atX, atY] = [(x - column + wrapped(column)) * CELL_STEPS, y * CELL_STEPS];
    const shrink = Math.cos((y * CELL_DEGREES - 90) * RADIANS);
    const { ends, first, last } = this.#edgesIn(row, wrapped(column));
    let [least, east, north] = [Number.POSITIVE_INFINITY, 0, 0];
    for (let at = first; at < last; at += 4) {
      const [px, py] = [(ends[at]! - atX) * shrink, ends[at + 1]! - atY];
      const [dx, dy] = [(ends[at + 2]! - ends[at]!) * shrink, ends[at + 3]! - ends[at + 1]!];
      const length = dx * dx + dy * dy;
      const share = length > 0 ? Math.max(0, Math.min(1, -(px * dx + py * dy) / length)) : 0;
      const steps = Math.hypot(px + share * dx, py + share * dy);
      if (steps < least) [least, east, north] = [steps, px + share * dx, py + share * dy];
    }
    if (last === first) return undefined;
    return { miles: (least / STEPS) * 60, north: (north / STEPS) * 60, east: (east / STEPS) * 60 };
  }

  #edgesIn(row: number, column: number): { ends: Int32Array; first: number; last: number } {
    const file = Math.floor(row / FILE_CELLS) * FILE_COLUMNS + Math.floor(column / FILE_CELLS);
    const edges = this.#edgesOf(file);
    const cell = (row % FILE_CELLS) * FILE_CELLS + (column % FILE_CELLS);
    const { cells, starts, ends } = edges;
    let [low, high] = [0, cells.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if (cells[middle]! < cell) low = middle + 1;
      else high = middle;
    }
    if (cells[low] !== cell) return { ends, first: 0, last: 0 };
    return { ends, first: starts[low]!, last: starts[low + 1]! };
  }

  #edgesOf(file: CellNumber): Edges {
    const known = this.#files.get(file);
    if (known) return known;
    const edges = edgesByCell(file, this.#read(file));
    this.#files.set(file, edges);
    return edges;
  }
}

function edgesByCell(file: CellNumber, polygons: PackedPolygons): Edges {
  const lists = new Map<number, number[]>();
  for (const [cell, edge] of cellsOfEdges(file, polygons)) {
    const list = lists.get(cell);
    if (list) list.push(...edge);
    else lists.set(cell, [...edge]);
  }
  const cells = Uint16Array.from(lists.keys()).sort();
  const starts = new Uint32Array(cells.length + 1);
  for (const [at, cell] of cells.entries()) starts[at + 1] = starts[at]! + lists.get(cell)!.length;
  const ends = new Int32Array(starts.at(-1)!);
  for (const [at, cell] of cells.entries()) ends.set(lists.get(cell)!, starts[at]!);
  return { cells, starts, ends };
}

type Edge = readonly [x0: number, y0: number, x1: number, y1: number];

/** The cells of a file, counted within it, each with every coast edge that touches it, in steps. */
export function* cellsOfEdges(file: CellNumber, polygons: PackedPolygons): Generator<[cell: number, Edge]> {
  const edges = edgesOf(file);
  const isCut = isCellEdge(edges);
  const [west, south] = [(edges.west + 180) / CELL_DEGREES, (edges.south + 90) / CELL_DEGREES];
  for (const ring of polygons.flat().map(unpackRing))
    for (let at = 1; at < ring.length; at++) {
      const [from, to] = [ring[at - 1]!, ring[at]!];
      if (isCut(from, to)) continue;
      const [[x0, y0], [x1, y1]] = [inSteps(from), inSteps(to)];
      const [left, right] = [x0 / CELL_STEPS - west, x1 / CELL_STEPS - west];
      const [low, high] = [y0 / CELL_STEPS - south, y1 / CELL_STEPS - south];
      const xAt = (y: number) => (low === high ? left : left + ((y - low) / (high - low)) * (right - left));
      const [lowest, highest] = [Math.min(low, high), Math.max(low, high)];
      const lastRow = Math.min(FILE_CELLS - 1, Math.floor(highest + SLACK));
      for (let row = Math.max(0, Math.floor(lowest - SLACK)); row <= lastRow; row++) {
        const [bottom, top] = [Math.max(lowest, row), Math.min(highest, row + 1)];
        const [one, other] = low === high ? [left, right] : [xAt(bottom), xAt(Math.max(bottom, top))];
        const last = Math.min(FILE_CELLS - 1, Math.floor(Math.max(one, other) + SLACK));
        for (let column = Math.max(0, Math.floor(Math.min(one, other) - SLACK)); column <= last; column++)
          yield [row * FILE_CELLS + column, [x0, y0, x1, y1]];
      }
    }
}

function inSteps([longitude = 0, latitude = 0]: readonly number[]): [x: number, y: number] {
  return [Math.round((longitude + 180) * STEPS), Math.round((latitude + 90) * STEPS)];
}

/** The raster cell of a cell of a file. */
export function rasterCell(file: CellNumber, cell: number): { row: number; column: number } {
  return {
    row: Math.floor(file / FILE_COLUMNS) * FILE_CELLS + Math.floor(cell / FILE_CELLS),
    column: (file % FILE_COLUMNS) * FILE_CELLS + (cell % FILE_CELLS),
  };
}

const WIDTH = COLUMNS / 8;

/**
 * Packs both masks into one: the bits of each row are stored as their difference from the row to the south,
 * which compresses better.
 */
export function packMasks(closed: Uint8Array, coastal: Uint8Array): Uint8Array {
  const packed = new Uint8Array(closed.length + coastal.length);
  for (const [index, bits] of [closed, coastal].entries())
    packed.set(
      bits.map((byte, at) => byte ^ (at < WIDTH ? 0 : bits[at - WIDTH]!)),
      index * closed.length,
    );
  return packed;
}

/** @param packed From `packMasks`; it is changed in place, and the results are views of it. */
export function unpackMasks(packed: Uint8Array): { closed: Uint8Array; coastal: Uint8Array } {
  const half = packed.length / 2;
  const [closed, coastal] = [packed.subarray(0, half), packed.subarray(half)];
  for (const bits of [closed, coastal])
    for (let at = WIDTH; at < bits.length; at++) bits[at]! ^= bits[at - WIDTH]!;
  return { closed, coastal };
}
