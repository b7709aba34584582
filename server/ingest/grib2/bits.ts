/** Packed numbers, most significant bit first, padded with zeros so that a reader may read a word ahead. */
export class Bits {
  readonly view: DataView;
  /** Number of bits, without the padding. */
  readonly length: number;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.view = new DataView(padded.buffer);
    this.length = bytes.length * 8;
  }
}

/** Largest section in bits whose positions fit the 32-bit integers of the readers. */
export const MAX_BITS = 2 ** 31 - 64;

/**
 * The unsigned number of `width` bits (0…32) at bit `position`.
 *
 * Bounds are checked by the caller, once per block.
 */
export function readBits(view: DataView, position: number, width: number): number {
  if (width === 0) return 0;
  const shift = position & 7;
  const byte = position >>> 3;
  const word = view.getInt32(byte) << shift;
  if (width <= 25) return word >>> (32 - width);
  return ((word | (view.getUint8(byte + 4) >>> (8 - shift))) >>> (32 - width)) >>> 0;
}
