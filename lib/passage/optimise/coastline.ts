import { type Place, RADIANS } from "@open-metocean/geo/sphere";
import { LRUCache } from "lru-cache";
import {
  LAND_ZOOM,
  type LandTile,
  MAX_TILE_LATITUDE,
  mercatorLatitude,
  mercatorX,
  mercatorY,
} from "#lib/places/land-tile.ts";

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

/** Coordinate steps of the coast per degree, and per raster cell. */
const STEPS = 1e6;
const CELL_STEPS = Math.round(CELL_DEGREES * STEPS);

/** Raster cells along the side of a block of one degree, and blocks around the Earth: edges are sorted into cells by blocks. */
const BLOCK_CELLS = Math.round(1 / CELL_DEGREES);
const BLOCK_COLUMNS = COLUMNS / BLOCK_CELLS;

/** Memory for the edges of blocks, bytes. */
const BLOCK_CACHE_BYTES = 16e6;

/** Tiles from side to side of the map. */
const TILES = 2 ** LAND_ZOOM;

/** An edge also counts in cells that it misses by this share of a cell, so that rounding loses none. */
const SLACK = 1e-6;

/** The nearest point of the coast from a place: its distance, and its offset to the north and east, n mi. */
export interface CoastNear {
  miles: number;
  north: number;
  east: number;
}

interface Edges {
  /** Cells with edges, ascending: row × `BLOCK_CELLS` + column, from the corner of the block. */
  cells: Uint16Array;
  /** Index at which the edges of each cell begin. */
  starts: Uint32Array;
  /** x and y of both ends of each edge, in steps from 180° W and from the south pole. */
  ends: Int32Array;
}

/** Number of a block, counted in rows from the south pole and columns from 180° W. */
export type BlockNumber = number;

/** The coastline in cells of the raster, from the finest tiles of the map, which are read when they are first needed. */
export class Coastline {
  readonly #tileAt: (x: number, y: number) => LandTile;
  readonly #blocks = new LRUCache<BlockNumber, Edges>({
    maxSize: BLOCK_CACHE_BYTES,
    sizeCalculation: ({ ends }) => 300 + ends.byteLength,
  });

  /** @param tileAt Reads a tile of the zoom `LAND_ZOOM`, which has no land where the archive has no tile. */
  constructor(tileAt: (x: number, y: number) => LandTile) {
    this.#tileAt = tileAt;
  }

  /** Whether a place is on land, as the map fills it. */
  isLand({ latitude, longitude }: Place): boolean {
    if (Math.abs(latitude) >= MAX_TILE_LATITUDE) return latitude < 0;
    const [x, y] = [wrapped(mercatorX(longitude) * TILES, TILES), mercatorY(latitude) * TILES];
    const [column, row] = [Math.floor(x), Math.floor(y)];
    return this.#tileAt(column, row).isLand(x - column, y - row);
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
      const [toEast, toNorth] = [px + share * dx, py + share * dy];
      const squared = toEast * toEast + toNorth * toNorth;
      if (squared < least) [least, east, north] = [squared, toEast, toNorth];
    }
    if (last === first) return undefined;
    return { miles: (Math.sqrt(least) / STEPS) * 60, north: (north / STEPS) * 60, east: (east / STEPS) * 60 };
  }

  #edgesIn(row: number, column: number): { ends: Int32Array; first: number; last: number } {
    const block = Math.floor(row / BLOCK_CELLS) * BLOCK_COLUMNS + Math.floor(column / BLOCK_CELLS);
    const edges = this.#edgesOf(block);
    const cell = (row % BLOCK_CELLS) * BLOCK_CELLS + (column % BLOCK_CELLS);
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

  #edgesOf(block: BlockNumber): Edges {
    const known = this.#blocks.get(block);
    if (known) return known;
    const edges = edgesByCell(this.cellsOfEdges(block));
    this.#blocks.set(block, edges);
    return edges;
  }

  /** The cells of a block, counted within it, each with every edge of the coast that touches it, in steps. */
  *cellsOfEdges(block: BlockNumber): Generator<[cell: number, Edge]> {
    const [west, south] = [block % BLOCK_COLUMNS, Math.floor(block / BLOCK_COLUMNS)];
    const tileRow = (latitude: number) => {
      const within = Math.max(-MAX_TILE_LATITUDE, Math.min(MAX_TILE_LATITUDE, latitude));
      return Math.min(TILES - 1, Math.max(0, Math.floor(mercatorY(within) * TILES)));
    };
    const last = Math.min(TILES - 1, Math.floor(((west + 1) / BLOCK_COLUMNS) * TILES));
    for (let y = tileRow(south - 89); y <= tileRow(south - 90); y++)
      for (let x = Math.floor((west / BLOCK_COLUMNS) * TILES); x <= last; x++)
        for (const [x0, y0, x1, y1] of this.#tileAt(x, y).coast()) {
          const edge: Edge = [inStepsX(x + x0), inStepsY(y + y0), inStepsX(x + x1), inStepsY(y + y1)];
          yield* cellsOf(edge, west * BLOCK_CELLS, south * BLOCK_CELLS);
        }
  }
}

function edgesByCell(edges: Iterable<[cell: number, Edge]>): Edges {
  const lists = new Map<number, number[]>();
  for (const [cell, edge] of edges) {
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

/** The cells of a block that an edge touches. @param west, south Column and row of the corner of the block. */
function* cellsOf(edge: Edge, west: number, south: number): Generator<[cell: number, Edge]> {
  const [left, low, right, high] = edge.map(
    (steps, axis) => steps / CELL_STEPS - (axis % 2 === 0 ? west : south),
  ) as [number, number, number, number];
  const xAt = (y: number) => (low === high ? left : left + ((y - low) / (high - low)) * (right - left));
  const [lowest, highest] = [Math.min(low, high), Math.max(low, high)];
  const lastRow = Math.min(BLOCK_CELLS - 1, Math.floor(highest + SLACK));
  for (let row = Math.max(0, Math.floor(lowest - SLACK)); row <= lastRow; row++) {
    const [bottom, top] = [Math.max(lowest, row), Math.min(highest, row + 1)];
    const [one, other] = low === high ? [left, right] : [xAt(bottom), xAt(Math.max(bottom, top))];
    const last = Math.min(BLOCK_CELLS - 1, Math.floor(Math.max(one, other) + SLACK));
    for (let column = Math.max(0, Math.floor(Math.min(one, other) - SLACK)); column <= last; column++)
      yield [row * BLOCK_CELLS + column, edge];
  }
}

/** Steps from 180° W. @param x Columns of tiles. */
function inStepsX(x: number): number {
  return Math.round((x / TILES) * 360 * STEPS);
}

/** Steps from the south pole. @param y Rows of tiles. */
function inStepsY(y: number): number {
  return Math.round((mercatorLatitude(y / TILES) + 90) * STEPS);
}

/** The raster cell of a cell of a block. */
export function rasterCell(block: BlockNumber, cell: number): { row: number; column: number } {
  return {
    row: Math.floor(block / BLOCK_COLUMNS) * BLOCK_CELLS + Math.floor(cell / BLOCK_CELLS),
    column: (block % BLOCK_COLUMNS) * BLOCK_CELLS + (cell % BLOCK_CELLS),
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
