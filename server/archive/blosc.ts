import { joinPlanes, splitPlanes } from "./bit-planes.ts";
import { MAX_PLANE_VALUES, PLANE_GROUP, type PlaneKernels, planeKernels } from "./kernels/planes.ts";
import { compressLz4, decompressLz4, maxLz4Bytes } from "./lz4.ts";

/**
 * Chunks as Zarr's `blosc` codec stores them (README_CHUNK_FORMAT.rst of c-blosc 1): sixteen bytes of header, the place of
 * the only block, its length, and the block, of int16 whose bits are shuffled. c-blosc writes several blocks for
 * more than 32 kB and plain chunks where nothing is gained; these are other forms, which are not read here.
 */

/** Version of the format, version of the compressor's, flags, bytes a value. */
export const LZ4_OF_PLANES = word(2, 1, 0x34, 2);
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
  return framed(values.length, block, spare);
}

let packed = new Uint8Array(0);

function packing(length: number): Uint8Array {
  if (packed.length < length) packed = new Uint8Array(length);
  return packed;
}

function framed(size: number, block: Uint8Array, spare: number): Buffer {
  // From Node's pool: memory of its own for each chunk makes the garbage collector run.
  const chunk = Buffer.allocUnsafe(PREFIX_BYTES + block.length + spare);
  chunk.writeInt32LE(LZ4_OF_PLANES, 0);
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
    wordAt(stored, 0) === LZ4_OF_PLANES &&
    wordAt(stored, 4) === size &&
    wordAt(stored, 8) === size &&
    wordAt(stored, 12) === end &&
    wordAt(stored, HEADER_BYTES) === BLOCK_AT &&
    wordAt(stored, BLOCK_AT) === length;
  if (!isWhole) return undefined;
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
