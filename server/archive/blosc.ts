import { zstdDecompressSync } from "node:zlib";
import { joinPlanes, splitPlanes } from "./bit-planes.ts";
import { MAX_PLANE_VALUES, PLANE_GROUP, type PlaneKernels, planeKernels } from "./kernels/planes.ts";
import { compressLz4, decompressLz4, maxLz4Bytes } from "./lz4.ts";

/**
 * Chunks as Zarr's `blosc` codec stores them (README_CHUNK_FORMAT.rst of c-blosc 1): sixteen bytes of header, the place of
 * the only block, its length, and the block, of int16 whose bits or bytes are shuffled. c-blosc writes several blocks for
 * more than 32 kB and plain chunks where nothing is gained; these are other forms, which are not read here.
 */

/** Version of the format, version of the compressor's, flags, bytes a value. */
export const LZ4_OF_PLANES = word(2, 1, 0x34, 2);
const ZSTD_OF_BYTES = word(2, 1, 0x91, 2);
const HEADER_BYTES = 16;
/** The block begins behind the header and its own place. */
const BLOCK_AT = 20;
const PREFIX_BYTES = 24;

function word(...bytes: [number, number, number, number]): number {
  return bytes[0] | (bytes[1] << 8) | (bytes[2] << 16) | (bytes[3] << 24);
}

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/**
 * LZ4 of bit planes: about as small as zstd where neighbours differ in few bits, and several times as fast to read.
 *
 * @param values Little-endian int16, a multiple of eight.
 * @param spare Bytes left free behind the chunk, for a checksum.
 */
export function encodePlanes(values: Uint8Array, spare = 0): Buffer {
  const kernels = kernelsFor(values.length / 2);
  const planes = kernels ? kernels.split(values) : splitPlanes(values);
  const packed = packing(maxLz4Bytes(values.length));
  const length = compressLz4(planes, packed);
  // A block that is as long as its content is plain.
  const block = length < planes.length ? packed.subarray(0, length) : planes;
  return framed(LZ4_OF_PLANES, values.length, block, spare);
}

let packed = new Uint8Array(0);

function packing(length: number): Uint8Array {
  if (packed.length < length) packed = new Uint8Array(length);
  return packed;
}

/** All low bytes, then all high ones, to be compressed with zstd and `framed`. @param values Little-endian int16. */
export function splitBytes(values: Uint8Array): Uint8Array {
  const count = values.length / 2;
  const split = new Uint8Array(values.length);
  for (let i = 0; i < count; i++) {
    split[i] = values[2 * i]!;
    split[count + i] = values[2 * i + 1]!;
  }
  return split;
}

/** @param split What `splitBytes` returned. @param compressed The same as a zstd frame. */
export function encodeBytes(split: Uint8Array, compressed: Uint8Array, spare = 0): Buffer {
  return framed(ZSTD_OF_BYTES, split.length, compressed.length < split.length ? compressed : split, spare);
}

function framed(kind: number, size: number, block: Uint8Array, spare: number): Buffer {
  // From Node's pool: memory of its own for each chunk makes the garbage collector run.
  const chunk = Buffer.allocUnsafe(PREFIX_BYTES + block.length + spare);
  chunk.writeInt32LE(kind, 0);
  chunk.writeInt32LE(size, 4);
  chunk.writeInt32LE(size, 8);
  chunk.writeInt32LE(PREFIX_BYTES + block.length, 12);
  chunk.writeInt32LE(BLOCK_AT, HEADER_BYTES);
  chunk.writeInt32LE(block.length, BLOCK_AT);
  chunk.set(block, PREFIX_BYTES);
  return chunk;
}

/**
 * Decodes a chunk. Time and memory are bounded by `size`, whatever the bytes are.
 *
 * @param stored Begins with the chunk.
 * @param end Where the chunk ends.
 * @param size Bytes of the values.
 * @returns Little-endian int16, valid until the next call; undefined where the bytes are not such a chunk of that size.
 */
export function decodeBlosc(stored: Uint8Array, end: number, size: number): Uint8Array | undefined {
  const length = end - PREFIX_BYTES;
  const isWhole =
    length >= 0 &&
    length <= size &&
    wordAt(stored, 4) === size &&
    wordAt(stored, 8) === size &&
    wordAt(stored, 12) === end &&
    wordAt(stored, HEADER_BYTES) === BLOCK_AT &&
    wordAt(stored, BLOCK_AT) === length;
  if (!isWhole) return undefined;
  const kind = wordAt(stored, 0);
  if (kind === LZ4_OF_PLANES) return decodePlanes(stored, length, size);
  if (kind === ZSTD_OF_BYTES) return decodeBytes(stored.subarray(PREFIX_BYTES, end), size);
  return undefined;
}

function decodePlanes(stored: Uint8Array, length: number, size: number): Uint8Array | undefined {
  const kernels = kernelsFor(size / 2);
  if (!kernels) {
    const block = stored.subarray(PREFIX_BYTES, PREFIX_BYTES + length);
    const planes = length === size ? block : decompressLz4(block, size);
    return planes && joinPlanes(planes);
  }
  let at = stored.byteOffset + PREFIX_BYTES;
  if (stored.buffer !== kernels.input.buffer) {
    kernels.input.set(stored.subarray(PREFIX_BYTES, PREFIX_BYTES + length));
    at = 0;
  }
  return length === size ? kernels.join(at, size / 2) : kernels.decode(at, length, size / 2);
}

/** The kernels, for a chunk of as many values; undefined where they cannot decode it. */
export function kernelsFor(values: number): PlaneKernels | undefined {
  return values <= MAX_PLANE_VALUES && values % PLANE_GROUP === 0 ? planeKernels : undefined;
}

function decodeBytes(block: Uint8Array, size: number): Uint8Array | undefined {
  const split = block.length === size ? block : unzstd(block, size);
  if (split?.length !== size) return undefined;
  const count = size / 2;
  const joined = new Uint8Array(size);
  const values = new Uint16Array(joined.buffer);
  for (let i = 0; i < count; i++) values[i] = split[i]! | (split[count + i]! << 8);
  return joined;
}

/** A zstd frame of at most `size` bytes; undefined where it is damaged or longer. */
export function unzstd(block: Uint8Array, size: number): Uint8Array | undefined {
  try {
    // One byte to spare: zlib follows a full buffer with another, and then copies both into a third.
    return zstdDecompressSync(block, { maxOutputLength: size, chunkSize: Math.max(64, size + 1) });
  } catch {
    return undefined;
  }
}
