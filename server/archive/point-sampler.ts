import { FILL } from "#lib/catalog/fill.ts";
import { blendCorners, blendSteps, bracket, type Cell, emptyCell, locate } from "#lib/field/interpolate.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { type ChunkCache, NOT_LOADED } from "./chunk-cache.ts";
import type { PointArray } from "./open-arrays.ts";
import type { CellStore } from "./store.ts";

/** Returned in place of a value if a chunk that it needs is not in the cache. (A value is finite or NaN, never this.) */
export const NOT_CACHED = Number.POSITIVE_INFINITY;

const scratch = emptyCell();

/**
 * The field at a place and a time, bilinear in space, then linear between the field's own steps.
 *
 * @returns NaN if missing or outside the grid; `NOT_CACHED` if a chunk has to be loaded first.
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
  if (array.isStatic) return valueOfStep(array, cache, cell, 0);
  const steps = bracket(array.stepTimes, time, array.validFor);
  if (!steps) return Number.NaN;
  const before = valueOfStep(array, cache, cell, array.stepIndices[steps.before]!);
  if (steps.before === steps.after) return before;
  const after = valueOfStep(array, cache, cell, array.stepIndices[steps.after]!);
  if (before === NOT_CACHED || after === NOT_CACHED) return NOT_CACHED;
  return blendSteps(before, after, steps.later);
}

/** The field in a cell at one step, or `NOT_CACHED`. */
function valueOfStep(array: PointArray, cache: ChunkCache, cell: Cell, step: number): number {
  const { table, timeShift, rowShift, columnShift } = array;
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
  const layer = (step & ((1 << timeShift) - 1)) << (rowShift + columnShift);
  const southRow = layer + ((south & rowMask) << columnShift);
  const northRow = layer + ((north & rowMask) << columnShift);
  const a = values[southWest * entryValues + southRow + (west & columnMask)]!;
  const b = values[southEast * entryValues + southRow + (east & columnMask)]!;
  const c = values[northWest * entryValues + northRow + (west & columnMask)]!;
  const d = values[northEast * entryValues + northRow + (east & columnMask)]!;
  return valueOfCorners(array, cell, a, b, c, d);
}

/** The field in a cell, from its corners as stored: south-west, south-east, north-west, north-east. */
function valueOfCorners(
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
function chunkAt(array: PointArray, step: number, row: number, column: number): number {
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

const always = { before: 0, after: 0, later: 0 };

interface CellRead {
  array: PointArray;
  points: { latitude: Float64Array; longitude: Float64Array; time: Float64Array };
  out: Float64Array;
  signal: AbortSignal;
}

/** The cell of a point and the steps around it, at a time of which its array has values. */
const cell = emptyCell();
/** Points that are looked at without a pause: about a millisecond. */
const POINTS_PER_TURN = 512;

/**
 * Samples points from single cells, where too few cells of a chunk are wanted to load all of it.
 *
 * A chunk counts the cells that were taken from it. When they have cost as much as the chunk, it is loaded whole and cached:
 * this costs at most about twice what the better of the two ways would have, in whatever order points come.
 *
 * @param cold Points of which the cache lacks a chunk.
 * @returns The points that are left: they need whole chunks.
 */
export async function sampleCells(
  store: CellStore,
  cache: ChunkCache,
  { array, points, out, signal }: CellRead,
  cold: readonly number[],
): Promise<number[]> {
  const around = (point: number) => {
    locate(array.grid, points.latitude[point]!, points.longitude[point]!, cell);
    return array.isStatic ? always : bracket(array.stepTimes, points.time[point]!, array.validFor)!;
  };

  const counted = new Set<number>();
  await inTurns(cold, signal, (point) => {
    const { before, after } = around(point);
    count(array, array.stepIndices[before]!, counted);
    if (after !== before) count(array, array.stepIndices[after]!, counted);
  });

  const left: number[] = [];
  const sparse: number[] = [];
  const wanted = new Set<number>();
  const lowest = NOT_LOADED - store.cellsPerChunk;
  await inTurns(cold, signal, (point) => {
    const { before, after } = around(point);
    const first = stateOf(array, array.stepIndices[before]!, lowest);
    const second = after === before ? CACHED : stateOf(array, array.stepIndices[after]!, lowest);
    const isDense = first !== SPARSE && second !== SPARSE;
    (isDense ? left : sparse).push(point);
    if (isDense) return;
    if (first !== CACHED) wanted.add(keyOf(array, array.stepIndices[before]!));
    if (second !== CACHED) wanted.add(keyOf(array, array.stepIndices[after]!));
  });
  if (sparse.length === 0) return left;

  // In order of time: what the cells of one hour have in common is computed once.
  const keys = Float64Array.from(wanted).sort();
  const values = await store.getCells(array.key, cellsOf(array, keys), signal);
  const places = new Map<number, number>();
  for (let place = 0; place < keys.length; place++) places.set(keys[place]!, 4 * place);
  const valueAt = (step: number): number => {
    const at = places.get(keyOf(array, step));
    if (at === undefined) return valueOfStep(array, cache, cell, step);
    return valueOfCorners(array, cell, values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
  };
  await inTurns(sparse, signal, (point) => {
    const { before, after, later } = around(point);
    const first = valueAt(array.stepIndices[before]!);
    const second = before === after ? first : valueAt(array.stepIndices[after]!);
    // A chunk that was cached may have been evicted meanwhile.
    if (first === NOT_CACHED || second === NOT_CACHED) left.push(point);
    else out[point] = before === after ? first : blendSteps(first, second, later);
  });
  return left;
}

/** Calls `each` for every point, with pauses. */
async function inTurns(
  points: readonly number[],
  signal: AbortSignal,
  each: (point: number) => void,
): Promise<void> {
  for (let place = 0; place < points.length; place++) {
    if (place > 0 && place % POINTS_PER_TURN === 0) {
      await nextTurn();
      signal.throwIfAborted();
    }
    each(points[place]!);
  }
}

/** Of a cell at a step: all its chunks are cached; those that are not are to be loaded whole; one of them is not yet. */
const [CACHED, DENSE, SPARSE] = [0, 1, 2];

/** @param lowest Entries below it are of chunks of which enough cells were counted. */
function stateOf(array: PointArray, step: number, lowest: number): number {
  let state = CACHED;
  const found = chunksOf(array, step);
  for (let i = 0; i < found; i++) {
    const entry = array.table.find(chunks[i]!);
    if (entry >= 0) continue;
    if (entry >= lowest) return SPARSE;
    state = DENSE;
  }
  return state;
}

const chunks = new Int32Array(4);

/** Writes the chunks of the cell at a step into `chunks`. @returns How many they are. */
function chunksOf(array: PointArray, step: number): number {
  const { south, north, west, east } = cell;
  const southWest = chunkAt(array, step, south, west);
  const northEast = chunkAt(array, step, north, east);
  chunks[0] = southWest;
  if (northEast === southWest) return 1;
  const southEast = chunkAt(array, step, south, east);
  chunks[1] = northEast;
  if (southEast === southWest || southEast === northEast) return 2;
  chunks[2] = southEast;
  chunks[3] = chunkAt(array, step, north, west);
  return 4;
}

function count(array: PointArray, step: number, counted: Set<number>): void {
  const key = keyOf(array, step);
  const found = chunksOf(array, step);
  let isMissing = false;
  for (let i = 0; i < found; i++) if (array.table.find(chunks[i]!) < 0) isMissing = true;
  if (!isMissing || counted.has(key)) return;
  counted.add(key);
  for (let i = 0; i < found; i++) {
    const entry = array.table.find(chunks[i]!);
    if (entry < 0) array.table.set(chunks[i]!, entry - 1);
  }
}

function keyOf({ shape }: PointArray, step: number): number {
  return (step * shape[1] + cell.south) * shape[2] + cell.west;
}

function cellsOf({ shape: [, rows, columns] }: PointArray, keys: Float64Array): Int32Array {
  const cells = new Int32Array(3 * keys.length);
  for (const [i, key] of keys.entries()) {
    cells[3 * i] = Math.floor(key / (rows * columns));
    cells[3 * i + 1] = Math.floor(key / columns) % rows;
    cells[3 * i + 2] = key % columns;
  }
  return cells;
}
