/** Probability of the less probable symbol by state, next state after a more and after a less probable one (T.800 table C.2). */
export const mqStates: readonly (readonly [number, number, number])[] = [
  [0x5601, 1, 1],
  [0x3401, 2, 6],
  [0x1801, 3, 9],
  [0x0ac1, 4, 12],
  [0x0521, 5, 29],
  [0x0221, 38, 33],
  [0x5601, 7, 6],
  [0x5401, 8, 14],
  [0x4801, 9, 14],
  [0x3801, 10, 14],
  [0x3001, 11, 17],
  [0x2401, 12, 18],
  [0x1c01, 13, 20],
  [0x1601, 29, 21],
  [0x5601, 15, 14],
  [0x5401, 16, 14],
  [0x5101, 17, 15],
  [0x4801, 18, 16],
  [0x3801, 19, 17],
  [0x3401, 20, 18],
  [0x3001, 21, 19],
  [0x2801, 22, 19],
  [0x2401, 23, 20],
  [0x2201, 24, 21],
  [0x1c01, 25, 22],
  [0x1801, 26, 23],
  [0x1601, 27, 24],
  [0x1401, 28, 25],
  [0x1201, 29, 26],
  [0x1101, 30, 27],
  [0x0ac1, 31, 28],
  [0x09c1, 32, 29],
  [0x08a1, 33, 30],
  [0x0521, 34, 31],
  [0x0441, 35, 32],
  [0x02a1, 36, 33],
  [0x0221, 37, 34],
  [0x0141, 38, 35],
  [0x0111, 39, 36],
  [0x0085, 40, 37],
  [0x0049, 41, 38],
  [0x0025, 42, 39],
  [0x0015, 43, 40],
  [0x0009, 44, 41],
  [0x0005, 45, 42],
  [0x0001, 45, 43],
  [0x5601, 46, 46],
];
/** A less probable symbol in these states changes which symbol is the more probable one. */
const switching = [0, 6, 14];

/** Registers are kept with 8 bits behind the binary point. */
const FRACTION_BITS = 8;
const HALF = 0x8000 << FRACTION_BITS;

/** By twice the state plus the more probable symbol. */
const probability = Int32Array.from(
  { length: 2 * mqStates.length },
  (_, at) => mqStates[at >> 1]![0] << FRACTION_BITS,
);
/** By twice the same plus 1 after a less probable symbol. */
const nextState = Uint8Array.from({ length: 4 * mqStates.length }, (_, at) => {
  const isLess = at & 1;
  const state = at >> 2;
  const more = ((at >> 1) & 1) ^ (isLess === 1 && switching.includes(state) ? 1 : 0);
  return 2 * mqStates[state]![1 + isLess]! + more;
});

/** Contexts of a code block (T.800 table D.1 and after). */
export const CONTEXTS = 19;
export const RUN_CONTEXT = 17;
export const UNIFORM_CONTEXT = 18;

/**
 * The arithmetic decoder of JPEG 2000 (T.800 annex C).
 *
 * As long as more probable symbols need no renormalisation, interval and code register lose the same amount: only the
 * smaller of the two distances until something else happens, `#margin`, is counted down.
 */
export class MqDecoder {
  readonly #states = new Uint8Array(CONTEXTS);
  /** What the interval and the code register are above the margin. */
  #intervalAbove = 0;
  #codeAbove = 0;
  #margin = 0;
  #bytes = new Uint8Array(0);
  #at = 0;
  /** Shifts until the next byte is needed. */
  #shifts = 0;

  resetContexts(): void {
    this.#states.fill(0);
    this.#states[0] = 2 * 4;
    this.#states[RUN_CONTEXT] = 2 * 3;
    this.#states[UNIFORM_CONTEXT] = 2 * 46;
  }

  /** @param bytes Two bytes of 0xff follow the code word that begins at `from`. */
  start(bytes: Uint8Array<ArrayBuffer>, from: number): void {
    this.#bytes = bytes;
    this.#at = from;
    const code = this.#nextByte(bytes[from]! << FRACTION_BITS) << 7;
    this.#shifts -= 7;
    this.#split(HALF, code);
  }

  /** The next symbol, 0 or 1. */
  decode(context: number): number {
    const state = this.#states[context]!;
    const margin = this.#margin - probability[state]!;
    this.#margin = margin;
    return margin >= 0 ? state & 1 : this.#renormalise(context, state);
  }

  /** Without branches on the symbol: half of them would be predicted wrongly. */
  #renormalise(context: number, state: number): number {
    const less = probability[state]!;
    let interval = this.#intervalAbove + this.#margin;
    let code = this.#codeAbove + this.#margin;
    // All ones if the code lies in the lower subinterval, which is that of the less probable symbol unless it is larger.
    const isLower = code >> 31;
    const isLess = ((interval - less) >>> 31) ^ (isLower & 1);
    code += less & isLower;
    interval += (less - interval) & isLower;
    const index = 2 * state + isLess;
    this.#states[context] = nextState[index]!;
    let shift = Math.clz32(interval) - FRACTION_BITS;
    interval <<= shift;
    while (shift > this.#shifts) {
      shift -= this.#shifts;
      code = this.#nextByte(code << this.#shifts);
    }
    this.#shifts -= shift;
    this.#split(interval, code << shift);
    return (state ^ isLess) & 1;
  }

  #split(interval: number, code: number): void {
    const margin = Math.min(interval - HALF, code);
    this.#margin = margin;
    this.#intervalAbove = interval - margin;
    this.#codeAbove = code - margin;
  }

  /** Adds the next byte to the code register. A byte after 0xff holds 7 bits, and a marker ends the code word. */
  #nextByte(code: number): number {
    const next = this.#bytes[this.#at + 1]!;
    if (this.#bytes[this.#at] !== 0xff) {
      this.#at++;
      this.#shifts = 8;
      return code + next;
    }
    if (next > 0x8f) {
      this.#shifts = 8;
      return code + 0xff;
    }
    this.#at++;
    this.#shifts = 7;
    return code + 2 * next;
  }
}
