import { kernelsBase64 } from "./ccsds.data.ts";
import { constant } from "./complex-packing.ts";
import { kernelOf } from "./kernel.ts";
import { MAX_BITS, UnreadableError } from "./octets.ts";
import type { CcsdsPacking } from "./sections.ts";

/** Flags of the coder, with libaec's names. */
const SIGNED = 1;
const PREPROCESSED = 8;
const RESTRICTED = 16;
const PADDED_INTERVALS = 32;

/**
 * Unpacks CCSDS 121.0-B lossless coding (template 5.42), as libaec writes it.
 *
 * Samples are coded in blocks, and an identifier selects the coding of each block. Every `referenceInterval` blocks a
 * sample is stored uncoded; the others are differences from the previous one.
 */
export function unpackCcsds(bytes: Uint8Array, packing: CcsdsPacking, count: number): Float32Array {
  if (packing.bits === 0) return constant(packing, count);
  const { blockSize, referenceInterval, flags } = packing;
  if (blockSize < 2 || blockSize > 64 || blockSize % 2 !== 0 || referenceInterval < 1) {
    throw new UnreadableError(
      `CCSDS blocks of ${blockSize} samples, ${referenceInterval} to an interval, are not read`,
    );
  }
  if ((flags & SIGNED) !== 0) throw new UnreadableError("CCSDS coding of signed samples is not read");
  if (bytes.length * 8 > MAX_BITS) throw new UnreadableError(`${bytes.length} octets of values are too many`);
  const out = new Float32Array(count);
  const blocks = Math.min(referenceInterval, Math.ceil(count / blockSize));
  const intervalLength = blocks * blockSize;
  const kernel = kernelWith(4 * intervalLength + bytes.length + 8);
  const { buffer } = kernel.memory;
  const octets = new Uint8Array(buffer, 4 * intervalLength, bytes.length + 8);
  octets.set(bytes);
  octets.fill(0, bytes.length);
  octets.reverse();
  kernel.start(
    packing.bits,
    identifierBits(packing.bits, (flags & RESTRICTED) !== 0),
    blockSize,
    referenceInterval,
    (flags & PREPROCESSED) === 0 ? 0 : 1,
    (flags & PADDED_INTERVALS) === 0 ? 0 : 1,
    packing.reference,
    packing.binaryFactor,
    packing.decimalFactor,
    4 * intervalLength + bytes.length,
    bytes.length,
  );
  const interval = new Float32Array(buffer, 0, intervalLength);
  for (let done = 0; done < count; done += intervalLength) {
    const wanted = Math.min(intervalLength, count - done);
    if (kernel.readInterval(wanted) === 0) throw damaged();
    out.set(wanted < intervalLength ? interval.subarray(0, wanted) : interval, done);
  }
  return out;
}

function identifierBits(width: number, restricted: boolean): number {
  if (width > 16) return 5;
  if (width > 8) return 4;
  if (!restricted || width > 4) return 3;
  return width <= 2 ? 1 : 2;
}

/** The functions of ccsds.wat, which documents them. */
interface Kernel {
  memory: WebAssembly.Memory;
  start(
    width: number,
    identifierBits: number,
    blockSize: number,
    blocks: number,
    isPreprocessed: 0 | 1,
    isPadded: 0 | 1,
    reference: number,
    binaryFactor: number,
    decimalFactor: number,
    first: number,
    length: number,
  ): void;
  readInterval(wanted: number): 0 | 1;
}

const kernelWith = kernelOf<Kernel>(kernelsBase64);

const damaged = () => new UnreadableError("damaged: its CCSDS blocks do not hold its values");
