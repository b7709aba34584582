import { kernelOf } from "../kernel.ts";
import { kernelsBase64 } from "./bit-planes.data.ts";
import { type Area, damaged } from "./code-stream.ts";

export interface CodeBlock extends Area {
  passes: number;
  /** Code word of the block. */
  bytes: Uint8Array;
  /** Number of bit planes of the band that are zero in the block. */
  zeroPlanes: number;
}

/** Most bit planes. A magnitude also has one bit after the binary point, and a sign. */
const MAX_PLANES = 30;
const STRIPE = 4;

/**
 * Decodes a code block (T.800 annex D).
 *
 * @param planes Number of bit planes that are not all zero.
 * @param step Size of a quantisation step; undefined without quantisation.
 * @param out Row by row. The block begins at `from`, and its rows are `stride` apart.
 */
export function decodeCodeBlock(
  { x0, y0, x1, y1, passes, bytes }: CodeBlock,
  orientation: Orientation,
  planes: number,
  step: number | undefined,
  out: Int32Array | Float32Array,
  from: number,
  stride: number,
): void {
  const [width, height] = [x1 - x0, y1 - y0];
  if (planes > MAX_PLANES) throw damaged("has too many bit planes");
  const stripes = Math.ceil(height / STRIPE);
  magnitudes.fill(0, 0, STRIPE * width * stripes);
  flags.fill(0, 0, (width + 2) * (stripes + 2));
  signs.fill(0, 0, (width + 2) * (stripes + 2));
  contexts.set(firstContexts);
  const zeros = zeroContextsAt(orientation);
  if (bytes.length > MAX_CODE_WORD) throw damaged("has a code word without end");
  input.set(bytes);
  input.fill(0xff, bytes.length, bytes.length + 2);
  bitPlanes.start(BYTES);
  // The first plane has only the last of its three passes.
  for (let pass = 2; pass < passes + 2; pass++) {
    const plane = planes - Math.floor(pass / 3) - 1;
    if (plane < 0) throw damaged("has too many passes");
    if (pass % 3 === 1) bitPlanes.refinementPass(width, height, plane);
    else bitPlanes.significancePass(width, height, plane, zeros, pass % 3 === 2 ? 1 : 0);
  }
  for (let y = 0; y < height; y++) {
    const [stripe, row] = [y >> 2, y & 3];
    const words = (stripe + 1) * (width + 2) + 1;
    const shift = 3 * (row + 1);
    const to = from + y * stride;
    const at = STRIPE * stripe * width + row;
    // Samples of the 5/3 filter are integers.
    if (step === undefined) {
      for (let x = 0; x < width; x++) {
        const sign = -((signs[words + x]! >> shift) & 1);
        out[to + x] = ((magnitudes[at + STRIPE * x]! >> 1) ^ sign) - sign;
      }
    } else {
      for (let x = 0; x < width; x++) {
        const sign = 1 - 2 * ((signs[words + x]! >> shift) & 1);
        out[to + x] = sign * magnitudes[at + STRIPE * x]! * 0.5 * step;
      }
    }
  }
}

export type Orientation = "LL" | "HL" | "LH" | "HH";

/**
 * Probability of the less probable symbol, and next states after the more and the less probable one (T.800 table C.2).
 */
export const mqStates = `
5601/1/1 3401/2/6 1801/3/9 0ac1/4/12 0521/5/29 0221/38/33 5601/7/6 5401/8/14 4801/9/14 3801/10/14
3001/11/17 2401/12/18 1c01/13/20 1601/29/21 5601/15/14 5401/16/14 5101/17/15 4801/18/16 3801/19/17
3401/20/18 3001/21/19 2801/22/19 2401/23/20 2201/24/21 1c01/25/22 1801/26/23 1601/27/24 1401/28/25
1201/29/26 1101/30/27 0ac1/31/28 09c1/32/29 08a1/33/30 0521/34/31 0441/35/32 02a1/36/33 0221/37/34
0141/38/35 0111/39/36 0085/40/37 0049/41/38 0025/42/39 0015/43/40 0009/44/41 0005/45/42 0001/45/43
5601/46/46
`
  .trim()
  .split(/\s/)
  .map((state) => {
    const [probability, more, less] = state.split("/") as [string, string, string];
    return [Number.parseInt(probability, 16), Number(more), Number(less)] as const;
  });
/** A less probable symbol in these states swaps the two symbols. */
const switching = [0, 6, 14];

/** A context of bit-planes.wat in a state: its probability, with 8 bits after the binary point, and the state. */
const contextIn = (state: number) => [mqStates[state >> 1]![0] << 8, state];
/** States are twice those of the table plus the more probable symbol. Index: twice the state, plus 1 after a less probable symbol. */
const transitions = Array.from({ length: 4 * mqStates.length }, (_, at) => {
  const isLess = at & 1;
  const state = at >> 2;
  const more = ((at >> 1) & 1) ^ (isLess === 1 && switching.includes(state) ? 1 : 0);
  return contextIn(2 * mqStates[state]![1 + isLess]! + more);
});
const CONTEXTS = 19;
/** Initial states of the contexts (T.800 table D.7). */
const firstContexts = Int32Array.from(
  Array.from({ length: CONTEXTS }, (_, context) =>
    contextIn(2 * ({ 0: 4, 17: 3, 18: 46 }[context] ?? 0)),
  ).flat(),
);

const SIGN_CONTEXT = 9;
const CONTEXT_BYTES = 8;

/** Addresses of contexts by the significance of the eight neighbours (T.800 table D.1). */
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
    return CONTEXT_BYTES * context(bit(3) + bit(5), bit(1) + bit(7), bit(0) + bit(2) + bit(6) + bit(8));
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

/** Address of the context plus the expected sign, by significance and sign of four neighbours (T.800 table D.3). */
const signContexts = Uint8Array.from({ length: 256 }, (_, at) => {
  const part = (first: number, second: number) => {
    const of = (bit: number) => ((at >> (bit + 1)) & 1) * (1 - 2 * ((at >> bit) & 1));
    return Math.max(-1, Math.min(1, of(first) + of(second)));
  };
  const horizontal = part(2, 4);
  const vertical = part(0, 6);
  const isExpectedNegative = horizontal < 0 || (horizontal === 0 && vertical < 0);
  const context = horizontal === 0 ? Math.abs(vertical) : 3 + (isExpectedNegative ? -vertical : vertical);
  return CONTEXT_BYTES * (SIGN_CONTEXT + context) + (isExpectedNegative ? 1 : 0);
});

/** Addresses in the memory, the same as in bit-planes.wat. */
const [TRANSITIONS, SIGN_CONTEXTS, ZERO_CONTEXTS] = [256, 1792, 2048];
const [FLAGS, SIGNS, MAGNITUDES, BYTES] = [4096, 20_480, 36_864, 53_248];

/** Number of samples of the largest code block. */
const MAX_BLOCK = 4096;
/** Memory for the longest code word, bytes. The 30 planes of a block need less. */
const MAX_CODE_WORD = 65_536;

/** The functions of bit-planes.wat, which documents them. */
interface Exports {
  memory: WebAssembly.Memory;
  start(from: number): void;
  significancePass(width: number, height: number, plane: number, contexts: number, isCleanup: 0 | 1): void;
  refinementPass(width: number, height: number, plane: number): void;
}

const bitPlanes = kernelOf<Exports>(kernelsBase64)(0);

const { buffer } = bitPlanes.memory;
new Int32Array(buffer, TRANSITIONS).set(transitions.flat());
new Uint8Array(buffer, SIGN_CONTEXTS).set(signContexts);

const orientations = Object.keys(zeroContexts) as Orientation[];
for (const [at, orientation] of orientations.entries())
  new Uint8Array(buffer, ZERO_CONTEXTS + 512 * at).set(zeroContexts[orientation]);

const zeroContextsAt = (orientation: Orientation) => ZERO_CONTEXTS + 512 * orientations.indexOf(orientation);
const contexts = new Int32Array(buffer, 0, 2 * CONTEXTS);
const flags = new Int32Array(buffer, FLAGS, (SIGNS - FLAGS) / 4);
const signs = new Int32Array(buffer, SIGNS, (MAGNITUDES - SIGNS) / 4);
/** Twice the magnitudes, by stripes. */
const magnitudes = new Int32Array(buffer, MAGNITUDES, MAX_BLOCK);
const input = new Uint8Array(buffer, BYTES);
