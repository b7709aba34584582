import { LZ4_OF_PLANES } from "./blosc.ts";
import type { ChunkCache } from "./chunk-cache.ts";
import { DamagedChunkError } from "./errors.ts";
import { MAX_PLANE_VALUES, PLANE_GROUP, planeKernels } from "./kernels/planes.ts";
import type { OpenArray, PointArray } from "./open-arrays.ts";
import { chunkLength, chunkOffset, crc32c } from "./shard.ts";
import { type ByteRange, type ChunkStore, existing, rangesOf } from "./store.ts";

const CRC_BYTES = 4;

/** Memory in which chunks are decoded. */
const { input } = planeKernels;

/** The stored bytes of chunks, in the order given. All of them must be stored. */
export function fetchChunks(
  store: ChunkStore,
  array: OpenArray,
  chunks: ArrayLike<number>,
  signal: AbortSignal,
): Promise<Uint8Array[]> {
  const ranges = new Array<ByteRange>(chunks.length);
  for (let i = 0; i < chunks.length; i++)
    ranges[i] = {
      offset: chunkOffset(array.index, chunks[i]!),
      length: chunkLength(array.index, chunks[i]!),
    };
  return rangesOf(store, array.key, ranges, signal, isWholeChunk);
}

function isWholeChunk(stored: Uint8Array): boolean {
  const end = stored.length - CRC_BYTES;
  return end >= 0 && storedSum(stored, end) === crc32c(stored, 0, end);
}

/**
 * Decodes a stored chunk and checks it.
 *
 * @returns Its int16 as little-endian bytes, valid until the next call; they may share memory with `stored`.
 */
export function decodeChunk(array: OpenArray, chunk: number, stored: Uint8Array): Uint8Array {
  const { codec } = array;
  if (stored.length !== chunkLength(array.index, chunk)) throw damaged(array, chunk, "is cut short");
  const count = array.chunk[0] * array.chunk[1] * array.chunk[2];
  const plain = codec === "planes" ? decodePlanes(stored, count) : checked(stored, 2 * count);
  if (plain === "checksum") throw damaged(array, chunk, "fails its checksum");
  if (plain === "form") throw damaged(array, chunk, `is not ${2 * count} bytes in its codec, ${codec}`);
  return plain;
}

function decodePlanes(stored: Uint8Array, count: number): Uint8Array | "checksum" | "form" {
  const isThere = stored.buffer === input.buffer;
  if (stored.length > input.length || count > MAX_PLANE_VALUES || count % PLANE_GROUP !== 0) return "form";
  if (!isThere) input.set(stored);
  return planeKernels.decodeSealed(isThere ? stored.byteOffset : 0, stored.length, LZ4_OF_PLANES, count);
}

function checked(stored: Uint8Array, size: number): Uint8Array | "checksum" | "form" {
  const end = stored.length - CRC_BYTES;
  if (end !== size) return "form";
  return storedSum(stored, end) === crc32c(stored, 0, end) ? stored.subarray(0, end) : "checksum";
}

/** The checksum behind a chunk. */
function storedSum(stored: Uint8Array, end: number): number {
  return (stored[end]! | (stored[end + 1]! << 8) | (stored[end + 2]! << 16) | (stored[end + 3]! << 24)) >>> 0;
}

function damaged(array: OpenArray, chunk: number, what: string): DamagedChunkError {
  return new DamagedChunkError(array.run, array.field, `${array.key}: chunk ${chunk} ${what}`);
}

/** Reads chunks of the points layout into the cache, in ascending order. */
export async function loadChunks(
  store: ChunkStore,
  cache: ChunkCache,
  array: PointArray,
  chunks: ArrayLike<number>,
  signal: AbortSignal,
): Promise<void> {
  if (isLocal(store)) return loadLocal(store, cache, array, chunks);
  const parts = await fetchChunks(store, array, chunks, signal);
  for (let i = 0; i < chunks.length; i++) {
    const chunk = chunks[i]!;
    // Another request may have loaded it meanwhile.
    if (array.table.get(chunk) >= 0) continue;
    cache.put(array.number, chunk, decodeChunk(array, chunk, parts[i]!));
  }
}

/** The same at once, so that nothing else can evict a chunk before it is used. */
export function loadLocal(
  store: LocalStore,
  cache: ChunkCache,
  array: PointArray,
  chunks: ArrayLike<number>,
): void {
  decodeLocal(store, array, chunks, (chunk, decoded) => cache.put(array.number, chunk, decoded));
}

/** A store that has all bytes locally. */
export type LocalStore = ChunkStore & Required<Pick<ChunkStore, "readInto">>;

export function isLocal(store: ChunkStore): store is LocalStore {
  return store.readInto !== undefined;
}

/** Reading through a gap of this many bytes costs less than a second read (measured with a warm page cache). */
const MAX_GAP_BYTES = 16 * 1024;

/**
 * Reads chunks that are neighbours in the file together, always into the same memory, which stays in the processor's cache.
 *
 * @param chunks In ascending order.
 * @param take Called with each chunk as `decodeChunk` returns it; the bytes are valid until it returns.
 */
export function decodeLocal(
  store: LocalStore,
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
      if (offset < to || offset - to > MAX_GAP_BYTES || end - from > input.length) break;
      to = end;
    }
    const buffer = to - from <= input.length ? input.subarray(0, to - from) : new Uint8Array(to - from);
    const filled = existing(array.key, store.readInto(array.key, from, buffer));
    for (; first < next; first++) {
      const chunk = chunks[first]!;
      const at = Math.min(chunkOffset(index, chunk) - from, filled);
      const stored = buffer.subarray(at, Math.min(filled, at + chunkLength(index, chunk)));
      take(chunk, decodeChunk(array, chunk, stored));
    }
  }
}
