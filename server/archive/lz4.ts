/** LZ4 blocks (lz4_Block_format.md of github.com/lz4/lz4). */

const MIN_MATCH = 4;
/** The format wants the last bytes as literals, and no match to begin within the last twelve. */
const LAST_LITERALS = 5;
const LAST_START = 12;
const MAX_OFFSET = 65_535;
const HASH_BITS = 12;

const positions = new Int32Array(1 << HASH_BITS);

/** Longest block that `compressLz4` writes. */
export function maxLz4Bytes(length: number): number {
  return length + Math.ceil(length / 255) + 16;
}

/**
 * Compresses bytes as one block: greedy, each match the last place where the same four bytes were.
 *
 * @param into At least `maxLz4Bytes` long.
 * @returns Bytes of the block.
 */
export function compressLz4(bytes: Uint8Array, into: Uint8Array): number {
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

function wordAt(bytes: Uint8Array, at: number): number {
  return bytes[at]! | (bytes[at + 1]! << 8) | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24);
}

/**
 * Decodes a block; planes.wat does the same faster.
 *
 * @returns undefined if it is malformed or does not have exactly `size` bytes.
 */
export function decompressLz4(block: Uint8Array, size: number): Uint8Array | undefined {
  const out = new Uint8Array(size);
  let from = 0;
  let to = 0;

  /** @returns −1 where the block ends inside. */
  const lengthFrom = (code: number): number => {
    let length = code;
    if (code < 15) return length;
    for (;;) {
      if (from >= block.length) return -1;
      const byte = block[from++]!;
      length += byte;
      if (byte < 255) return length;
    }
  };

  while (from < block.length) {
    const token = block[from++]!;
    const literals = lengthFrom(token >> 4);
    if (literals < 0 || literals > block.length - from || literals > size - to) return undefined;
    out.set(block.subarray(from, from + literals), to);
    from += literals;
    to += literals;
    if (from === block.length) return to === size ? out : undefined;
    if (block.length - from < 2) return undefined;
    const offset = block[from]! | (block[from + 1]! << 8);
    from += 2;
    const more = lengthFrom(token & 15);
    const length = more + MIN_MATCH;
    if (more < 0 || offset === 0 || offset > to || length > size - to) return undefined;
    for (const end = to + length; to < end; to++) out[to] = out[to - offset]!;
  }
  return undefined;
}
