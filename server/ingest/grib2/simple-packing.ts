import { Bits, readBits } from "./bits.ts";
import { UnreadableError } from "./grib-error.ts";
import type { Scaling } from "./packing.ts";

/** Simple packing (template 5.0): all values have the same number of bits. */
export function unpackSimple(bytes: Uint8Array, packing: Scaling, count: number): Float32Array {
  const { bits: width } = packing;
  if (width === 0) return constant(packing, count);
  const bits = new Bits(bytes);
  if (count * width > bits.length) {
    throw new UnreadableError(
      `damaged: ${count} values of ${width} bits do not fit into ${bytes.length} octets`,
    );
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

/** A field of 0 bits: the reference everywhere, scaled like any other value (WMO regulation 92.9.4). */
export function constant({ reference, decimalFactor }: Scaling, count: number): Float32Array {
  return new Float32Array(count).fill(reference * decimalFactor);
}

/** Scales coded numbers, for the packings whose integers are coded as an image. */
export function scale(coded: ArrayLike<number>, packing: Scaling, count: number): Float32Array {
  const out = new Float32Array(count);
  const { reference, binaryFactor, decimalFactor } = packing;
  for (let index = 0; index < count; index++)
    out[index] = (reference + coded[index]! * binaryFactor) * decimalFactor;
  return out;
}
