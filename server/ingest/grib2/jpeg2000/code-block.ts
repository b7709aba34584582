import type { CodeBlock } from "./bands.ts";
import { damaged } from "./code-stream.ts";
import { MqDecoder, RUN_CONTEXT, UNIFORM_CONTEXT } from "./mq-decoder.ts";

/** Flags of the style of code blocks (T.800 table A.19). */
export const BYPASS = 1;
const RESET = 2;
export const TERMINATE_ALL = 4;
const CAUSAL = 8;
const SEGMENTATION_SYMBOLS = 32;

/** Passes before raw bits may take the place of arithmetic coding. */
export const FIRST_BYPASS = 10;
/** Magnitudes have one bit behind the binary point, and a sign. */
export const MAX_PLANES = 30;
/** Samples of the largest code block, and of its longest side. */
export const MAX_BLOCK = 4096;
const MAX_SIDE = 1024;

/** Bytes that one code word of a block is made of, and its passes. */
export interface Segment {
  passes: number;
  bytes: Uint8Array[];
}

export type Orientation = "LL" | "HL" | "LH" | "HH";

/**
 * Samples are coded in stripes of four rows. One word of `flags` describes a column of a stripe:
 * bits 0 to 17: significance in the rows from above the stripe to below it, three bits each: west, here and east;
 * bits 18 to 23: signs in the same rows, here; bits 24 to 27: coded in this plane; bits 28 to 31: refined before.
 */
const STRIPE = 4;
const SIGNIFICANT = 0o777777;
const HERE = 0o20;
const NEIGHBOURS = 0o757;
const SIGN = 19;
const ABOVE_SIGN = 18;
const BELOW_SIGN = 23;
const CODED = 24;
const REFINED = 28;
const ALL_CODED = 0xf << CODED;

const SIGN_CONTEXT = 9;
const REFINEMENT_CONTEXT = 14;

/** Decodes the bit planes of code blocks (T.800 annex D). */
export class CodeBlockDecoder {
  /** Twice the magnitudes, row by row, at the middle of the interval that is known of each. */
  readonly #magnitudes = new Int32Array(MAX_BLOCK);
  readonly #flags = new Int32Array((MAX_SIDE + 2) * 3 + MAX_BLOCK);
  readonly #mq = new MqDecoder();
  #bytes = new Uint8Array(8192);
  #width = 0;
  #height = 0;
  #style = 0;
  #zeroContexts = zeroContexts.LL;
  /** Of raw bits. */
  #at = 0;
  #end = 0;
  #bits = 0;
  #left = 0;

  /** @param planes Bit planes that are not all zero. */
  decode(
    { x0, y0, x1, y1, segments }: CodeBlock,
    orientation: Orientation,
    style: number,
    planes: number,
  ): void {
    const [width, height] = [x1 - x0, y1 - y0];
    this.#width = width;
    this.#height = height;
    this.#style = style;
    this.#zeroContexts = zeroContexts[orientation];
    this.#magnitudes.fill(0, 0, width * height);
    this.#flags.fill(0, 0, (width + 2) * (Math.ceil(height / STRIPE) + 2));
    this.#mq.resetContexts();
    // The first plane has only the last of its three passes.
    let pass = 2;
    for (const segment of segments) {
      const raw = (style & BYPASS) !== 0 && pass >= FIRST_BYPASS + 2 && pass % 3 !== 2;
      this.#startSegment(segment, raw);
      for (let i = 0; i < segment.passes; i++, pass++) {
        const plane = planes - Math.floor(pass / 3) - 1;
        if (plane < 0) throw damaged("has too many passes");
        this.#decodePass(pass % 3, plane, raw);
        if ((style & RESET) !== 0) this.#mq.resetContexts();
      }
    }
  }

  /** Writes the samples of the last block. @param factor Of twice the magnitudes. @param stride From row to row. */
  write(out: Int32Array | Float32Array, from: number, stride: number, factor: number): void {
    const [width, height] = [this.#width, this.#height];
    const magnitudes = this.#magnitudes;
    for (let y = 0; y < height; y++) {
      const shift = SIGN + (y & 3);
      const words = this.#word(0, y);
      for (let x = 0; x < width; x++) {
        const value = magnitudes[y * width + x]! * factor;
        out[from + y * stride + x] = ((this.#flags[words + x]! >> shift) & 1) === 1 ? -value : value;
      }
    }
  }

  #word(x: number, y: number): number {
    return ((y >> 2) + 1) * (this.#width + 2) + x + 1;
  }

  #startSegment({ bytes }: Segment, raw: boolean): void {
    const length = bytes.reduce((sum, part) => sum + part.length, 0);
    if (this.#bytes.length < length + 2) this.#bytes = new Uint8Array(2 * length + 2);
    let at = 0;
    for (const part of bytes) {
      this.#bytes.set(part, at);
      at += part.length;
    }
    this.#bytes.fill(0xff, length, length + 2);
    if (!raw) this.#mq.start(this.#bytes, 0);
    [this.#at, this.#end, this.#bits, this.#left] = [0, length, 0, 0];
  }

  #decodePass(kind: number, plane: number, raw: boolean): void {
    if (kind === 0) this.#significancePass(plane, raw);
    else if (kind === 1) this.#refinementPass(plane, raw);
    else {
      this.#cleanupPass(plane);
      if ((this.#style & SEGMENTATION_SYMBOLS) === 0) return;
      let symbol = 0;
      for (let i = 0; i < 4; i++) symbol = 2 * symbol + this.#mq.decode(UNIFORM_CONTEXT);
      if (symbol !== 0b1010) throw damaged("lacks a segmentation symbol");
    }
  }

  /** Samples with significant neighbours that are not significant yet. */
  #significancePass(plane: number, raw: boolean): void {
    const flags = this.#flags;
    const contexts = this.#zeroContexts;
    const mq = this.#mq;
    const [width, height] = [this.#width, this.#height];
    const middle = 3 << plane;
    for (let top = 0; top < height; top += STRIPE) {
      const rows = Math.min(STRIPE, height - top);
      let word = this.#word(0, top);
      for (let x = 0; x < width; x++, word++) {
        if ((flags[word]! & SIGNIFICANT) === 0) continue;
        for (let row = 0; row < rows; row++) {
          const near = flags[word]! >> (3 * row);
          if ((near & HERE) !== 0 || (near & NEIGHBOURS) === 0) continue;
          const bit = raw ? this.#rawBit() : mq.decode(contexts[near & NEIGHBOURS]!);
          if (bit === 1) {
            this.#becomeSignificant(word, row, raw ? this.#rawBit() : this.#sign(word, row));
            this.#magnitudes[(top + row) * width + x] = middle;
          }
          flags[word]! |= 1 << (CODED + row);
        }
      }
    }
  }

  /** The next bit of the samples that were significant before this plane. */
  #refinementPass(plane: number, raw: boolean): void {
    const flags = this.#flags;
    const magnitudes = this.#magnitudes;
    const mq = this.#mq;
    const [width, height] = [this.#width, this.#height];
    for (let top = 0; top < height; top += STRIPE) {
      const rows = Math.min(STRIPE, height - top);
      let word = this.#word(0, top);
      for (let x = 0; x < width; x++, word++) {
        let flag = flags[word]!;
        if ((flag & SIGNIFICANT) === 0) continue;
        for (let row = 0; row < rows; row++) {
          const near = flag >> (3 * row);
          if ((near & HERE) === 0 || ((flag >> (CODED + row)) & 1) !== 0) continue;
          let context = REFINEMENT_CONTEXT + 2;
          if (((flag >> (REFINED + row)) & 1) === 0)
            context = (near & NEIGHBOURS) === 0 ? REFINEMENT_CONTEXT : REFINEMENT_CONTEXT + 1;
          const bit = raw ? this.#rawBit() : mq.decode(context);
          magnitudes[(top + row) * width + x]! += (2 * bit - 1) << plane;
          flag |= 1 << (REFINED + row);
        }
        flags[word] = flag;
      }
    }
  }

  /** All other samples; four rows without significant neighbours in one symbol. */
  #cleanupPass(plane: number): void {
    const flags = this.#flags;
    const contexts = this.#zeroContexts;
    const mq = this.#mq;
    const [width, height] = [this.#width, this.#height];
    const middle = 3 << plane;
    for (let top = 0; top < height; top += STRIPE) {
      const rows = Math.min(STRIPE, height - top);
      let word = this.#word(0, top);
      for (let x = 0; x < width; x++, word++) {
        let row = 0;
        let isFound = false;
        if (rows === STRIPE && (flags[word]! & (SIGNIFICANT | ALL_CODED)) === 0) {
          if (mq.decode(RUN_CONTEXT) === 0) continue;
          row = 2 * mq.decode(UNIFORM_CONTEXT);
          row += mq.decode(UNIFORM_CONTEXT);
          isFound = true;
        }
        for (; row < rows; row++) {
          const near = flags[word]! >> (3 * row);
          if (!isFound) {
            if ((near & HERE) !== 0 || ((flags[word]! >> (CODED + row)) & 1) !== 0) continue;
            if (mq.decode(contexts[near & NEIGHBOURS]!) === 0) continue;
          }
          isFound = false;
          this.#becomeSignificant(word, row, this.#sign(word, row));
          this.#magnitudes[(top + row) * width + x] = middle;
        }
        flags[word]! &= ~ALL_CODED;
      }
    }
  }

  #sign(word: number, row: number): number {
    const flags = this.#flags;
    const here = flags[word]!;
    const at =
      ((here >> (3 * row)) & 0o252) |
      ((here >> (ABOVE_SIGN + row)) & 1) |
      (((flags[word - 1]! >> (SIGN + row)) & 1) << 2) |
      (((flags[word + 1]! >> (SIGN + row)) & 1) << 4) |
      (((here >> (SIGN + 1 + row)) & 1) << 6);
    const found = signContexts[at]!;
    return this.#mq.decode(found >> 1) ^ (found & 1);
  }

  #becomeSignificant(word: number, row: number, sign: number): void {
    const flags = this.#flags;
    flags[word - 1]! |= 0o40 << (3 * row);
    flags[word]! |= (HERE << (3 * row)) | (sign << (SIGN + row));
    flags[word + 1]! |= 0o10 << (3 * row);
    const stride = this.#width + 2;
    if (row === 0 && (this.#style & CAUSAL) === 0) {
      const above = word - stride;
      flags[above - 1]! |= 0o400000;
      flags[above]! |= 0o200000 | (sign << BELOW_SIGN);
      flags[above + 1]! |= 0o100000;
    }
    if (row === STRIPE - 1) {
      const below = word + stride;
      flags[below - 1]! |= 0o4;
      flags[below]! |= 0o2 | (sign << ABOVE_SIGN);
      flags[below + 1]! |= 0o1;
    }
  }

  /** A bit without arithmetic coding. A byte after 0xff holds 7 bits; after the end there are ones. */
  #rawBit(): number {
    if (this.#left === 0) {
      const afterAll = this.#bits === 0xff;
      this.#bits = this.#at < this.#end ? this.#bytes[this.#at++]! : 0xff;
      this.#left = afterAll ? 7 : 8;
    }
    this.#left--;
    return (this.#bits >> this.#left) & 1;
  }
}

/** Contexts by the significance of the eight neighbours (T.800 table D.1). */
const zeroContexts: Readonly<Record<Orientation, Uint8Array>> = {
  LL: tableOf(contextAlong),
  LH: tableOf(contextAlong),
  HL: tableOf((horizontal, vertical, diagonal) => contextAlong(vertical, horizontal, diagonal)),
  HH: tableOf((horizontal, vertical, diagonal) => {
    const straight = Math.min(horizontal + vertical, 2);
    if (diagonal >= 3) return 8;
    if (diagonal === 2) return straight >= 1 ? 7 : 6;
    return diagonal === 1 ? 3 + straight : straight;
  }),
};

function tableOf(context: (horizontal: number, vertical: number, diagonal: number) => number): Uint8Array {
  return Uint8Array.from({ length: 512 }, (_, near) => {
    const bit = (at: number) => (near >> at) & 1;
    return context(bit(3) + bit(5), bit(1) + bit(7), bit(0) + bit(2) + bit(6) + bit(8));
  });
}

function contextAlong(horizontal: number, vertical: number, diagonal: number): number {
  if (horizontal === 2) return 8;
  if (horizontal === 1) {
    if (vertical >= 1) return 7;
    return diagonal >= 1 ? 6 : 5;
  }
  if (vertical >= 1) return 2 + vertical;
  return Math.min(diagonal, 2);
}

/** Twice the context plus the expected sign, by significance and sign of four neighbours (T.800 table D.3). */
const signContexts = Uint8Array.from({ length: 256 }, (_, at) => {
  const part = (first: number, second: number) => {
    const of = (bit: number) => ((at >> (bit + 1)) & 1) * (1 - 2 * ((at >> bit) & 1));
    return Math.max(-1, Math.min(1, of(first) + of(second)));
  };
  const horizontal = part(2, 4);
  const vertical = part(0, 6);
  const isExpectedNegative = horizontal < 0 || (horizontal === 0 && vertical < 0);
  const context = horizontal === 0 ? Math.abs(vertical) : 3 + (isExpectedNegative ? -vertical : vertical);
  return 2 * (SIGN_CONTEXT + context) + (isExpectedNegative ? 1 : 0);
});
