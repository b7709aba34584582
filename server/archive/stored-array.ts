import type { FieldName } from "#lib/catalog/fields.ts";
import type { Grid } from "#lib/field/grid.ts";
import { EMPTY_SLOT, NOT_LOADED } from "./chunk-cache.ts";
import { DamagedChunkError } from "./errors.ts";
import { chunkCounts, type Shape } from "./layout.ts";
import { andThen } from "./maybe-promise.ts";
import type { Run } from "./run.ts";
import {
  chunkOffset,
  decodeShardIndex,
  indexBytes,
  type ShardIndex,
  shardIndexBytes,
} from "./shard-index.ts";
import type { ChunkStore } from "./store.ts";
import { parseFieldMetadata, SHARD_KEY, type StoredArray } from "./zarr-metadata.ts";

/** One field of one run in one layout, ready to be read. */
export interface OpenArray extends StoredArray {
  run: string;
  field: FieldName;
  /** The shard in the store. */
  key: string;
  /** Chunks along each axis. */
  chunks: Shape;
  index: ShardIndex;
}

/** Opens an array: its metadata and the index of its shard, which is checked. */
export function openArray(
  store: ChunkStore,
  run: Run,
  group: string,
  field: FieldName,
  signal?: AbortSignal,
): OpenArray | Promise<OpenArray> {
  const folder = `${run.path}/${group}/${field}`;
  const key = `${folder}/${SHARD_KEY}`;
  return andThen(store.get(`${folder}/zarr.json`, signal), (json) => {
    const stored = orDamaged(run, field, `${folder}/zarr.json`, () => parseFieldMetadata(json));
    const chunks = chunkCounts(stored.shape, stored.chunk);
    const count = chunks[0] * chunks[1] * chunks[2];
    const even = store.evenChunks?.(key);
    if (even !== undefined) {
      const index = { count, length: even, lengths: undefined, offsets: undefined };
      return { ...stored, run: run.id, field, key, chunks, index };
    }
    const length = shardIndexBytes(count);
    return andThen(store.getRanges(key, [{ offset: -length, length }], signal), ([bytes]) => {
      const index = decodeShardIndex(bytes!, count);
      if (typeof index === "string") throw new DamagedChunkError(run.id, field, `${key}: ${index}`);
      return { ...stored, run: run.id, field, key, chunks, index };
    });
  });
}

function orDamaged<T>(run: Run, field: FieldName, key: string, parse: () => T): T {
  try {
    return parse();
  } catch (cause) {
    throw new DamagedChunkError(run.id, field, `${key} is not the metadata of a field`, { cause });
  }
}

/** An array of the points layout, with all that the sampler needs at hand. */
export interface PointArray extends OpenArray {
  grid: Grid;
  /** The same at all times: time is not looked at. */
  fixed: boolean;
  /** Steps that the field has: their times (Unix seconds) and their indices in the stored time axis. */
  stepTimes: Float64Array;
  stepIndices: Int32Array;
  /** How long the last step stays valid, seconds. */
  holds: number;
  /** Chunk edges are powers of two: number = index >> shift, place in the chunk = index & mask. */
  timeShift: number;
  rowShift: number;
  columnShift: number;
  /** Slot of each chunk in the cache, or `NOT_LOADED`. */
  slots: Int32Array;
  /** Number in the cache. */
  number: number;
  /** Calls that are under way on it. */
  users: number;
  usedIn: number;
}

/** @param slotValues What a slot of the cache holds; larger chunks are refused. */
export function pointArray(run: Run, array: OpenArray, slotValues: number): PointArray {
  const [steps, rows, columns] = array.chunk;
  if (steps * rows * columns > slotValues || !array.chunk.every((edge) => Number.isInteger(Math.log2(edge))))
    throw new DamagedChunkError(run.id, array.field, `${array.key} has chunks of ${array.chunk.join("×")}`);
  const stepIndices = Int32Array.from(run.fields[array.field]?.steps ?? run.times.keys());
  const slots = new Int32Array(array.index.count).fill(NOT_LOADED);
  // Without offsets all chunks are stored: half a million of them need not be asked one by one.
  if (array.index.offsets)
    for (let chunk = 0; chunk < slots.length; chunk++)
      if (chunkOffset(array.index, chunk) < 0) slots[chunk] = EMPTY_SLOT;
  return {
    ...array,
    grid: run.grid,
    fixed: run.times.length === 1 && run.times[0] === 0,
    stepIndices,
    stepTimes: Float64Array.from(stepIndices, (index) => run.times[index]!),
    holds: run.holds ?? 0,
    timeShift: Math.log2(steps),
    rowShift: Math.log2(rows),
    columnShift: Math.log2(columns),
    slots,
    number: -1,
    users: 0,
    usedIn: 0,
  };
}

/** Bytes that an open array keeps in memory. */
export function tableBytes(array: PointArray): number {
  return indexBytes(array.index) + array.slots.byteLength;
}
