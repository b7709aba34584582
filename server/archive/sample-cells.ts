import { blendSteps, bracket, emptyCell, locate } from "#lib/field/interpolate.ts";
import { type ChunkCache, NOT_LOADED } from "./chunk-cache.ts";
import type { PointArray } from "./open-arrays.ts";
import { chunkAt, NOT_CACHED, valueOfCorners, valueOfStep } from "./point-sampler.ts";
import type { CellStore } from "./store.ts";

interface CellRead {
  array: PointArray;
  points: { latitude: Float64Array; longitude: Float64Array; time: Float64Array };
  out: Float64Array;
  signal: AbortSignal;
}

/** The cell of a point and the steps around it, at a time of which its array has values. */
const cell = emptyCell();
const always = { before: 0, after: 0, later: 0 };

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
  for (const point of cold)
    for (const step of missingSteps(array, around(point))) count(array, step, counted);

  const left: number[] = [];
  const sparse: number[] = [];
  const wanted = new Set<number>();
  const lowest = NOT_LOADED - store.cellsPerChunk;
  for (const point of cold) {
    const steps = missingSteps(array, around(point));
    const isDense = steps.every((step) =>
      chunksOf(array, step).every((chunk) => array.entries[chunk]! >= 0 || array.entries[chunk]! < lowest),
    );
    (isDense ? left : sparse).push(point);
    if (!isDense) for (const step of steps) wanted.add(keyOf(array, step));
  }
  if (sparse.length === 0) return left;

  // In order of time: what the cells of one hour have in common is computed once.
  const keys = Float64Array.from(wanted).sort();
  const values = await store.getCells(array.key, cellsOf(array, keys), signal);
  const places = new Map<number, number>();
  for (const [place, key] of keys.entries()) places.set(key, 4 * place);
  const valueAt = (step: number): number => {
    const at = places.get(keyOf(array, step));
    if (at === undefined) return valueOfStep(array, cache, cell, step);
    return valueOfCorners(array, cell, values[at]!, values[at + 1]!, values[at + 2]!, values[at + 3]!);
  };
  for (const point of sparse) {
    const { before, after, later } = around(point);
    const first = valueAt(array.stepIndices[before]!);
    const second = before === after ? first : valueAt(array.stepIndices[after]!);
    // A chunk that was cached may have been evicted meanwhile.
    if (first === NOT_CACHED || second === NOT_CACHED) left.push(point);
    else out[point] = before === after ? first : blendSteps(first, second, later);
  }
  return left;
}

/** Of the steps around a point, those at which the cache lacks a part of its cell. */
function missingSteps(array: PointArray, { before, after }: { before: number; after: number }): number[] {
  const steps = before === after ? [before] : [before, after];
  return steps
    .map((index) => array.stepIndices[index]!)
    .filter((step) => chunksOf(array, step).some((chunk) => array.entries[chunk]! < 0));
}

function chunksOf(array: PointArray, step: number): number[] {
  const { south, north, west, east } = cell;
  const first = chunkAt(array, step, south, west);
  const last = chunkAt(array, step, north, east);
  if (first === last) return [first];
  return [...new Set([first, chunkAt(array, step, south, east), chunkAt(array, step, north, west), last])];
}

function count(array: PointArray, step: number, counted: Set<number>): void {
  const key = keyOf(array, step);
  if (counted.has(key)) return;
  counted.add(key);
  for (const chunk of chunksOf(array, step)) if (array.entries[chunk]! < 0) array.entries[chunk]!--;
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
