import { FILL } from "#lib/catalog/fields.ts";
import { blendCorners, blendSteps, bracket, type Cell, emptyCell, locate } from "#lib/field/interpolate.ts";
import { type ChunkCache, NOT_LOADED } from "./chunk-cache.ts";
import type { PointArray } from "./stored-array.ts";

/** A chunk that the value needs is not in the cache. (A value is finite or NaN, never this.) */
export const NOT_AT_HAND = Number.POSITIVE_INFINITY;

const scratch = emptyCell();

/**
 * The field at a place and a time, bilinear in space, then linear between the field's own steps.
 *
 * @returns NaN where missing or outside; `NOT_AT_HAND` when a chunk has to be loaded first.
 */
export function sampleAt(
  array: PointArray,
  cache: ChunkCache,
  latitude: number,
  longitude: number,
  time: number,
): number {
  const cell = locate(array.grid, latitude, longitude, scratch);
  if (!cell) return Number.NaN;
  if (array.fixed) return valueOfStep(array, cache, cell, 0);
  const steps = bracket(array.stepTimes, time, array.holds);
  if (!steps) return Number.NaN;
  const before = valueOfStep(array, cache, cell, array.stepIndices[steps.before]!);
  if (steps.before === steps.after) return before;
  const after = valueOfStep(array, cache, cell, array.stepIndices[steps.after]!);
  if (before === NOT_AT_HAND || after === NOT_AT_HAND) return NOT_AT_HAND;
  return blendSteps(before, after, steps.later);
}

function valueOfStep(array: PointArray, cache: ChunkCache, cell: Cell, step: number): number {
  const { slots, timeShift, rowShift, columnShift, scale, offset } = array;
  const { south, north, west, east } = cell;
  const southChunk = chunkAt(array, step, south, west);
  const columnStep = (east >> columnShift) - (west >> columnShift);
  const rowStep = ((north >> rowShift) - (south >> rowShift)) * array.chunks[2];

  const southWest = slots[southChunk]!;
  const southEast = columnStep === 0 ? southWest : slots[southChunk + columnStep]!;
  const northWest = rowStep === 0 ? southWest : slots[southChunk + rowStep]!;
  const northEast =
    columnStep === 0 ? northWest : rowStep === 0 ? southEast : slots[southChunk + rowStep + columnStep]!;
  if ((southWest | southEast | northWest | northEast) < 0) return NOT_AT_HAND;

  const { values, usedIn, slotValues, batch } = cache;
  if (usedIn[southWest] !== batch) usedIn[southWest] = batch;
  // Most cells lie within one chunk.
  if (columnStep !== 0 || rowStep !== 0) {
    usedIn[southEast] = batch;
    usedIn[northWest] = batch;
    usedIn[northEast] = batch;
  }

  const rowMask = (1 << rowShift) - 1;
  const columnMask = (1 << columnShift) - 1;
  const layer = (step & ((1 << timeShift) - 1)) << (rowShift + columnShift);
  const southRow = layer + ((south & rowMask) << columnShift);
  const northRow = layer + ((north & rowMask) << columnShift);
  const a = values[southWest * slotValues + southRow + (west & columnMask)]!;
  const b = values[southEast * slotValues + southRow + (east & columnMask)]!;
  const c = values[northWest * slotValues + northRow + (west & columnMask)]!;
  const d = values[northEast * slotValues + northRow + (east & columnMask)]!;
  return blendCorners(
    cell,
    a === FILL ? Number.NaN : a * scale + offset,
    b === FILL ? Number.NaN : b * scale + offset,
    c === FILL ? Number.NaN : c * scale + offset,
    d === FILL ? Number.NaN : d * scale + offset,
  );
}

function chunkAt(array: PointArray, step: number, row: number, column: number): number {
  const { chunks, timeShift, rowShift, columnShift } = array;
  return ((step >> timeShift) * chunks[1] + (row >> rowShift)) * chunks[2] + (column >> columnShift);
}

/** Appends the chunks that a value still needs; some of them twice. */
export function chunksToLoad(
  array: PointArray,
  latitude: number,
  longitude: number,
  time: number,
  into: number[],
): void {
  const cell = locate(array.grid, latitude, longitude, scratch);
  const steps = array.fixed ? always : bracket(array.stepTimes, time, array.holds);
  if (!cell || !steps) return;
  for (const step of [steps.before, steps.after])
    for (const row of [cell.south, cell.north])
      for (const column of [cell.west, cell.east]) {
        const chunk = chunkAt(array, array.stepIndices[step]!, row, column);
        if (array.slots[chunk] === NOT_LOADED && into.at(-1) !== chunk) into.push(chunk);
      }
}

const always = { before: 0, after: 0, later: 0 };
