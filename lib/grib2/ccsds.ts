import { constant } from "./complex-packing.ts";
import { Bits, MAX_BITS, readBits, UnreadableError } from "./octets.ts";
import type { CcsdsPacking } from "./sections.ts";

/** Flags of the coder, with libaec's names. */
const SIGNED = 1;
const PREPROCESSED = 8;
const RESTRICTED = 16;
const PADDED_INTERVALS = 32;

/** Code of a zero run that extends to the end of its segment of 64 blocks. */
const REST_OF_SEGMENT = 5;
const SEGMENT = 64;

/** Largest code of the second extension, for pairs whose sum is at most 12. */
const MAX_PAIR_CODE = 90;

/**
 * Unpacks CCSDS 121.0-B lossless coding (template 5.42), as libaec writes it.
 *
 * Samples are coded in blocks, and an identifier selects the coding of each block. Every `referenceInterval` blocks a
 * sample is stored uncoded; the others are differences from the previous one.
 */
export function unpackCcsds(bytes: Uint8Array, packing: CcsdsPacking, count: number): Float32Array {
  if (packing.bits === 0) return constant(packing, count);
  const { blockSize, referenceInterval, flags } = packing;
  const bits = new Bits(bytes);
  if (blockSize < 2 || blockSize > 64 || blockSize % 2 !== 0 || referenceInterval < 1) {
    throw new UnreadableError(
      `CCSDS blocks of ${blockSize} samples, ${referenceInterval} to an interval, are not read`,
    );
  }
  if ((flags & SIGNED) !== 0) throw new UnreadableError("CCSDS coding of signed samples is not read");
  if (bits.length > MAX_BITS) throw new UnreadableError(`${bytes.length} octets of values are too many`);
  const out = new Float32Array(count);
  const interval = new Uint32Array(Math.min(referenceInterval, Math.ceil(count / blockSize)) * blockSize);
  const blocks = new BlockReader(bits, packing);
  for (let done = 0; done < count; done += interval.length) {
    const wanted = Math.min(interval.length, count - done);
    blocks.readInterval(interval, wanted);
    if ((flags & PREPROCESSED) !== 0) undoDifferences(interval, wanted, packing.bits);
    scaleInto(out, done, interval, wanted, packing);
  }
  return out;
}

class BlockReader {
  readonly #bits: Bits;
  readonly #width: number;
  readonly #identifierBits: number;
  readonly #blockSize: number;
  readonly #preprocessed: boolean;
  readonly #padded: boolean;
  readonly #blocksToInterval: number;
  #position = 0;

  constructor(bits: Bits, { bits: width, blockSize, flags, referenceInterval }: CcsdsPacking) {
    this.#bits = bits;
    this.#width = width;
    this.#identifierBits = identifierBits(width, (flags & RESTRICTED) !== 0);
    this.#blockSize = blockSize;
    this.#blocksToInterval = referenceInterval;
    this.#preprocessed = (flags & PREPROCESSED) !== 0;
    this.#padded = (flags & PADDED_INTERVALS) !== 0;
  }

  /** Reads at least `wanted` samples: all blocks of an interval, or the rest. */
  readInterval(out: Uint32Array, wanted: number): void {
    const uncompressed = 2 ** this.#identifierBits - 1;
    for (let at = 0; at < wanted; ) {
      // The reference sample is stored uncoded, before the rest of its block.
      const reference = this.#preprocessed && at === 0 ? 1 : 0;
      const identifier = this.#take(this.#identifierBits);
      const lowEntropy = identifier === 0 ? this.#take(1) + 1 : 0;
      if (reference === 1 && identifier !== uncompressed) out[0] = this.#take(this.#width);
      if (lowEntropy === 1) at = this.#readZeros(out, at, reference);
      else {
        if (lowEntropy === 2) this.#readPairs(out, at, reference);
        else if (identifier === uncompressed) this.#readRaw(out, at);
        else this.#readSplit(out, at, reference, identifier - 1);
        at += this.#blockSize;
      }
    }
    if (this.#padded) this.#position = (this.#position + 7) & ~7;
  }

  #readZeros(out: Uint32Array, at: number, reference: number): number {
    const block = at / this.#blockSize;
    let run = this.#unary() + 1;
    if (run === REST_OF_SEGMENT) {
      run = Math.min(this.#blocksToInterval - block, SEGMENT - (block % SEGMENT));
    } else if (run > REST_OF_SEGMENT) run--;
    if (run > this.#blocksToInterval - block) throw damaged();
    // The interval at the end of the field may be shorter than the coder's.
    const end = Math.min(at + run * this.#blockSize, out.length);
    out.fill(0, at + reference, end);
    return end;
  }

  /** Reads the second extension: two samples per code. */
  #readPairs(out: Uint32Array, at: number, reference: number): void {
    for (let index = reference; index < this.#blockSize; ) {
      const code = this.#unary();
      if (code > MAX_PAIR_CODE) throw damaged();
      const sum = Math.floor((Math.sqrt(8 * code + 1) - 1) / 2);
      const second = code - (sum * (sum + 1)) / 2;
      if (index % 2 === 0) out[at + index++] = sum - second;
      out[at + index++] = second;
    }
  }

  #readRaw(out: Uint32Array, at: number): void {
    for (let index = 0; index < this.#blockSize; index++) out[at + index] = this.#take(this.#width);
  }

  /** Reads the high parts of all samples of the block in unary, then their `low` low bits. */
  #readSplit(out: Uint32Array, at: number, reference: number, low: number): void {
    const end = at + this.#blockSize;
    const { view, length } = this.#bits;
    let position = this.#position;
    for (let index = at + reference; index < end; index++) {
      if (position >= length) throw damaged();
      const word = view.getInt32(position >>> 3) << (position & 7);
      if (word !== 0) {
        const zeros = Math.clz32(word);
        out[index] = zeros << low;
        position += zeros + 1;
      } else {
        this.#position = position;
        out[index] = this.#unary() << low;
        position = this.#position;
      }
    }
    if (low > 0) {
      if (position + (this.#blockSize - reference) * low > length) throw damaged();
      if (low <= 25) {
        const unused = 32 - low;
        for (let index = at + reference; index < end; index++, position += low) {
          out[index] = out[index]! + ((view.getInt32(position >>> 3) << (position & 7)) >>> unused);
        }
      } else {
        for (let index = at + reference; index < end; index++, position += low) {
          out[index] = out[index]! + readBits(view, position, low);
        }
      }
    }
    this.#position = position;
  }

  /** Number of zero bits before the next one bit. */
  #unary(): number {
    const { view, length } = this.#bits;
    let zeros = 0;
    for (;;) {
      if (this.#position >= length) throw damaged();
      const seen = 32 - (this.#position & 7);
      const word = view.getInt32(this.#position >>> 3) << (this.#position & 7);
      if (word !== 0) {
        const more = Math.clz32(word);
        this.#position += more + 1;
        return zeros + more;
      }
      zeros += seen;
      this.#position += seen;
    }
  }

  #take(width: number): number {
    if (this.#position + width > this.#bits.length) throw damaged();
    const value = readBits(this.#bits.view, this.#position, width);
    this.#position += width;
    return value;
  }
}

function identifierBits(width: number, restricted: boolean): number {
  if (width > 16) return 5;
  if (width > 8) return 4;
  if (!restricted || width > 4) return 3;
  return width <= 2 ? 1 : 2;
}

/** Reverses the unit-delay predictor: small differences are interleaved, 0 −1 1 −2 2 …, while both signs are possible. */
function undoDifferences(samples: Uint32Array, count: number, width: number): void {
  if (width <= 30) {
    undoSmallDifferences(samples, count, width);
    return;
  }
  const most = 2 ** width - 1;
  const middle = 2 ** (width - 1);
  let value = samples[0]!;
  for (let index = 1; index < count; index++) {
    const folded = samples[index]!;
    const room = value >= middle ? most - value : value;
    if (folded <= 2 * room) value += folded % 2 === 0 ? folded / 2 : -(folded + 1) / 2;
    else value = value >= middle ? most - folded : folded;
    samples[index] = value;
  }
}

/** Does the same in 32-bit integers, which is several times faster and sufficient for real fields. */
function undoSmallDifferences(samples: Uint32Array, count: number, width: number): void {
  const most = 2 ** width - 1;
  const middle = 2 ** (width - 1);
  let value = samples[0]! | 0;
  for (let index = 1; index < count; index++) {
    const folded = samples[index]! | 0;
    const room = value >= middle ? most - value : value;
    const half = (folded + 1) >> 1;
    if (half > room) value = value >= middle ? most - folded : folded;
    else value += folded & 1 ? -half : half;
    samples[index] = value;
  }
}

function scaleInto(
  out: Float32Array,
  from: number,
  samples: Uint32Array,
  count: number,
  packing: CcsdsPacking,
): void {
  const { reference, binaryFactor, decimalFactor } = packing;
  for (let index = 0; index < count; index++)
    out[from + index] = (reference + samples[index]! * binaryFactor) * decimalFactor;
}

const damaged = () => new UnreadableError("damaged: its CCSDS blocks do not hold its values");
