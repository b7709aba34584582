import { zstdDecompressSync } from "node:zlib";
import type { ChunkCache } from "./chunk-cache.ts";
import { crc32c } from "./crc32c.ts";
import { DamagedChunkError } from "./errors.ts";
import { chunkLength, chunkOffset } from "./shard-index.ts";
import type { ByteRange, ChunkStore } from "./store.ts";
import type { OpenArray, PointArray } from "./stored-array.ts";

const CRC_BYTES = 4;

/** Where chunks lie in the shard of their array, in the order given. All of them must be stored. */
export function rangesOf(array: OpenArray, chunks: ArrayLike<number>): ByteRange[] {
  const ranges = new Array<ByteRange>(chunks.length);
  for (let i = 0; i < chunks.length; i++)
    ranges[i] = {
      offset: chunkOffset(array.index, chunks[i]!),
      length: chunkLength(array.index, chunks[i]!),
    };
  return ranges;
}

/**
 * Undoes the codecs of a chunk.
 *
 * @returns Its int16 as little-endian bytes, which may share memory with `stored`.
 */
export function decodeChunk(array: OpenArray, chunk: number, stored: Uint8Array): Uint8Array {
  const end = stored.length - CRC_BYTES;
  if (end < 0 || stored.length !== chunkLength(array.index, chunk))
    throw damaged(array, chunk, "is cut short");
  const sum =
    (stored[end]! | (stored[end + 1]! << 8) | (stored[end + 2]! << 16) | (stored[end + 3]! << 24)) >>> 0;
  if (crc32c(stored, 0, end) !== sum) throw damaged(array, chunk, "fails its checksum");
  const size = 2 * array.chunk[0] * array.chunk[1] * array.chunk[2];
  const plain = array.compressed
    ? decompress(array, chunk, stored.subarray(0, end), size)
    : stored.subarray(0, end);
  if (plain.length !== size) throw damaged(array, chunk, `has ${plain.length} bytes instead of ${size}`);
  return plain;
}

function decompress(array: OpenArray, chunk: number, packed: Uint8Array, size: number): Uint8Array {
  try {
    // One buffer with a byte to spare: a full one would be followed by another, and both copied together.
    return zstdDecompressSync(packed, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) });
  } catch (cause) {
    throw damaged(array, chunk, "is no zstd frame of its size", cause);
  }
}

function damaged(array: OpenArray, chunk: number, what: string, cause?: unknown): DamagedChunkError {
  return new DamagedChunkError(array.run, array.field, `${array.key}: chunk ${chunk} ${what}`, { cause });
}

/** Reads chunks of the points layout into the cache, in ascending order. Synchronous where the store is. */
export function loadChunks(
  store: ChunkStore,
  cache: ChunkCache,
  array: PointArray,
  chunks: ArrayLike<number>,
  signal: AbortSignal,
): void | Promise<void> {
  if (isAtHand(store)) {
    decodeAtOnce(store, array, chunks, (chunk, decoded) => cache.put(array.number, chunk, decoded));
    return;
  }
  const parts = store.getRanges(array.key, rangesOf(array, chunks), signal);
  if (parts instanceof Promise) return parts.then((arrived) => keep(cache, array, chunks, arrived));
  keep(cache, array, chunks, parts);
}

/** A store that has the bytes at hand. */
export type AtHand = ChunkStore & Required<Pick<ChunkStore, "readInto">>;

export function isAtHand(store: ChunkStore): store is AtHand {
  return store.readInto !== undefined;
}

/** To read this many bytes more costs less than to ask a second time (measured with a warm page cache). */
const WORTH_READING_THROUGH = 16 * 1024;

const scratch = new Uint8Array(128 * 1024);

/**
 * Reads neighbours in the file in one go, always into the same memory, which stays in the processor's own cache.
 *
 * @param chunks In ascending order. @param take Given each chunk as `decodeChunk` returns it, good until it returns.
 */
export function decodeAtOnce(
  store: AtHand,
  array: OpenArray,
  chunks: ArrayLike<number>,
  take: (chunk: number, decoded: Uint8Array) => void,
): void {
  const { index } = array;
  let first = 0;
  while (first < chunks.length) {
    const from = chunkOffset(index, chunks[first]!);
    let to = from + chunkLength(index, chunks[first]!);
    let next = first + 1;
    for (; next < chunks.length; next++) {
      const offset = chunkOffset(index, chunks[next]!);
      const end = offset + chunkLength(index, chunks[next]!);
      if (offset < to || offset - to > WORTH_READING_THROUGH || end - from > scratch.length) break;
      to = end;
    }
    const buffer = to - from <= scratch.length ? scratch.subarray(0, to - from) : new Uint8Array(to - from);
    const filled = store.readInto(array.key, from, buffer);
    for (; first < next; first++) {
      const chunk = chunks[first]!;
      const at = Math.min(chunkOffset(index, chunk) - from, filled);
      const stored = buffer.subarray(at, Math.min(filled, at + chunkLength(index, chunk)));
      take(chunk, decodeChunk(array, chunk, stored));
    }
  }
}

function keep(
  cache: ChunkCache,
  array: PointArray,
  chunks: ArrayLike<number>,
  parts: readonly Uint8Array[],
): void {
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    // Another request may have brought it meanwhile.
    if (array.slots[chunk]! >= 0) continue;
    cache.put(array.number, chunk, decodeChunk(array, chunk, parts[i]!));
  }
}
