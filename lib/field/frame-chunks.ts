import { type Axis, type Grid, wraps } from "./grid.ts";

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

/** A view in degrees, `west` < `east`; `east` is beyond 180 where the view crosses the antimeridian. */
export interface ViewBox {
  south: number;
  north: number;
  west: number;
  east: number;
}

/** Name of the chunk that is the whole level. */
export const WHOLE = "all";

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

/** Names of all chunks of a level, row by row from the south-west corner; `all` where there is one. */
export function chunkNames(grid: Grid, chunking: Chunking): string[] {
  const [rows, columns] = chunkCounts(grid, chunking);
  if (rows * columns === 1) return [WHOLE];
  return Array.from({ length: rows * columns }, (_, index) =>
    nameOf(Math.floor(index / columns), index % columns),
  );
}

/** Chunks that a view needs, and the smallest window of whole chunks that contains them. */
export interface ChunksInView {
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

/** Chunks of one axis. */
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

/** Nodes of consecutive chunks; the last chunk of an axis is shorter. */
function nodesOf({ first, count }: Span, chunk: number, nodes: number): number {
  const chunks = Math.ceil(nodes / chunk);
  const hasLast = first + count >= chunks;
  return count * chunk - (hasLast ? chunks * chunk - nodes : 0);
}

/** Chunks of the nodes around an interval of an axis that does not wrap. */
function span(from: number, to: number, axis: Axis, chunk: number): Span | undefined {
  const low = Math.floor((from - axis.start) / axis.step);
  const high = Math.ceil((to - axis.start) / axis.step);
  if (high < 0 || low > axis.count - 1) return undefined;
  const first = Math.floor(Math.max(0, low) / chunk);
  return { first, count: Math.floor(Math.min(axis.count - 1, high) / chunk) - first + 1 };
}

/** The same for the longitudes of a regional grid, shifted by whole turns to where it meets the view. */
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
