import type { PackedSections } from "./grib-message.ts";
import { OctetWriter } from "./octet-writer.ts";

const BITS = 16;
const MOST = 2 ** BITS - 1;
const LARGEST_EXACT = 2 ** 24;

/** Values quantised to whole numbers: value = (reference + number · 2^binary) / 10^decimals. */
export interface Quantised {
  reference: number;
  binary: number;
  decimals: number;
  /** Numbers of the present values, in order; at most 65535. */
  numbers: Uint16Array;
  /** One bit per node, the first node in the highest bit; undefined if none is missing. */
  bitmap: Uint8Array | undefined;
  nodes: number;
}

/**
 * Rounds values to whole numbers of 16 bits.
 *
 * @param values NaN = missing.
 * @param decimals Decimal digits kept, if the range of the values allows it.
 */
export function quantise(values: Float64Array, decimals: number): Quantised {
  const scale = 10 ** decimals;
  const { least, most, there } = rangeOf(values);
  // A whole reference below 2^24 is exact as a 32-bit float.
  const reference = there === 0 ? 0 : Math.floor(least * scale);
  if (Math.abs(reference) >= LARGEST_EXACT) return quantise(values, decimals - 1);
  const span = there === 0 ? 0 : most * scale - reference;
  const binary = Math.max(0, Math.ceil(Math.log2(span / MOST)));
  const numbers = new Uint16Array(there);
  const bitmap = there < values.length ? new Uint8Array(Math.ceil(values.length / 8)) : undefined;
  const factor = scale / 2 ** binary;
  const shift = reference / 2 ** binary - 0.5;
  let at = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    if (bitmap) {
      if (Number.isNaN(value)) continue;
      bitmap[i >> 3]! |= 128 >> (i & 7);
    }
    // Numbers are never negative, so truncation after the shift rounds correctly.
    numbers[at++] = value * factor - shift;
  }
  return { reference, binary, decimals, numbers, bitmap, nodes: values.length };
}

function rangeOf(values: Float64Array): { least: number; most: number; there: number } {
  let least = Number.POSITIVE_INFINITY;
  let most = Number.NEGATIVE_INFINITY;
  let missing = 0;
  for (let i = 0; i < values.length; i++) {
    const value = values[i]!;
    // NaN compares false.
    if (value < least) least = value;
    if (value > most) most = value;
    if (Number.isNaN(value)) missing++;
  }
  return { least, most, there: values.length - missing };
}

/** Length of simple packing for a number of nodes, some of which have values, octets. */
export function simpleLength(nodes: number, there: number): number {
  return 21 + (there < nodes ? 6 + Math.ceil(nodes / 8) : 6) + 5 + 2 * there;
}

/** Section 5 up to the octet with the number of bits. */
export function scaling(
  template: number,
  { reference, binary, decimals, numbers }: Quantised,
  bits = BITS,
): OctetWriter {
  return new OctetWriter()
    .unsigned(4, numbers.length)
    .unsigned(2, template)
    .float(reference)
    .signed(2, binary)
    .signed(2, decimals)
    .unsigned(1, bits);
}

/** Section 6. */
export function bitmapSection({ bitmap }: { bitmap?: Uint8Array | undefined }): Uint8Array {
  if (!bitmap) return new OctetWriter().unsigned(1, 255).section(6);
  return Buffer.concat([new OctetWriter().unsigned(1, 0).section(6, bitmap.length), bitmap]);
}

/** Section 7. */
export function dataSection(bytes: Uint8Array): Uint8Array {
  return Buffer.concat([new OctetWriter().section(7, bytes.length), bytes]);
}

/** Template 5.0: numbers of 16 bits, one after another. */
export function packSimple(quantised: Quantised): PackedSections {
  const swapped = Buffer.from(quantised.numbers.slice().buffer);
  swapped.swap16();
  return [scaling(0, quantised).unsigned(1, 0).section(5), bitmapSection(quantised), dataSection(swapped)];
}
