import { Bits, readBits } from "./bits.ts";
import { Unreadable } from "./grib-error.ts";
import type { Scaling } from "./packing.ts";

/** Simple packing (template 5.0): every value in the same number of bits. */
export function unpackSimple(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  const { bits: width } = packing;
  if (width === 0) return constant(packing, count);
  const bits = new Bits(bytes);
  if (count * width > bits.length) {
    throw new Unreadable(`damaged: ${count} values of ${width} bits do not fit into ${bytes.length} octets`);
  }
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  const { view } = bits;
  if (width <= 25) {
    const unused = 32 - width;
    for (let index = 0, position = 0; index < count; index++, position += width) {
      out[index] =
        (reference + ((view.getInt32(position >>> 3) << (position & 7)) >>> unused) * binaryFactor) *
        decimalFactor;
    }
  } else {
    for (let index = 0, position = 0; index < count; index++, position += width) {
      out[index] = (reference + readBits(view, position, width) * binaryFactor) * decimalFactor;
    }
  }
  return out;
}

/** A field without bits: the reference everywhere, scaled as any other value (WMO regulation 92.9.4). */
export function constant({ reference, decimalFactor }: Scaling, count: number): Float32Array {
  return new Float32Array(count).fill(reference * decimalFactor);
}

/** Scales coded numbers, for the packings that leave whole numbers to a picture codec. */
export function scale(coded: ArrayLike<number>, packing: Scaling, count: number): Float32Array {
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  for (let index = 0; index < count; index++)
    out[index] = (reference + coded[index]! * binaryFactor) * decimalFactor;
  return out;
}
