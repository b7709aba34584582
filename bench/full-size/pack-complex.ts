import type { PackedSections } from "#test/feeds-mirror/grib-message.ts";
import { OctetWriter } from "#test/feeds-mirror/octet-writer.ts";
import { bitmapSection, dataSection } from "#test/feeds-mirror/pack-simple.ts";

/** Values between which a group may end. */
const BLOCK = 8;
/** Bits that another group costs: its reference, its width and its length. */
const GROUP_BITS = 20;

/** Values as whole numbers: value = (reference + number) / 10^decimals. */
export interface WholeNumbers {
  reference: number;
  decimals: number;
  /** Of the values that are there, 0 or more. */
  numbers: Int32Array;
  /** One bit a node, the first in the highest bit; undefined if none is missing. */
  bitmap: Uint8Array | undefined;
}

/** @param values NaN = missing. @param decimals Decimal digits kept. */
export function wholeNumbers(values: Float64Array, decimals: number): WholeNumbers {
  const scale = 10 ** decimals;
  const there = values.filter((value) => !Number.isNaN(value));
  const numbers = Int32Array.from(there, (value) => Math.round(value * scale));
  const least = numbers.reduce((one, other) => Math.min(one, other), numbers[0] ?? 0);
  for (let i = 0; i < numbers.length; i++) numbers[i]! -= least;
  if (there.length === values.length) return { reference: least, decimals, numbers, bitmap: undefined };
  const bitmap = new Uint8Array(Math.ceil(values.length / 8));
  for (let i = 0; i < values.length; i++) if (!Number.isNaN(values[i]!)) bitmap[i >> 3]! |= 128 >> (i & 7);
  return { reference: least, decimals, numbers, bitmap };
}

/** Template 5.3 as NCEP writes it: second differences in groups of as many bits as their values need. */
export function packComplex(whole: WholeNumbers): PackedSections {
  const { numbers, reference, decimals } = whole;
  const differences = numbers.slice();
  for (let i = numbers.length - 1; i >= 2; i--)
    differences[i] = numbers[i]! - 2 * numbers[i - 1]! + numbers[i - 2]!;
  differences[0] = 0;
  differences[1] = 0;
  const least = differences.reduce((one, other) => Math.min(one, other), 0);
  for (let i = 0; i < differences.length; i++) differences[i]! -= least;
  const groups = groupsOf(differences);
  const most = (of: (group: Group) => number) =>
    groups.reduce((found, group) => Math.max(found, of(group)), 0);
  const [bits, widthBits] = [bitsOf(most(({ min }) => min)), bitsOf(most(({ width }) => width))];
  const lengthBits = bitsOf(most(({ from, to }) => to - from));
  const extraOctets = 4;
  const head = new OctetWriter()
    .unsigned(4, numbers.length)
    .unsigned(2, 3)
    .float(reference)
    .signed(2, 0)
    .signed(2, decimals)
    .unsigned(1, bits, 0, 1, 0)
    .missing(8)
    .unsigned(4, groups.length)
    .unsigned(1, 0, widthBits)
    .unsigned(4, 0)
    .unsigned(1, 1)
    .unsigned(4, groups.at(-1)!.to - groups.at(-1)!.from)
    .unsigned(1, lengthBits, 2, extraOctets)
    .section(5);
  const out = new BitWriter(numbers.length * 5 + groups.length * 16 + 64);
  out.append(numbers[0]!, 32);
  out.append(numbers[1]!, 32);
  out.append(least < 0 ? 0x80000000 - least : least, 32);
  for (const { min } of groups) out.append(min, bits);
  out.align();
  for (const { width } of groups) out.append(width, widthBits);
  out.align();
  for (const { from, to } of groups) out.append(to - from, lengthBits);
  out.align();
  for (const { from, to, min, width } of groups)
    for (let i = from; i < to; i++) out.append(differences[i]! - min, width);
  out.align();
  return [
    head,
    bitmapSection({ ...whole, binary: 0, nodes: 0, numbers: new Uint16Array(0) }),
    dataSection(out.done()),
  ];
}

interface Group {
  from: number;
  to: number;
  min: number;
  max: number;
  width: number;
}

/** Joins blocks from left to right as long as that costs no more bits than another group. */
function groupsOf(values: Int32Array): Group[] {
  const groups: Group[] = [];
  let last: Group | undefined;
  for (let from = 0; from < values.length; from += BLOCK) {
    const to = Math.min(from + BLOCK, values.length);
    let [min, max] = [values[from]!, values[from]!];
    for (let i = from + 1; i < to; i++) {
      min = Math.min(min, values[i]!);
      max = Math.max(max, values[i]!);
    }
    const width = bitsOf(max - min);
    if (last) {
      const [least, most] = [Math.min(min, last.min), Math.max(max, last.max)];
      const together = bitsOf(most - least);
      const count = last.to - last.from;
      if (together * (count + to - from) <= last.width * count + width * (to - from) + GROUP_BITS) {
        [last.to, last.min, last.max, last.width] = [to, least, most, together];
        continue;
      }
    }
    last = { from, to, min, max, width };
    groups.push(last);
  }
  return groups;
}

function bitsOf(value: number): number {
  return value === 0 ? 0 : 32 - Math.clz32(value);
}

class BitWriter {
  #bytes: Uint8Array;
  #at = 0;
  #held = 0;
  #bits = 0;

  constructor(most: number) {
    this.#bytes = new Uint8Array(most);
  }

  /** The lowest bits of a number, at most 32. */
  append(value: number, bits: number): void {
    if (bits > 16) {
      this.append(value >>> 16, bits - 16);
      this.append(value & 0xffff, 16);
      return;
    }
    this.#held = (this.#held << bits) | value;
    this.#bits += bits;
    while (this.#bits >= 8) {
      this.#bits -= 8;
      this.#bytes[this.#at++] = this.#held >>> this.#bits;
      this.#held &= (1 << this.#bits) - 1;
    }
  }

  /** Fills the octet up. */
  align(): void {
    if (this.#bits > 0) this.append(0, 8 - this.#bits);
  }

  done(): Uint8Array {
    return this.#bytes.subarray(0, this.#at);
  }
}
