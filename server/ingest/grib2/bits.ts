/** Packed numbers, first bit first, with zeros behind them so that a reader may look a word ahead. */
export class Bits {
  readonly view: DataView;
  /** Bits there are. */
  readonly length: number;

  constructor(bytes: Uint8Array) {
    const padded = new Uint8Array(bytes.length + 8);
    padded.set(bytes);
    this.view = new DataView(padded.buffer);
    this.length = bytes.length * 8;
  }
}

/** Bits of one section beyond which positions no longer fit the 32-bit integers the readers count in. */
export const MAX_BITS = 2 ** 31 - 64;

/**
 * The unsigned number of `width` bits (0…32) at bit `position`.
 *
 * The bounds of a whole block are checked once by the caller, not here.
 */
export function readBits(view: DataView, position: number, width: number): number {
  if (width === 0) return 0;
  const shift = position & 7;
  const byte = position >>> 3;
  const word = view.getInt32(byte) << shift;
  if (width <= 25) return word >>> (32 - width);
  return ((word | (view.getUint8(byte + 4) >>> (8 - shift))) >>> (32 - width)) >>> 0;
}
