import { blendSteps, bracket, emptyCell, locate } from "#lib/field/interpolate.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { type ChunkCache, NOT_LOADED } from "./chunks.ts";
import type { PointArray } from "./open-arrays.ts";
import { always, chunkAt, NOT_CACHED, valueOfCorners, valueOfStep } from "./point-sampler.ts";
import type { CellStore } from "./store.ts";

interface CellRead {
  array: PointArray;
  points: { latitude: Float64Array; longitude: Float64Array; time: Float64Array };
  out: Float64Array;
  signal: AbortSignal;
}

/** Scratch space: the cell of a point and the steps around its time, for which its array has values. */
const cell = emptyCell();
/** How many points are examined without a pause: about a millisecond of work. */
const POINTS_PER_TURN = 512;

/**
 * Samples points of a field without members from single cells, where too few cells of a chunk are wanted to load all of it.
 *
 * Each chunk counts the cells that were read from it. When they have cost as much as the chunk, it is loaded whole and
 * cached, so that the total cost is at most about twice that of the better way, whatever the order of the points.
 *
 * @param cold Points for which the cache lacks a chunk.
 * @returns The remaining points, which need whole chunks.
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

  // The keys are in order of time, so that what the cells of one hour have in common is computed once.
  const keys = Float64Array.from(wanted).sort();
  const values = await store.getCells(array.key, cellsOf(array, keys), signal);
  const places = new Map<number, number>();
  for (let place = 0; place < keys.length; place++) places.set(keys[place]!, 4 * place);
  const valueAt = (step: number): number => {
    const at = places.get(keyOf(array, step));
    if (at === undefined) return valueOfStep(array, cache, cell, step, 0);
    return valueOfCorners(array, cell, values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
  };
  await inTurns(sparse, signal, (point) => {
    const { before, after, later } = around(point);
    const first = valueAt(array.stepIndices[before]!);
    const second = before === after ? first : valueAt(array.stepIndices[after]!);
    // A cached chunk may have been evicted since it was found.
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

/**
 * States of a cell at a step: all its chunks are cached; its missing chunks must be loaded whole; its missing chunk is
 * read cell by cell.
 */
const [CACHED, DENSE, SPARSE] = [0, 1, 2];

/** @param lowest Entries below this value belong to chunks of which enough cells were counted. */
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

/** Writes the chunks of the cell at a step into `chunks`. @returns The number of chunks. */
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
