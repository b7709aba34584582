import { FILL } from "#lib/catalog/fill.ts";
import { blendCorners, blendSteps, bracket, type Cell, emptyCell, locate } from "#lib/field/interpolate.ts";
import { type ChunkCache, NOT_LOADED } from "./chunks.ts";
import type { PointArray } from "./open-arrays.ts";

/** Returned in place of a value if a chunk that it needs is not in the cache. (A value is finite or NaN, never this.) */
export const NOT_CACHED = Number.POSITIVE_INFINITY;

const scratch = emptyCell();

/**
 * The field at a place and a time, bilinear in space, then linear between the field's own steps.
 *
 * @param member Position of the member to read; 0 of a field without members.
 * @returns NaN if missing or outside the grid; `NOT_CACHED` if a chunk has to be loaded first.
 */
export function sampleAt(
  array: PointArray,
  cache: ChunkCache,
  latitude: number,
  longitude: number,
  time: number,
  member: number,
): number {
  const cell = locate(array.grid, latitude, longitude, scratch);
  if (!cell) return Number.NaN;
  if (array.isStatic) return valueOfStep(array, cache, cell, 0, member);
  const steps = bracket(array.stepTimes, time, array.validFor);
  if (!steps) return Number.NaN;
  const before = valueOfStep(array, cache, cell, array.stepIndices[steps.before]!, member);
  if (steps.before === steps.after) return before;
  const after = valueOfStep(array, cache, cell, array.stepIndices[steps.after]!, member);
  if (before === NOT_CACHED || after === NOT_CACHED) return NOT_CACHED;
  return blendSteps(before, after, steps.later);
}

/** The field in a cell at one step, or `NOT_CACHED`. */
export function valueOfStep(
  array: PointArray,
  cache: ChunkCache,
  cell: Cell,
  step: number,
  member: number,
): number {
  const { table, timeShift, memberShift, rowShift, columnShift } = array;
  const { south, north, west, east } = cell;
  const southChunk = chunkAt(array, step, south, west);
  const columnStep = (east >> columnShift) - (west >> columnShift);
  const rowStep = ((north >> rowShift) - (south >> rowShift)) * array.chunks[2];

  const southWest = table.get(southChunk);
  const southEast = columnStep === 0 ? southWest : table.get(southChunk + columnStep);
  const northWest = rowStep === 0 ? southWest : table.get(southChunk + rowStep);
  const northEast =
    columnStep === 0 ? northWest : rowStep === 0 ? southEast : table.get(southChunk + rowStep + columnStep);
  if ((southWest | southEast | northWest | northEast) < 0) return NOT_CACHED;

  const { values, usedIn, entryValues, batch } = cache;
  if (usedIn[southWest] !== batch) usedIn[southWest] = batch;
  // Most cells lie within one chunk.
  if (columnStep !== 0 || rowStep !== 0) {
    usedIn[southEast] = batch;
    usedIn[northWest] = batch;
    usedIn[northEast] = batch;
  }

  const rowMask = (1 << rowShift) - 1;
  const columnMask = (1 << columnShift) - 1;
  const block = ((step & ((1 << timeShift) - 1)) << memberShift) + member;
  const layer = block << (rowShift + columnShift);
  const southRow = layer + ((south & rowMask) << columnShift);
  const northRow = layer + ((north & rowMask) << columnShift);
  const a = values[southWest * entryValues + southRow + (west & columnMask)]!;
  const b = values[southEast * entryValues + southRow + (east & columnMask)]!;
  const c = values[northWest * entryValues + northRow + (west & columnMask)]!;
  const d = values[northEast * entryValues + northRow + (east & columnMask)]!;
  return valueOfCorners(array, cell, a, b, c, d);
}

/** The field in a cell, from its corners as stored: south-west, south-east, north-west, north-east. */
export function valueOfCorners(
  { scale, offset }: PointArray,
  cell: Cell,
  a: number,
  b: number,
  c: number,
  d: number,
): number {
  return blendCorners(
    cell,
    a === FILL ? Number.NaN : a * scale + offset,
    b === FILL ? Number.NaN : b * scale + offset,
    c === FILL ? Number.NaN : c * scale + offset,
    d === FILL ? Number.NaN : d * scale + offset,
  );
}

/** Number of the chunk that holds a node at a step. */
export function chunkAt(array: PointArray, step: number, row: number, column: number): number {
  const { chunks, timeShift, rowShift, columnShift } = array;
  return ((step >> timeShift) * chunks[1] + (row >> rowShift)) * chunks[2] + (column >> columnShift);
}

/** Appends the chunks that a value still needs, possibly with duplicates. */
export function chunksToLoad(
  array: PointArray,
  latitude: number,
  longitude: number,
  time: number,
  into: number[],
): void {
  const cell = locate(array.grid, latitude, longitude, scratch);
  const steps = array.isStatic ? always : bracket(array.stepTimes, time, array.validFor);
  if (!cell || !steps) return;
  for (const step of [steps.before, steps.after])
    for (const row of [cell.south, cell.north])
      for (const column of [cell.west, cell.east]) {
        const chunk = chunkAt(array, array.stepIndices[step]!, row, column);
        if (array.table.find(chunk) <= NOT_LOADED && into.at(-1) !== chunk) into.push(chunk);
      }
}

/** The step of a field that is the same at all times. */
export const always = { before: 0, after: 0, later: 0 };
