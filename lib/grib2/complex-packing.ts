import { BitWriter, bitsFor } from "./bits.ts";
import type { CodedValues } from "./coded-values.ts";
import { type Packed, packSimply, representation } from "./simple-packing.ts";

/** Values that groups begin with and grow by: lengths are multiples of it. */
const BLOCK = 8;

/** About what a group costs besides its values, bits: its reference, width and length. */
const HEAD_BITS = 18;

/** Longest group, in blocks: lengths then take few bits. */
const MAX_BLOCKS = 63;

/** Order of the differences. */
const ORDER = 2;

/** Consecutive values with a reference and a number of bits of their own. */
interface Groups {
  count: number;
  /** Position after the last value of each. */
  ends: Int32Array;
  references: Int32Array;
  largest: Int32Array;
}

/**
 * Template 5.3: groups of second differences, each with its own number of bits. Smooth fields take about half of what
 * simple packing takes. Missing values are left to the bitmap. Few values, equal ones and those of a very wide range are
 * packed simply.
 */
export function packComplex(values: CodedValues): Packed {
  const { coded, smallest, largest } = values;
  const count = coded.length;
  if (count <= ORDER || largest === smallest || largest - smallest >= 2 ** 22) return packSimply(values);
  const differences = new Int32Array(count);
  let least = 2 ** 31 - 1;
  for (let i = ORDER, before = coded[0]!, last = coded[1]!; i < count; i++) {
    const value = coded[i]!;
    const difference = value - last - last + before;
    differences[i] = difference;
    if (difference < least) least = difference;
    before = last;
    last = value;
  }
  for (let i = ORDER; i < count; i++) differences[i]! -= least;
  // The codes of the first values have no meaning: as their neighbour they cost least.
  differences[0] = differences[1] = differences[ORDER]!;
  return packGroups(values, differences, groupsOf(differences), least);
}

/** Joins blocks from left to right, as long as it costs no more bits than groups of their own. */
function groupsOf(values: Int32Array): Groups {
  const most = Math.ceil(values.length / BLOCK);
  const groups: Groups = {
    count: 0,
    ends: new Int32Array(most),
    references: new Int32Array(most),
    largest: new Int32Array(most),
  };
  const { ends, references, largest } = groups;
  let last = -1;
  for (let from = 0; from < values.length; from += BLOCK) {
    let to = from + BLOCK;
    if (to > values.length) to = values.length;
    let low = values[from]!;
    let high = low;
    for (let i = from + 1; i < to; i++) {
      const value = values[i]!;
      if (value < low) low = value;
      if (value > high) high = value;
    }
    // As long as it pays the new group is joined with the one before it, and that one with the one before.
    let begin = from;
    while (last >= 0) {
      const before = last > 0 ? ends[last - 1]! : 0;
      if (to - before > MAX_BLOCKS * BLOCK) break;
      const joinedLow = references[last]! < low ? references[last]! : low;
      const joinedHigh = largest[last]! > high ? largest[last]! : high;
      const apart =
        (begin - before) * (32 - Math.clz32(largest[last]! - references[last]!)) +
        (to - begin) * (32 - Math.clz32(high - low)) +
        HEAD_BITS;
      if ((to - before) * (32 - Math.clz32(joinedHigh - joinedLow)) > apart) break;
      low = joinedLow;
      high = joinedHigh;
      begin = before;
      last--;
    }
    last++;
    references[last] = low;
    largest[last] = high;
    ends[last] = to;
  }
  groups.count = last + 1;
  return groups;
}

function packGroups(values: CodedValues, differences: Int32Array, groups: Groups, least: number): Packed {
  const { count, ends, references, largest } = groups;
  const widths = new Int32Array(count);
  const lengths = new Int32Array(count);
  let [bits, narrowest, widest, longest, shortest, valueBits] = [0, 32, 0, 0, MAX_BLOCKS, 0];
  for (let group = 0, from = 0; group < count; from = ends[group++]!) {
    const width = bitsFor(largest[group]! - references[group]!);
    const length = ends[group]! - from;
    widths[group] = width;
    valueBits += width * length;
    bits = Math.max(bits, bitsFor(references[group]!));
    narrowest = Math.min(narrowest, width);
    widest = Math.max(widest, width);
    // The last one has its own octets, and may end within a block.
    if (group === count - 1) break;
    lengths[group] = length / BLOCK;
    longest = Math.max(longest, lengths[group]!);
    shortest = Math.min(shortest, lengths[group]!);
  }
  if (count === 1) shortest = longest = 0;
  const widthBits = bitsFor(widest - narrowest);
  const lengthBits = bitsFor(longest - shortest);
  // The length of the last group is written too, and has no meaning there.
  lengths[count - 1] = shortest;
  const lastLength = ends[count - 1]! - (count > 1 ? ends[count - 2]! : 0);
  const [first, second] = [values.coded[0]! - values.smallest, values.coded[1]! - values.smallest];
  const extraOctets = Math.ceil((bitsFor(Math.max(first, second, Math.abs(least))) + 1) / 8);

  const section = representation(3, values, bits)
    // Splitting method: general groups. No codes for missing values.
    .unsigned8(1, 0)
    .unsigned32(0xffff_ffff, 0xffff_ffff, count)
    .unsigned8(narrowest, widthBits)
    .unsigned32(shortest * BLOCK)
    .unsigned8(BLOCK)
    .unsigned32(lastLength)
    .unsigned8(lengthBits, ORDER, extraOctets);

  const writer = new BitWriter(
    3 * extraOctets +
      Math.ceil((count * bits) / 8) +
      Math.ceil((count * widthBits) / 8) +
      Math.ceil((count * lengthBits) / 8) +
      Math.ceil(valueBits / 8),
  );
  const sign = 2 ** (8 * extraOctets - 1);
  const octets = [first, second, least]
    .map((extra) => (extra < 0 ? sign - extra : extra))
    .flatMap((extra) =>
      Array.from({ length: extraOctets }, (_, at) => (extra / 256 ** (extraOctets - 1 - at)) & 255),
    );
  writer.write(octets, 0, octets.length, 0, 8);
  writer.write(references, 0, count, 0, bits);
  writer.align();
  writer.write(widths, 0, count, narrowest, widthBits);
  writer.align();
  writer.write(lengths, 0, count, shortest, lengthBits);
  writer.align();
  for (let group = 0, from = 0; group < count; from = ends[group++]!)
    writer.write(differences, from, ends[group]!, references[group]!, widths[group]!);
  writer.align();
  return { representation: section, data: writer.bytes };
}
