import { decodeBlosc, kernelsFor, LZ4_OF_PLANES } from "./blosc.ts";
import type { ChunkCache } from "./chunk-cache.ts";
import { DamagedChunkError } from "./errors.ts";
import { INPUT_BYTES, planeKernels } from "./kernels/planes.ts";
import type { OpenArray, PointArray } from "./open-arrays.ts";
import { chunkLength, chunkOffset, crc32c } from "./shard.ts";
import { type ByteRange, type ChunkStore, existing, rangesOf } from "./store.ts";
import type { ChunkCodec } from "./zarr-metadata.ts";

const CRC_BYTES = 4;

/** Memory in which chunks are decoded without being copied there. */
const input = planeKernels?.input.buffer;

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
  const end = stored.length - CRC_BYTES;
  const { codec } = array;
  if (end < 0 || stored.length !== chunkLength(array.index, chunk))
    throw damaged(array, chunk, "is cut short");
  const size = 2 * array.chunk[0] * array.chunk[1] * array.chunk[2];
  const isHere = stored.buffer === input;
  const kernels = codec === "planes" && isHere ? kernelsFor(size / 2) : undefined;
  const plain = kernels
    ? kernels.decodeSealed(stored.byteOffset, stored.length, LZ4_OF_PLANES, size / 2)
    : checkedBytes(codec, stored, end, size, isHere);
  if (plain === "checksum") throw damaged(array, chunk, "fails its checksum");
  if (plain === "form") throw damaged(array, chunk, `is not ${size} bytes in its codec, ${codec}`);
  return plain;
}

function checkedBytes(codec: ChunkCodec, stored: Uint8Array, end: number, size: number, isHere: boolean) {
  const sum = storedSum(stored, end);
  if ((isHere ? planeKernels!.crc(stored.byteOffset, end) : crc32c(stored, 0, end)) !== sum)
    return "checksum";
  const plain = codec === "planes" ? decodeBlosc(stored, end, size) : stored.subarray(0, end);
  return plain?.length === size ? plain : "form";
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

/** Where chunks are decoded, so that they need not be copied there. */
const scratch = planeKernels?.input ?? new Uint8Array(INPUT_BYTES);

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
      if (offset < to || offset - to > MAX_GAP_BYTES || end - from > scratch.length) break;
      to = end;
    }
    const buffer = to - from <= scratch.length ? scratch.subarray(0, to - from) : new Uint8Array(to - from);
    const filled = existing(array.key, store.readInto(array.key, from, buffer));
    for (; first < next; first++) {
      const chunk = chunks[first]!;
      const at = Math.min(chunkOffset(index, chunk) - from, filled);
      const stored = buffer.subarray(at, Math.min(filled, at + chunkLength(index, chunk)));
      take(chunk, decodeChunk(array, chunk, stored));
    }
  }
}
