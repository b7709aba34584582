/** Size of a block, values. Groups begin at blocks, and their lengths are multiples of it. */
const BLOCK = 8;

/** Approximate cost of a group in addition to its values, bits: its reference, width and length. */
const HEAD_BITS = 18;

/** Longest group, in blocks, so that lengths need few bits. */
const MAX_BLOCKS = 63;

/** Order of the differences. */
const ORDER = 2;

/** Consecutive values with their own reference and number of bits. */
interface Groups {
  count: number;
  /** Index after the last value of each group. */
  ends: Int32Array;
  references: Int32Array;
  largest: Int32Array;
}

/**
 * Template 5.3: groups of second differences, each with its own number of bits. Smooth fields take about half
 * the space of simple packing. The bitmap marks missing values. Simple packing is used for few values, equal
 * values and very wide ranges.
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
  // The codes of the first values have no meaning, and cost least if they equal their neighbour.
  differences[0] = differences[1] = differences[ORDER]!;
  return packGroups(values, differences, groupsOf(differences), least);
}

/** Joins blocks from left to right as long as that costs no more bits than separate groups. */
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
    // As long as it saves bits, the new group is merged with the one before it, and the result with the one
    // before that.
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
    // The last group has its own octets, and may end within a block.
    if (group === count - 1) break;
    lengths[group] = length / BLOCK;
    longest = Math.max(longest, lengths[group]!);
    shortest = Math.min(shortest, lengths[group]!);
  }
  if (count === 1) shortest = longest = 0;
  const widthBits = bitsFor(widest - narrowest);
  const lengthBits = bitsFor(longest - shortest);
  // The length of the last group is written here too but has no meaning.
  lengths[count - 1] = shortest;
  const lastLength = ends[count - 1]! - (count > 1 ? ends[count - 2]! : 0);
  const [first, second] = [values.coded[0]! - values.smallest, values.coded[1]! - values.smallest];
  const extraOctets = Math.ceil((bitsFor(Math.max(first, second, Math.abs(least))) + 1) / 8);

  const section = representation(3, values, bits)
    // Splitting method 1 is general group splitting; there are no codes for missing values.
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

interface Packed {
  /** How the values are packed: section 5 from octet 6 on. */
  representation: OctetWriter;
  /** Contents of section 7 from octet 6 on. */
  data: Uint8Array;
}

/** Octets 6 to 21 of section 5: number of values, template, reference, scaling, bits, type of the original values. */
export function representation(template: number, values: CodedValues, bits: number): OctetWriter {
  const { coded, smallest, largest, decimals } = values;
  const section = new OctetWriter().unsigned32(coded.length).unsigned16(template);
  // The reference includes the decimal scale, because some programs (eccodes) ignore the scale if all values
  // are equal.
  if (smallest === largest)
    section
      .float32(smallest / 10 ** decimals)
      .unsigned16(0)
      .unsigned16(0);
  else section.float32(smallest).unsigned16(0).signed16(decimals);
  return section.unsigned8(bits, 0);
}

/** Template 5.0: all numbers have the same number of bits, or none if they are all equal. */
export function packSimply(values: CodedValues): Packed {
  const { coded, smallest, largest } = values;
  const bits = bitsFor(largest - smallest);
  const writer = new BitWriter(Math.ceil((coded.length * bits) / 8));
  writer.write(coded, 0, coded.length, smallest, bits);
  writer.align();
  return { representation: representation(0, values, bits), data: writer.bytes };
}

/** Number of bits for values from 0 to `largest`. */
export function bitsFor(largest: number): number {
  return largest <= 0 ? 0 : 32 - Math.clz32(largest);
}

/** Writes numbers of any width below 32 bits, most significant bit first. */
class BitWriter {
  readonly bytes: Uint8Array;
  #at = 0;
  /** Bits that have not been written yet: the lowest `#waiting` bits, fewer than eight. */
  #rest = 0;
  #waiting = 0;

  /** @param length Octets, enough for everything that is written. */
  constructor(length: number) {
    this.bytes = new Uint8Array(length);
  }

  /** Number of octets written; the last one is padded with zeros. */
  get length(): number {
    return this.#at + (this.#waiting > 0 ? 1 : 0);
  }

  /** Writes `numbers[from] − subtract` … `numbers[to − 1] − subtract`. @param width 0 … 24. */
  write(numbers: ArrayLike<number>, from: number, to: number, subtract: number, width: number): void {
    if (width === 0) return;
    const { bytes } = this;
    let at = this.#at;
    let rest = this.#rest;
    let waiting = this.#waiting;
    for (let i = from; i < to; i++) {
      // These are at most 7 + 24 bits.
      rest = (rest << width) | (numbers[i]! - subtract);
      waiting += width;
      while (waiting >= 8) {
        waiting -= 8;
        bytes[at++] = rest >>> waiting;
      }
      rest &= (1 << waiting) - 1;
    }
    this.#at = at;
    this.#rest = rest;
    this.#waiting = waiting;
  }

  /** Pads the current octet with zeros. */
  align(): void {
    if (this.#waiting > 0) this.bytes[this.#at++] = this.#rest << (8 - this.#waiting);
    this.#rest = this.#waiting = 0;
  }
}

/**
 * Values of a field as integers in units of the last decimal, in the order of the message: rows north to
 * south.
 */
export interface CodedValues {
  /** value = coded / 10^decimals; only values that are present. */
  coded: Int32Array;
  decimals: number;
  smallest: number;
  largest: number;
  /** One bit per point, most significant first; undefined if no value is missing. */
  bitmap?: Uint8Array;
}

/**
 * Rounds numbers to their last decimal.
 *
 * @param values (rows, columns) row-major, south to north, west to east; NaN = missing.
 * @param width Number of columns.
 * @param factor Result = value · factor + offset, before it is rounded.
 */
export function codedValues(
  values: Float64Array,
  width: number,
  decimals: number,
  factor = 1,
  offset = 0,
): CodedValues {
  const scale = 10 ** decimals;
  const [slope, start] = [factor * scale, offset * scale];
  const coded = new Int32Array(values.length);
  let bitmap: Uint8Array | undefined;
  let count = 0;
  let smallest = 2 ** 31 - 1;
  let largest = -(2 ** 31);
  for (let row = values.length - width, point = 0; row >= 0; row -= width)
    for (let i = row; i < row + width; i++, point++) {
      const value = values[i]! * slope + start;
      if (Number.isNaN(value)) {
        bitmap ??= onesUpTo(point, values.length);
        continue;
      }
      if (bitmap) bitmap[point >>> 3]! |= 0x80 >>> (point & 7);
      const whole = Math.floor(value + 0.5) | 0;
      if (whole < smallest) smallest = whole;
      if (whole > largest) largest = whole;
      coded[count++] = whole;
    }
  if (count === 0) smallest = largest = 0;
  return {
    coded: count === coded.length ? coded : coded.subarray(0, count),
    decimals,
    smallest,
    largest,
    bitmap,
  };
}

/** A bitmap of `points` points, of which those before `point` are present. */
function onesUpTo(point: number, points: number): Uint8Array {
  const bitmap = new Uint8Array(Math.ceil(points / 8)).fill(255, 0, point >>> 3);
  if (point & 7) bitmap[point >>> 3] = (0xff00 >>> (point & 7)) & 255;
  return bitmap;
}

/**
 * Writes the octets of sections, big-endian. Negative numbers are sign and magnitude, as everywhere in GRIB.
 */
export class OctetWriter {
  readonly #bytes: number[] = [];

  get length(): number {
    return this.#bytes.length;
  }

  unsigned8(...values: number[]): this {
    this.#bytes.push(...values);
    return this;
  }

  unsigned16(value: number): this {
    return this.unsigned8((value >>> 8) & 255, value & 255);
  }

  unsigned32(...values: number[]): this {
    for (const value of values) this.unsigned16(value >>> 16).unsigned16(value & 0xffff);
    return this;
  }

  signed16(value: number): this {
    return this.unsigned16(value < 0 ? 0x8000 | -value : value);
  }

  signed32(value: number): this {
    return this.unsigned32(value < 0 ? 0x8000_0000 | -value : value);
  }

  /** @param octets 1 … 4. */
  signed(value: number, octets: number): this {
    const magnitude = Math.abs(value);
    for (let shift = 8 * (octets - 1), first = value < 0 ? 128 : 0; shift >= 0; shift -= 8, first = 0)
      this.unsigned8(first | ((magnitude >>> shift) & 255));
    return this;
  }

  float32(value: number): this {
    const view = new DataView(new ArrayBuffer(4));
    view.setFloat32(0, value);
    return this.unsigned32(view.getUint32(0));
  }

  /** Prepends the length of the whole section and its number. */
  section(number: number, more = 0): Uint8Array {
    const length = this.#bytes.length + 5;
    const bytes = new Uint8Array(length);
    new DataView(bytes.buffer).setUint32(0, length + more);
    bytes[4] = number;
    bytes.set(this.#bytes, 5);
    return bytes;
  }
}
