import { Bits, MAX_BITS, readBits, signAndMagnitude, UnreadableError } from "./octets.ts";
import type { ComplexPacking, Scaling } from "./sections.ts";

/** Bit positions of the parts of section 7 of a complex packing. */
interface Layout {
  /** The first values and the smallest difference; see `order`. */
  extras: number;
  references: number;
  widths: number;
  lengths: number;
  values: number;
}

/**
 * Unpacks complex packing (template 5.2) with or without spatial differences (5.3).
 *
 * Values are coded in groups; each group has its own reference, width in bits and length. With differences of order 1
 * or 2 the coded values are d, and f[i] = d[i] + smallest + f[i−1], or + 2 f[i−1] − f[i−2], over the values not
 * missing.
 *
 * @returns NaN for values coded as missing.
 */
export function unpackComplex(bytes: Uint8Array, packing: ComplexPacking, count: number): Float32Array {
  if (packing.groups === 0 || (bytes.length === 0 && packing.bits === 0)) return constant(packing, count);
  const bits = new Bits(bytes);
  const layout = checkedLayout(bits, packing, count);
  return packing.missingCodes === 0
    ? unpackAll(bits.view, layout, packing, count)
    : unpackWithMissing(bits.view, layout, packing, count);
}

function checkedLayout(bits: Bits, packing: ComplexPacking, count: number): Layout {
  const { groups } = packing;
  const octets = (parts: number, width: number) => Math.ceil((parts * width) / 8) * 8;
  const references = packing.order === 0 ? 0 : (packing.order + 1) * packing.extraOctets * 8;
  const widths = references + octets(groups, packing.bits);
  const lengths = widths + octets(groups, packing.widthBits);
  const values = lengths + octets(groups, packing.lengthBits);
  if (groups > count || bits.length > MAX_BITS || values > bits.length) {
    throw new UnreadableError(
      `damaged: ${groups} groups of ${count} values do not fit into its values section`,
    );
  }
  const layout = { extras: 0, references, widths, lengths, values };
  checkGroups(bits, layout, packing, count);
  return layout;
}

/** Checks that the lengths add up to all values and that the bits of all groups are present. */
function checkGroups({ view, length }: Bits, layout: Layout, packing: ComplexPacking, count: number): void {
  let { widths, lengths } = layout;
  let valuesSeen = 0;
  let bitsSeen = 0;
  for (let group = 0; group < packing.groups; group++) {
    const width = packing.widthReference + readBits(view, widths, packing.widthBits);
    const groupLength =
      group === packing.groups - 1
        ? packing.lastLength
        : packing.lengthReference + readBits(view, lengths, packing.lengthBits) * packing.lengthIncrement;
    widths += packing.widthBits;
    lengths += packing.lengthBits;
    valuesSeen += groupLength;
    bitsSeen += groupLength * width;
    if (width > 32) throw new UnreadableError(`damaged: a group of numbers of ${width} bits`);
    if (valuesSeen > count) break;
  }
  if (valuesSeen !== count || layout.values + bitsSeen > length) {
    throw new UnreadableError(`damaged: the lengths of its groups do not add up to its ${count} values`);
  }
}

/** Reads the first values and the smallest difference, which are signed integers. */
function readExtras(view: DataView, { order, extraOctets }: ComplexPacking): [number, number, number] {
  const width = extraOctets * 8;
  const extra = (index: number) =>
    width === 0 ? 0 : signAndMagnitude(readBits(view, index * width, width), 2 ** (width - 1));
  return order === 1 ? [extra(0), 0, extra(1)] : [extra(0), extra(1), extra(2)];
}

/** Unpacks the common case without missing values in one pass from packed bits to scaled values. */
function unpackAll(view: DataView, layout: Layout, packing: ComplexPacking, count: number): Float32Array {
  const out = new Float32Array(count);
  const { order, groups, bits, widthReference, widthBits, lengthReference, lengthIncrement, lengthBits } =
    packing;
  const { reference: base, binaryFactor, decimalFactor } = packing;
  const [first, second, smallest] = order === 0 ? [0, 0, 0] : readExtras(view, packing);
  // For order 2 the recurrence is computed as two running sums: slope is f[i] − f[i−1].
  let previous = 0;
  let slope = 0;
  let { references, widths, lengths } = layout;
  let position = layout.values;
  let index = 0;
  for (let group = 0; group < groups; group++) {
    const reference = readBits(view, references, bits) + smallest;
    const width = widthReference + readBits(view, widths, widthBits);
    const length =
      group === groups - 1
        ? packing.lastLength
        : lengthReference + readBits(view, lengths, lengthBits) * lengthIncrement;
    references += bits;
    widths += widthBits;
    lengths += lengthBits;
    const end = index + length;
    // The first values are stored separately, and the codes in their place have no meaning.
    while (index < order && index < end) {
      const value = index === 0 ? first : second;
      slope = index === 0 ? 0 : value - previous;
      previous = value;
      out[index++] = (base + value * binaryFactor) * decimalFactor;
      position += width;
    }
    if (width <= 25) {
      const unused = 32 - width;
      // A shift by 32 would be a shift by 0, so a group of width 0 gets an empty mask.
      const mask = width === 0 ? 0 : -1;
      if (order === 2) {
        for (; index < end; index++) {
          slope += reference + (((view.getInt32(position >>> 3) << (position & 7)) & mask) >>> unused);
          previous += slope;
          out[index] = (base + previous * binaryFactor) * decimalFactor;
          position += width;
        }
      } else if (order === 1) {
        for (; index < end; index++) {
          previous += reference + (((view.getInt32(position >>> 3) << (position & 7)) & mask) >>> unused);
          out[index] = (base + previous * binaryFactor) * decimalFactor;
          position += width;
        }
      } else {
        for (; index < end; index++) {
          const coded = ((view.getInt32(position >>> 3) << (position & 7)) & mask) >>> unused;
          out[index] = (base + (reference + coded) * binaryFactor) * decimalFactor;
          position += width;
        }
      }
    } else {
      for (; index < end; index++) {
        const difference = reference + readBits(view, position, width);
        if (order === 2) slope += difference;
        previous = order === 0 ? difference : previous + (order === 2 ? slope : difference);
        out[index] = (base + previous * binaryFactor) * decimalFactor;
        position += width;
      }
    }
  }
  return out;
}

/**
 * Unpacks values with codes for missing ones: the largest number of a group's width and, with two codes, the one below
 * it. In a group of width 0 the reference is compared with the largest number of the reference's width.
 */
function unpackWithMissing(
  view: DataView,
  layout: Layout,
  packing: ComplexPacking,
  count: number,
): Float32Array {
  const out = new Float32Array(count);
  const { order, groups, bits, missingCodes } = packing;
  const { reference: base, binaryFactor, decimalFactor } = packing;
  const [first, second, smallest] = order === 0 ? [0, 0, 0] : readExtras(view, packing);
  let [previous, slope, present] = [0, 0, 0];
  let { references, widths, lengths } = layout;
  let position = layout.values;
  let index = 0;
  for (let group = 0; group < groups; group++) {
    const reference = readBits(view, references, bits);
    const width = packing.widthReference + readBits(view, widths, packing.widthBits);
    const length =
      group === groups - 1
        ? packing.lastLength
        : packing.lengthReference + readBits(view, lengths, packing.lengthBits) * packing.lengthIncrement;
    references += bits;
    widths += packing.widthBits;
    lengths += packing.lengthBits;
    const lowestMissing = 2 ** (width === 0 ? bits : width) - missingCodes;
    for (const end = index + length; index < end; index++) {
      const coded = readBits(view, position, width);
      position += width;
      if ((width === 0 ? reference : coded) >= lowestMissing) {
        out[index] = Number.NaN;
        continue;
      }
      const difference = reference + coded + smallest;
      if (present < order) {
        const value = present === 0 ? first : second;
        slope = present === 0 ? 0 : value - previous;
        previous = value;
      } else if (order === 2) {
        slope += difference;
        previous += slope;
      } else previous = order === 1 ? previous + difference : difference;
      present++;
      out[index] = (base + previous * binaryFactor) * decimalFactor;
    }
  }
  return out;
}

/** A field of 0 bits: the reference everywhere, scaled like any other value (WMO regulation 92.9.4). */
export function constant({ reference, decimalFactor }: Scaling, count: number): Float32Array {
  return new Float32Array(count).fill(reference * decimalFactor);
}
