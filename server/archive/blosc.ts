import { planeKernels } from "./kernels/planes.ts";

/**
 * Chunks have the form of Zarr's `blosc` codec (README_CHUNK_FORMAT.rst of c-blosc 1): a header of sixteen bytes, the
 * offset of the only block, its length, and the block, which holds bit-shuffled int16. c-blosc writes several blocks
 * for more than 32 kB and plain chunks where compression gains nothing; this module does not read those forms.
 */

/** Version of the format, version of the compressor's, flags, bytes a value. */
export const LZ4_OF_PLANES = word(2, 1, 0x34, 2);
const HEADER_BYTES = 16;
/** The block begins after the header and its own offset. */
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
 * @param values Little-endian int16, a multiple of `PLANE_GROUP`, `MAX_PLANE_VALUES` at most.
 * @param spare Bytes left free behind the chunk, for a checksum.
 */
export function encodePlanes(values: Uint8Array, spare = 0): Buffer {
  const planes = planeKernels.split(values);
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
  // The buffer comes from Node's pool: a separate allocation for each chunk would keep the garbage collector busy.
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

/** LZ4 blocks (lz4_Block_format.md of github.com/lz4/lz4). */

const MIN_MATCH = 4;
/** The format wants the last bytes as literals, and no match to begin within the last twelve. */
const LAST_LITERALS = 5;
const LAST_START = 12;
const MAX_OFFSET = 65_535;
const HASH_BITS = 12;

const positions = new Int32Array(1 << HASH_BITS);

/** Longest block that `compressLz4` writes. */
function maxLz4Bytes(length: number): number {
  return length + Math.ceil(length / 255) + 16;
}

/**
 * Compresses bytes as one block: greedy, each match the last place where the same four bytes were.
 *
 * @param into At least `maxLz4Bytes` long.
 * @returns Bytes of the block.
 */
function compressLz4(bytes: Uint8Array, into: Uint8Array): number {
  positions.fill(-1);
  let written = 0;
  let literals = 0;
  let at = 0;
  const end = bytes.length;

  const putLength = (length: number) => {
    let rest = length - 15;
    for (; rest >= 255; rest -= 255) into[written++] = 255;
    into[written++] = rest;
  };
  const putLiterals = (to: number, matchCode: number) => {
    const count = to - literals;
    into[written++] = (Math.min(count, 15) << 4) | Math.min(matchCode, 15);
    if (count >= 15) putLength(count);
    for (let from = literals; from < to; from++) into[written++] = bytes[from]!;
  };

  let next = end > LAST_START ? wordAt(bytes, 0) : 0;
  while (at < end - LAST_START) {
    const word = next;
    const hash = Math.imul(word, -1_640_531_535) >>> (32 - HASH_BITS);
    const candidate = positions[hash]!;
    positions[hash] = at;
    if (candidate < 0 || at - candidate > MAX_OFFSET || wordAt(bytes, candidate) !== word) {
      at++;
      next = (word >>> 8) | (bytes[at + 3]! << 24);
      continue;
    }
    let length = MIN_MATCH;
    while (at + length < end - LAST_LITERALS && bytes[candidate + length] === bytes[at + length]) length++;
    putLiterals(at, length - MIN_MATCH);
    into[written++] = at - candidate;
    into[written++] = (at - candidate) >> 8;
    if (length - MIN_MATCH >= 15) putLength(length - MIN_MATCH);
    at += length;
    literals = at;
    if (at < end - LAST_START) next = wordAt(bytes, at);
  }
  putLiterals(end, 0);
  return written;
}

/** How the chunks of an array are stored: see `ChunkCodec`. */
export const chunkCodecNames = ["plain", "planes"] as const;
