import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { chunkNames } from "#lib/field/frame-chunks.ts";
import { DamagedChunkError } from "./errors.ts";
import { frameChunking } from "./frame-chunking.ts";
import { levelGrid } from "./levels.ts";
import type { FrameEncoding } from "./make-frame.ts";
import { andThen } from "./maybe-promise.ts";
import type { Run } from "./run.ts";
import {
  chunkLength,
  chunkOffset,
  decodeShardIndex,
  type ShardIndex,
  shardIndexBytes,
} from "./shard-index.ts";
import type { ChunkStore } from "./store.ts";

/** Where, in a run's folder, the compressed frames of a variable on one level are: one file with the index of a shard. */
export function framesFile(variable: string, stride: number, encoding: FrameEncoding): string {
  return `frames/${stride}/${variable}.${encoding}`;
}

/** Which frame of a run. */
export interface StoredFrame {
  run: Run;
  variable: DrawnVariable;
  /** Index into the run's times. */
  step: number;
  stride: number;
  /** Name of the chunk. */
  chunk: string;
}

/** Reads frames that were written with a run. */
export type ReadStoredFrame = (
  frame: StoredFrame,
  encoding: FrameEncoding,
  signal: AbortSignal,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** Indices kept: some variables and levels of a few runs, ten kilobytes each. */
const INDICES = 64;

/**
 * Opens the frames of a store.
 *
 * @returns A reader, which finds nothing where a run was published without frames.
 */
export function openStoredFrames(store: ChunkStore): ReadStoredFrame {
  const indices = new Map<string, ShardIndex>();

  function indexOf(run: Run, key: string, count: number, signal: AbortSignal) {
    const known = indices.get(key);
    if (known) return known;
    const length = shardIndexBytes(count);
    return andThen(store.getRanges(key, [{ offset: -length, length }], signal), ([bytes]) => {
      const index = decodeShardIndex(bytes!, count);
      if (typeof index === "string") throw new DamagedChunkError(run.id, "map frames", `${key}: ${index}`);
      for (const oldest of indices.keys()) {
        if (indices.size < INDICES) break;
        indices.delete(oldest);
      }
      indices.set(key, index);
      return index;
    });
  }

  return ({ run, variable, step, stride, chunk }, encoding, signal) => {
    if (!run.frames?.includes(variable)) return undefined;
    const grid = levelGrid(run, stride);
    const names = chunkNames(grid, frameChunking(grid));
    const number = step * names.length + names.indexOf(chunk);
    const key = `${run.path}/${framesFile(variable, stride, encoding)}`;
    return andThen(indexOf(run, key, run.times.length * names.length, signal), (index) => {
      const offset = chunkOffset(index, number);
      if (offset < 0) return undefined;
      const range = { offset, length: chunkLength(index, number) };
      return andThen(store.getRanges(key, [range], signal), ([bytes]) => bytes);
    });
  };
}
