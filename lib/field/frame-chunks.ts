import type { ViewBox } from "@open-metocean/geo/box";
import { type Axis, coordinate, type Grid, wraps } from "@open-metocean/geo/grid";
import { FILL } from "#lib/catalog/fill.ts";
import { type Frame, numbersPerNode } from "./frame.ts";
import { type Cell, emptyCell, locate, MIN_VALID_WEIGHT } from "./interpolate.ts";

/** Nodes of a chunk along each axis; the last chunk of an axis may have fewer. */
export interface Chunking {
  rows: number;
  columns: number;
}

/**
 * A window of a grid, in nodes. On a grid that wraps around the globe it may extend past the last column and continue
 * with the first.
 */
export interface GridPart {
  row: number;
  rows: number;
  column: number;
  columns: number;
}

/** Name of the chunk that is the whole level. */
const WHOLE = "all";

/** The whole of a grid as a window. */
export function wholePart({ latitude, longitude }: Grid): GridPart {
  return { row: 0, rows: latitude.count, column: 0, columns: longitude.count };
}

/** The grid of a window. Its longitudes continue past 180 where it crosses the antimeridian. */
export function partGrid({ latitude, longitude }: Grid, part: GridPart): Grid {
  const axis = ({ start, step }: Axis, from: number, count: number) => ({
    start: start + from * step,
    step,
    count,
  });
  return {
    latitude: axis(latitude, part.row, part.rows),
    longitude: axis(longitude, part.column, part.columns),
  };
}

/**
 * The window of a chunk: `all`, or `<row>.<column>` of the chunk grid, counted from the south-west corner.
 *
 * @returns undefined for an unknown name.
 */
export function chunkPart(grid: Grid, chunking: Chunking, name: string): GridPart | undefined {
  if (name === WHOLE) return wholePart(grid);
  const match = /^(0|[1-9]\d{0,4})\.(0|[1-9]\d{0,4})$/.exec(name);
  if (!match) return undefined;
  const row = Number(match[1]) * chunking.rows;
  const column = Number(match[2]) * chunking.columns;
  const rows = Math.min(chunking.rows, grid.latitude.count - row);
  const columns = Math.min(chunking.columns, grid.longitude.count - column);
  return rows > 0 && columns > 0 ? { row, rows, column, columns } : undefined;
}

/** Names of all chunks of a level, row by row from the south-west corner; `all` if there is only one. */
export function chunkNames(grid: Grid, chunking: Chunking): string[] {
  const [rows, columns] = chunkCounts(grid, chunking);
  if (rows * columns === 1) return [WHOLE];
  return Array.from({ length: rows * columns }, (_, index) =>
    nameOf(Math.floor(index / columns), index % columns),
  );
}

/** Chunks that a view needs, and the smallest window of whole chunks that contains them. */
interface ChunksInView {
  names: string[];
  part: GridPart;
}

/**
 * The chunks of the nodes that a view is interpolated from.
 *
 * @returns undefined where no part of the grid is in the view.
 */
export function chunksInView(grid: Grid, chunking: Chunking, box: ViewBox): ChunksInView | undefined {
  const [, around] = chunkCounts(grid, chunking);
  const rows = span(box.south, box.north, grid.latitude, chunking.rows);
  const columns = wraps(grid.longitude)
    ? spanRound(box.west, box.east, grid.longitude, chunking.columns)
    : spanAside(box.west, box.east, grid.longitude, chunking.columns);
  if (!rows || !columns) return undefined;
  const part = {
    row: rows.first * chunking.rows,
    rows: nodesOf(rows, chunking.rows, grid.latitude.count),
    column: columns.first * chunking.columns,
    columns: nodesOf(columns, chunking.columns, grid.longitude.count),
  };
  if (chunkCounts(grid, chunking).every((count) => count === 1)) return { names: [WHOLE], part };
  const names: string[] = [];
  for (let row = rows.first; row < rows.first + rows.count; row++)
    for (let i = 0; i < columns.count; i++) names.push(nameOf(row, (columns.first + i) % around));
  return { names, part };
}

/** A range of chunks along one axis. */
interface Span {
  first: number;
  count: number;
}

const nameOf = (row: number, column: number) => `${row}.${column}`;

function chunkCounts(
  { latitude, longitude }: Grid,
  { rows, columns }: Chunking,
): [rows: number, columns: number] {
  return [Math.ceil(latitude.count / rows), Math.ceil(longitude.count / columns)];
}

/** Number of nodes in consecutive chunks; the last chunk of an axis is shorter. */
function nodesOf({ first, count }: Span, chunk: number, nodes: number): number {
  const chunks = Math.ceil(nodes / chunk);
  const hasLast = first + count >= chunks;
  return count * chunk - (hasLast ? chunks * chunk - nodes : 0);
}

/** The chunks that contain the nodes around an interval of a non-wrapping axis. */
function span(from: number, to: number, axis: Axis, chunk: number): Span | undefined {
  const low = Math.floor((from - axis.start) / axis.step);
  const high = Math.ceil((to - axis.start) / axis.step);
  if (high < 0 || low > axis.count - 1) return undefined;
  const first = Math.floor(Math.max(0, low) / chunk);
  return { first, count: Math.floor(Math.min(axis.count - 1, high) / chunk) - first + 1 };
}

/** The same as `span`, for the longitudes of a regional grid, which are shifted by whole turns to meet the view. */
function spanAside(west: number, east: number, axis: Axis, chunk: number): Span | undefined {
  let found: Span | undefined;
  for (const turn of [-720, -360, 0, 360, 720]) {
    const there = span(west + turn, east + turn, axis, chunk);
    if (!there) continue;
    const first = Math.min(found?.first ?? there.first, there.first);
    const end = Math.max(found ? found.first + found.count : 0, there.first + there.count);
    found = { first, count: end - first };
  }
  return found;
}

function spanRound(west: number, east: number, axis: Axis, chunk: number): Span {
  const chunks = Math.ceil(axis.count / chunk);
  const low = Math.floor((west - axis.start) / axis.step);
  const high = Math.ceil((east - axis.start) / axis.step);
  if (high - low >= axis.count) return { first: 0, count: chunks };
  const start = ((low % axis.count) + axis.count) % axis.count;
  const end = start + high - low;
  const first = Math.floor(start / chunk);
  const last = end < axis.count ? Math.floor(end / chunk) : chunks + Math.floor((end - axis.count) / chunk);
  const count = last - first + 1;
  return count >= chunks ? { first: 0, count: chunks } : { first, count };
}

/** A frame whose values are all missing. */
export function blankFrame(grid: Grid, { time, bands }: Pick<Frame, "time" | "bands">): Frame {
  const perNode = numbersPerNode(bands.length);
  const values = new Int16Array(grid.latitude.count * grid.longitude.count * perNode).fill(FILL);
  return { grid, time, bands, values, perNode };
}

/**
 * Copies a chunk to its place in a frame of the same spacing and bands; nodes outside the frame are skipped.
 *
 * @param frame Written. Its longitudes may continue past 180.
 */
export function pasteChunk(frame: Frame, chunk: Frame): void {
  const { latitude: rows, longitude: columns } = frame.grid;
  const { latitude: chunkRows, longitude: chunkColumns } = chunk.grid;
  const { perNode } = frame;
  const turn = Math.round(360 / columns.step);
  const south = Math.round((chunkRows.start - rows.start) / rows.step);
  const west = Math.round((chunkColumns.start - columns.start) / columns.step);
  for (const from of [west - turn, west, west + turn]) {
    const first = Math.max(0, from);
    const end = Math.min(columns.count, from + chunkColumns.count);
    if (first >= end) continue;
    for (let row = Math.max(0, south); row < Math.min(rows.count, south + chunkRows.count); row++) {
      const at = ((row - south) * chunkColumns.count + first - from) * perNode;
      const part = chunk.values.subarray(at, at + (end - first) * perNode);
      frame.values.set(part, (row * columns.count + first) * perNode);
    }
  }
}

/**
 * Fills a frame from a coarser one with the same bands, by the sampler of the API (bilinear over the valid corners),
 * rounded to stored numbers.
 *
 * @param frame Written.
 */
export function spreadCoarse(frame: Frame, coarse: Frame): void {
  const { latitude: rows, longitude: columns } = frame.grid;
  const { perNode, bands, values } = frame;
  const width = coarse.grid.longitude.count;
  const across = cellsOf(columns.count, (column, cell) =>
    locate(coarse.grid, coarse.grid.latitude.start, coordinate(columns, column), cell),
  );
  const along = cellsOf(rows.count, (row, cell) =>
    locate(coarse.grid, coordinate(rows, row), coarse.grid.longitude.start, cell),
  );
  for (let row = 0; row < rows.count; row++) {
    const lines = along[row];
    if (!lines) continue;
    const { northward } = lines;
    const south = lines.south * width;
    const north = lines.north * width;
    for (let column = 0; column < columns.count; column++) {
      const cell = across[column];
      if (!cell) continue;
      const { eastward, west, east } = cell;
      const at = (row * columns.count + column) * perNode;
      for (let band = 0; band < bands.length; band++) {
        let sum = 0;
        let weight = 0;
        for (let corner = 0; corner < 4; corner++) {
          const node = (corner < 2 ? south : north) + (corner % 2 === 0 ? west : east);
          const stored = coarse.values[node * perNode + band]!;
          const share =
            (corner < 2 ? 1 - northward : northward) * (corner % 2 === 0 ? 1 - eastward : eastward);
          if (stored === FILL || share === 0) continue;
          sum += share * stored;
          weight += share;
        }
        values[at + band] = weight >= MIN_VALID_WEIGHT ? Math.round(sum / weight) : FILL;
      }
    }
  }
}

/** The cell of each node of an axis; undefined for a node outside the grid. */
function cellsOf(count: number, find: (index: number, cell: Cell) => Cell | undefined): (Cell | undefined)[] {
  return Array.from({ length: count }, (_, index) => find(index, emptyCell()));
}
