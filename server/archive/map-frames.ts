import { promisify } from "node:util";
import { brotliCompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import type { DrawnVariable } from "#lib/catalog/colours.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import { chunkNames, type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { andThen } from "#server/platform/and-then.ts";
import { frameChunking, levelGrid } from "./layout.ts";
import type { MapStep } from "./map-step.ts";
import type { Run } from "./run.ts";
import { chunkLength, chunkOffset, readShardIndex, type ShardIndex } from "./shard-index.ts";
import { type ChunkStore, existing } from "./store.ts";

/** How a frame is compressed, as `Content-Encoding` names it. */
export const frameEncodings = ["br", "gzip"] as const;

export type FrameEncoding = (typeof frameEncodings)[number];

/** What a frame is made from: one step of some fields in a window of a level. */
export interface FrameContent {
  run: Run;
  bands: readonly FieldName[];
  /** Index into the run's times. */
  step: number;
  /** Level, against the native grid. */
  stride: number;
  part: GridPart;
}

/** Reads a field in the window of a frame. See `ArchiveReader.mapStep`. */
export type ReadBand = (field: FieldName) => Promise<MapStep> | MapStep;

/** The bytes of a frame, not yet compressed. */
export async function makeFrame(content: FrameContent, read: ReadBand): Promise<Uint8Array> {
  const { run, bands, step, stride, part } = content;
  const values: Int16Array[] = [];
  // In sequence: a store that computes fields of one kind together has the second band when it is read.
  for (const band of bands) values.push((await read(band)).values);
  const described = bands.map((name) => ({ name, scale: fields[name].scale, offset: fields[name].offset }));
  return encodeFrame(partGrid(levelGrid(run, stride), part), run.times[step] ?? 0, described, values);
}

/** Residuals of smooth fields are mostly zeros: higher levels take several times as long and gain a few per cent. */
const LEVEL = 4;

/** Compresses a frame off the calling thread. */
export function packFrame(frame: Uint8Array, encoding: FrameEncoding): Promise<Buffer> {
  if (encoding === "gzip") return gzipAsync(frame, { level: LEVEL });
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: LEVEL,
    [constants.BROTLI_PARAM_SIZE_HINT]: frame.length,
  };
  return brotliAsync(frame, { params });
}

const gzipAsync = promisify<Uint8Array, object, Buffer>(gzip);
const brotliAsync = promisify<Uint8Array, object, Buffer>(brotliCompress);

/** In a run's folder, the compressed frames of a variable on one level: one file with the index of a shard. */
export function framesFile(variable: string, stride: number, encoding: FrameEncoding): string {
  return `frames/${stride}/${variable}.${encoding}`;
}

/** Identifies a frame of a run. */
export interface StoredFrame extends Pick<FrameContent, "run" | "step" | "stride"> {
  variable: DrawnVariable;
  /** Name of the chunk. */
  chunk: string;
}

/** Reads frames that were written with a run. */
export type ReadStoredFrame = (
  frame: StoredFrame,
  encoding: FrameEncoding,
  signal: AbortSignal,
) => Uint8Array | undefined | Promise<Uint8Array | undefined>;

/** Cached indices: some variables and levels of a few runs, ten kilobytes each. */
const MAX_INDICES = 64;

/**
 * Opens the frames of a store.
 *
 * @returns A reader that returns undefined for a run that was published without frames.
 */
export function openStoredFrames(store: ChunkStore): ReadStoredFrame {
  const indices = new LRUCache<string, ShardIndex>({ max: MAX_INDICES });

  function indexOf(run: Run, key: string, count: number, signal: AbortSignal) {
    const known = indices.get(key);
    if (known) return known;
    return andThen(readShardIndex(store, key, count, run.id, "map frames", signal), (index) => {
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
      const bytes = store.getRange(key, offset, chunkLength(index, number), signal);
      return andThen(bytes, (found) => existing(key, found));
    });
  };
}
