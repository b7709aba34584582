import { mqStates } from "#lib/grib2/jpeg2000/code-block.ts";
import type { PackedSections } from "./grib-message.ts";
import { OctetWriter } from "./octet-writer.ts";
import { bitmapSection, dataSection, type Quantised, scaling } from "./pack-simple.ts";

/** Samples of a code block, and of a precinct. */
const BLOCK = 64;
const PRECINCT = 32_768;
const GUARD_BITS = 2;

/** Packs without loss by template 5.40, as NCEP packs waves: present values form an image of one row. */
export function packJpeg2000(quantised: Quantised): PackedSections {
  const { numbers } = quantised;
  const bits = Math.max(1, bitsOf(numbers.reduce((most, number) => Math.max(most, number), 0)));
  const head = scaling(40, quantised, numbers.length === 0 ? 0 : bits)
    .unsigned(1, 0, 0, 255)
    .section(5);
  const data = numbers.length === 0 ? new Uint8Array(0) : codeStream(numbers, bits);
  return [head, bitmapSection(quantised), dataSection(data)];
}

/** A code stream of one row with eccodes' choices: no wavelet, one layer, blocks of 64 × 1 (ITU-T T.800). */
function codeStream(numbers: Uint16Array, bits: number): Uint8Array {
  const packets: Uint8Array[] = [];
  for (let from = 0; from < numbers.length; from += PRECINCT)
    packets.push(...packet(numbers.subarray(from, from + PRECINCT), bits));
  const length = packets.reduce((sum, { length }) => sum + length, 0);
  const head = new OctetWriter()
    .unsigned(2, 0xff4f, 0xff51, 41, 0)
    .unsigned(4, numbers.length, 1, 0, 0, numbers.length, 1, 0, 0)
    .unsigned(2, 1)
    .unsigned(1, bits - 1, 1, 1)
    .unsigned(2, 0xff52, 12)
    .unsigned(1, 0, 0)
    .unsigned(2, 1)
    .unsigned(1, 0, 0, 4, 4, 0, 1)
    .unsigned(2, 0xff5c, 4)
    .unsigned(1, GUARD_BITS << 5, bits << 3)
    .unsigned(2, 0xff90, 10, 0)
    .unsigned(4, 14 + length)
    .unsigned(1, 0, 1)
    .unsigned(2, 0xff93)
    .done();
  return Buffer.concat([head, ...packets, Uint8Array.of(0xff, 0xd9)]);
}

/** @returns Header and bodies of a packet. */
function packet(numbers: Uint16Array, bits: number): Uint8Array[] {
  const blocks = Array.from({ length: Math.ceil(numbers.length / BLOCK) }, (_, index) => {
    const samples = Int32Array.from(
      numbers.subarray(index * BLOCK, (index + 1) * BLOCK),
      (number) => number - 2 ** (bits - 1),
    );
    const planes = Math.max(1, bitsOf(samples.reduce((most, sample) => Math.max(most, Math.abs(sample)), 0)));
    return { planes, bytes: codeBlock(samples, planes) };
  });
  const header = new HeaderBits();
  header.write(1, 1);
  const inclusion = new TagTree(blocks.map(() => 0));
  const zeroPlanes = new TagTree(blocks.map(({ planes }) => bits + GUARD_BITS - 1 - planes));
  for (const [index, { planes, bytes }] of blocks.entries()) {
    inclusion.write(header, index);
    zeroPlanes.write(header, index);
    const passes = 3 * planes - 2;
    if (passes === 1) header.write(0, 1);
    else if (passes < 6) header.write(0b1100 + passes - 3, 4);
    else if (passes < 37) header.write(0b1111_00000 + passes - 6, 9);
    else header.write(0b1_1111_1111_0000000 + passes - 37, 16);
    const known = 31 - Math.clz32(passes);
    const more = Math.max(0, bitsOf(bytes.length) - known - 3);
    for (let i = 0; i < more; i++) header.write(1, 1);
    header.write(0, 1);
    header.write(bytes.length, 3 + more + known);
  }
  return [header.done(), ...blocks.map(({ bytes }) => bytes)];
}

/** Codes the bit planes of a block of one row, whose samples have only left and right neighbours. */
function codeBlock(samples: Int32Array, planes: number): Uint8Array {
  const mq = new MqEncoder();
  const width = samples.length;
  // Each end has an additional insignificant sample: 0, or the sign.
  const signs = new Int8Array(width + 2);
  const refined = new Uint8Array(width);
  const near = (x: number) => Math.abs(signs[x]!) + Math.abs(signs[x + 2]!);
  const codeZero = (x: number, plane: number) => {
    const bit = (Math.abs(samples[x]!) >> plane) & 1;
    mq.encode([0, 5, 8][near(x)]!, bit);
    if (bit === 0) return;
    const side = Math.sign(signs[x]! + signs[x + 2]!);
    const isNegative = samples[x]! < 0;
    mq.encode(side === 0 ? 9 : 12, isNegative === side < 0 ? 0 : 1);
    signs[x + 1] = isNegative ? -1 : 1;
  };
  for (let plane = planes - 1; plane >= 0; plane--) {
    const before = signs.slice();
    const isCoded = new Uint8Array(width);
    for (let x = 0; x < width; x++) {
      if (signs[x + 1] !== 0 || near(x) === 0) continue;
      isCoded[x] = 1;
      codeZero(x, plane);
    }
    for (let x = 0; x < width; x++) {
      if (before[x + 1] === 0) continue;
      mq.encode(refined[x] === 1 ? 16 : near(x) > 0 ? 15 : 14, (Math.abs(samples[x]!) >> plane) & 1);
      refined[x] = 1;
    }
    for (let x = 0; x < width; x++) if (signs[x + 1] === 0 && isCoded[x] === 0) codeZero(x, plane);
  }
  return mq.done();
}

/** MQ encoder (T.800 C.2). */
class MqEncoder {
  readonly #states = new Uint8Array(19);
  readonly #moreProbable = new Uint8Array(19);
  #interval = 0x8000;
  #code = 0;
  #shifts = 12;
  /** Bytes of the code word, preceded by one byte. */
  readonly #bytes = [0];

  constructor() {
    this.#states[0] = 4;
  }

  encode(context: number, bit: number): void {
    const state = this.#states[context]!;
    const [less, afterMore, afterLess] = mqStates[state]!;
    const isMore = bit === this.#moreProbable[context];
    this.#interval -= less;
    // The larger part of the interval lies above.
    if (isMore === this.#interval >= less) this.#code += less;
    else this.#interval = less;
    if (isMore && this.#interval >= 0x8000) return;
    this.#states[context] = isMore ? afterMore : afterLess;
    if (!isMore && [0, 6, 14].includes(state)) this.#moreProbable[context] = bit;
    do {
      this.#interval <<= 1;
      this.#code <<= 1;
      if (--this.#shifts === 0) this.#byteOut();
    } while (this.#interval < 0x8000);
  }

  done(): Uint8Array {
    const end = this.#code + this.#interval;
    this.#code |= 0xffff;
    if (this.#code >= end) this.#code -= 0x8000;
    for (let i = 0; i < 2; i++) {
      this.#code <<= this.#shifts;
      this.#byteOut();
    }
    if (this.#bytes.at(-1) === 0xff) this.#bytes.pop();
    return Uint8Array.from(this.#bytes.slice(1));
  }

  #byteOut(): void {
    if (this.#bytes.at(-1) !== 0xff && this.#code >= 0x8000000) {
      this.#bytes[this.#bytes.length - 1]! += 1;
      this.#code &= 0x7ffffff;
    }
    // A byte after 0xff has 7 bits.
    this.#shifts = this.#bytes.at(-1) === 0xff ? 7 : 8;
    const kept = 27 - this.#shifts;
    this.#bytes.push(this.#code >> kept);
    this.#code &= 2 ** kept - 1;
  }
}

/** Tag tree (T.800 B.10.2) over one row. */
class TagTree {
  readonly #levels: { values: number[]; isWritten: boolean[] }[] = [];

  constructor(leaves: number[]) {
    for (let values = leaves; ; values = parents(values)) {
      this.#levels.unshift({ values, isWritten: values.map(() => false) });
      if (values.length === 1) return;
    }
  }

  /** Writes the complete value of a leaf. */
  write(header: HeaderBits, leaf: number): void {
    let least = 0;
    for (const [index, { values, isWritten }] of this.#levels.entries()) {
      const node = leaf >> (this.#levels.length - 1 - index);
      if (!isWritten[node]) {
        for (; least < values[node]!; least++) header.write(0, 1);
        header.write(1, 1);
        isWritten[node] = true;
      }
      least = values[node]!;
    }
  }
}

function parents(values: readonly number[]): number[] {
  return Array.from({ length: Math.ceil(values.length / 2) }, (_, i) =>
    Math.min(values[2 * i]!, values[2 * i + 1] ?? Number.POSITIVE_INFINITY),
  );
}

/** Bits of a packet header. */
class HeaderBits {
  readonly #bytes: number[] = [];
  #byte = 0;
  #left = 8;

  write(value: number, bits: number): void {
    for (let bit = bits - 1; bit >= 0; bit--) {
      this.#left--;
      this.#byte |= ((value >> bit) & 1) << this.#left;
      if (this.#left === 0) this.#flush();
    }
  }

  done(): Uint8Array {
    // A header does not end with 0xff, so an empty byte follows.
    if (this.#left < 8 || this.#bytes.at(-1) === 0xff) this.#flush();
    if (this.#bytes.at(-1) === 0xff) this.#flush();
    return Uint8Array.from(this.#bytes);
  }

  #flush(): void {
    this.#bytes.push(this.#byte);
    this.#left = this.#byte === 0xff ? 7 : 8;
    this.#byte = 0;
  }
}

function bitsOf(value: number): number {
  return 32 - Math.clz32(value);
}
