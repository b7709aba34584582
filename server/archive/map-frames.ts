import { promisify } from "node:util";
import { brotliCompress, brotliDecompress, constants, gzip } from "node:zlib";
import { LRUCache } from "lru-cache";
import { type StoredName, storedField } from "#lib/catalog/stored-names.ts";
import { encodeFrame } from "#lib/field/frame.ts";
import { chunkNames, type GridPart, partGrid } from "#lib/field/frame-chunks.ts";
import { DamagedChunkError, damageReporter, type OnDamage } from "./errors.ts";
import { frameChunking, framesFile, levelGrid } from "./layout.ts";
import { isUnreadableFrame, isWholeFrame, type MapStep, unsealFrame } from "./map-step.ts";
import type { Run } from "./run.ts";
import { chunkLength, chunkOffset, indexBytes, readShardIndex, type ShardIndex } from "./shard.ts";
import { type ChunkStore, rangesOf } from "./store.ts";

/** How a frame is compressed, as `Content-Encoding` names it. */
export type FrameEncoding = "br" | "gzip";

/** The data of a frame: one step of some fields in a window of a level. */
export interface FrameContent {
  run: Run;
  bands: readonly StoredName[];
  /** Index into the run's times. */
  step: number;
  /** Level, against the native grid. */
  stride: number;
  part: GridPart;
}

/** Reads a field in the window of a frame. See `ArchiveReader.mapStep`. */
export type ReadBand = (field: StoredName) => Promise<MapStep>;

/** The bytes of a frame, not yet compressed. */
export async function makeFrame(content: FrameContent, read: ReadBand): Promise<Uint8Array> {
  const { run, bands, step, stride, part } = content;
  const values: Int16Array[] = [];
  // The bands are read in sequence: a store that computes fields of one kind together then already has the second one.
  for (const band of bands) values.push((await read(band)).values);
  const described = bands.map((name) => {
    const { scale, offset } = storedField(name);
    return { name, scale, offset };
  });
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

/** The bytes of a frame that `packFrame` compressed with brotli. */
export const unpackFrame = promisify<Uint8Array, Buffer>(brotliDecompress);

/** Identifies a frame of a run. */
export interface StoredFrame extends Pick<FrameContent, "run" | "step" | "stride"> {
  /** Name of the layer: see `storedSteps`. */
  variable: string;
  /** Name of the chunk. */
  chunk: string;
}

/** Reads frames that were written with a run, as brotli. */
export type ReadStoredFrame = (frame: StoredFrame, signal: AbortSignal) => Promise<Uint8Array | undefined>;

export interface StoredFramesOptions {
  /** Receives each damaged frame, or index of frames, once. */
  onDamage: OnDamage;
}

/** Memory for the indices of files, bytes; each takes some ten kilobytes. */
const INDEX_BYTES = 2 ** 20;

/**
 * Opens the frames of a store.
 *
 * @returns A reader that returns undefined for a run that was published without frames, and for a frame that is
 *   damaged: the caller then makes the frame from the data.
 */
export function openStoredFrames(store: ChunkStore, { onDamage }: StoredFramesOptions): ReadStoredFrame {
  const indices = new LRUCache<string, ShardIndex>({
    maxSize: INDEX_BYTES,
    sizeCalculation: (index) => Math.max(1, indexBytes(index)),
  });

  const report = damageReporter(onDamage);

  async function read({ run, variable, step, stride, chunk }: StoredFrame, signal: AbortSignal) {
    const grid = levelGrid(run, stride);
    const names = chunkNames(grid, frameChunking(grid));
    const number = step * names.length + names.indexOf(chunk);
    const file = framesFile(variable, stride);
    const key = `${run.path}/${file}`;
    const count = run.times.length * names.length;
    const index =
      indices.get(key) ??
      (await readShardIndex(store, key, count, run.id, "map frames", signal, run.objects?.frames[file]));
    indices.set(key, index);
    const offset = chunkOffset(index, number);
    if (offset < 0) return undefined;
    const range = { offset, length: chunkLength(index, number) };
    const [found] = await rangesOf(store, key, [range], signal, isWholeFrame);
    const frame = unsealFrame(found!);
    if (frame) return frame;
    throw new DamagedChunkError(run.id, "map frames", `${key}: frame ${number} fails its checksum`);
  }

  return async (frame, signal) => {
    if (!frame.run.storedFrames?.includes(frame.variable)) return undefined;
    try {
      return await read(frame, signal);
    } catch (error) {
      if (!isUnreadableFrame(error)) throw error;
      report(error);
      return undefined;
    }
  };
}
