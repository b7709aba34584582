import type { Position } from "geojson";

/**
 * The 1:10 million coast is stored in one file per cell, of which a view loads the visible ones.
 * `scripts/build-coast.ts` writes them, the map's worker reads them.
 */

/** Size of a cell, degrees. */
export const CELL = { longitude: 10, latitude: 10 } as const;

/** Cells around the earth, and from pole to pole. */
export const COLUMNS = 360 / CELL.longitude;
export const ROWS = 180 / CELL.latitude;

/** Overlap of the land of adjacent cells, degrees, so that no line of sea shows between them. */
export const OVERLAP = 0.01;

/** Coordinate steps per degree. */
export const STEPS = 1000;

/** Edges of a cell, degrees. */
export interface CellEdges {
  west: number;
  east: number;
  south: number;
  north: number;
}

/** Number of a cell, counted in rows from the south pole and columns from 180° W. */
export type CellNumber = number;

/** Edges of a cell without the overlap. */
export function edgesOf(cell: CellNumber): CellEdges {
  const west = -180 + (cell % COLUMNS) * CELL.longitude;
  const south = -90 + Math.floor(cell / COLUMNS) * CELL.latitude;
  return { west, east: west + CELL.longitude, south, north: south + CELL.latitude };
}

/** Name of the file of a cell. */
export function cellFile(cell: CellNumber): string {
  return `${cell}.json`;
}

/**
 * The cells in a view, each once.
 *
 * @param box Its west is below −180 or its east above 180 if it crosses the antimeridian.
 */
export function cellsIn(box: CellEdges): CellNumber[] {
  const first = Math.floor((box.west + 180) / CELL.longitude);
  const last = Math.min(first + COLUMNS - 1, Math.ceil((box.east + 180) / CELL.longitude) - 1);
  const south = Math.max(0, Math.floor((box.south + 90) / CELL.latitude));
  const north = Math.min(ROWS - 1, Math.ceil((box.north + 90) / CELL.latitude) - 1);
  const cells: CellNumber[] = [];
  for (let row = south; row <= north; row++) {
    for (let column = first; column <= last; column++) {
      cells.push(row * COLUMNS + (((column % COLUMNS) + COLUMNS) % COLUMNS));
    }
  }
  return cells;
}

/**
 * Polygons of a file: each ring as its first point in steps, then the differences from each point to the
 * next, interleaved.
 */
export type PackedPolygons = number[][][];

export function packRing(ring: readonly Position[]): number[] {
  const packed: number[] = [];
  let [lastX, lastY] = [0, 0];
  for (const [longitude = 0, latitude = 0] of ring) {
    const [x, y] = [Math.round(longitude * STEPS), Math.round(latitude * STEPS)];
    if (packed.length > 0 && x === lastX && y === lastY) continue;
    packed.push(x - lastX, y - lastY);
    [lastX, lastY] = [x, y];
  }
  return packed;
}

export function unpackRing(packed: readonly number[]): Position[] {
  const ring: Position[] = [];
  let [x, y] = [0, 0];
  for (let at = 0; at < packed.length; at += 2) {
    x += packed[at] ?? 0;
    y += packed[at + 1] ?? 0;
    ring.push([x / STEPS, y / STEPS]);
  }
  return ring;
}

/**
 * Tells which edges of a ring are not coast: those along the cuts between cells, on the antimeridian, and at
 * the south pole.
 */
export function isCellEdge({ west, east, south, north }: CellEdges) {
  const [w, e, s, n] = [west - OVERLAP, east + OVERLAP, south - OVERLAP, north + OVERLAP];
  const on = (one: number, other: number, line: number) =>
    Math.abs(one - line) < 0.5 / STEPS && Math.abs(other - line) < 0.5 / STEPS;
  return ([x0 = 0, y0 = 0]: Position, [x1 = 0, y1 = 0]: Position): boolean =>
    on(x0, x1, w) ||
    on(x0, x1, e) ||
    on(y0, y1, s) ||
    on(y0, y1, n) ||
    on(Math.abs(x0), Math.abs(x1), 180) ||
    (y0 <= -89.9 && y1 <= -89.9);
}
