import { kernelsBase64 } from "./bit-planes.data.ts";
import type { Area } from "./code-stream.ts";
import { damaged } from "./code-stream.ts";
import {
  firstStates,
  nextStates,
  type Orientation,
  probabilities,
  signContexts,
  zeroContexts,
} from "./contexts.ts";

export interface CodeBlock extends Area {
  /** What packets have said of it so far. */
  segments: Segment[];
  passes: number;
  /** Bit planes of the band that are zero in the block. */
  zeroPlanes: number;
  /** Least bits of a length in packet headers. */
  lengthBits: number;
}

/** Flags of the style of code blocks (T.800 table A.19). */
export const BYPASS = 1;
const RESET = 2;
export const TERMINATE_ALL = 4;
const CAUSAL = 8;
const SEGMENTATION_SYMBOLS = 32;

/** Passes before raw bits may take the place of arithmetic coding. */
export const FIRST_BYPASS = 10;
/** Magnitudes have one bit behind the binary point, and a sign. */
const MAX_PLANES = 30;
const STRIPE = 4;
/** Place of the sign of the first row of a stripe among the flags of bit-planes.wat. */
const SIGN = 19;

/** One code word of a block: its passes, and its bytes in pieces. */
export interface Segment {
  passes: number;
  bytes: Uint8Array[];
}

/**
 * Decodes a code block (T.800 annex D).
 *
 * @param planes Bit planes that are not all zero.
 * @param step Size of a quantisation step; undefined where there is none.
 * @param out Row by row; the block begins at `from`, and its next row `stride` later.
 */
export function decodeCodeBlock(
  { x0, y0, x1, y1, segments }: CodeBlock,
  orientation: Orientation,
  style: number,
  planes: number,
  step: number | undefined,
  out: Int32Array | Float32Array,
  from: number,
  stride: number,
): void {
  const [width, height] = [x1 - x0, y1 - y0];
  if (planes > MAX_PLANES) throw damaged("has too many bit planes");
  magnitudes.fill(0, 0, width * height);
  flags.fill(0, 0, (width + 2) * (Math.ceil(height / STRIPE) + 2));
  resetContexts();
  const contexts = contextsAt(orientation);
  const causal = style & CAUSAL;
  // The first plane has only the last of its three passes.
  let pass = 2;
  for (const { passes, bytes } of segments) {
    const isRaw = (style & BYPASS) !== 0 && pass >= FIRST_BYPASS + 2 && pass % 3 !== 2;
    startCodeWord(bytes, isRaw);
    for (let i = 0; i < passes; i++, pass++) {
      const plane = planes - Math.floor(pass / 3) - 1;
      if (plane < 0) throw damaged("has too many passes");
      if (pass % 3 === 0) bitPlanes.significancePass(width, height, plane, contexts, causal);
      else if (pass % 3 === 1) bitPlanes.refinementPass(width, height, plane);
      else {
        bitPlanes.cleanupPass(width, height, plane, contexts, causal);
        if ((style & SEGMENTATION_SYMBOLS) !== 0) readSegmentationSymbol();
      }
      if ((style & RESET) !== 0) resetContexts();
    }
  }
  for (let y = 0; y < height; y++) {
    const words = ((y >> 2) + 1) * (width + 2) + 1;
    const shift = SIGN + (y & 3);
    const to = from + y * stride;
    for (let x = 0; x < width; x++) {
      const sign = 1 - 2 * ((flags[words + x]! >> shift) & 1);
      const magnitude = magnitudes[y * width + x]!;
      // Samples of the 5/3 filter are whole numbers.
      out[to + x] = step === undefined ? sign * (magnitude >> 1) : sign * magnitude * 0.5 * step;
    }
  }
}

function readSegmentationSymbol(): void {
  let symbol = 0;
  for (let i = 0; i < 4; i++) symbol = 2 * symbol + bitPlanes.uniform();
  if (symbol !== 0b1010) throw damaged("lacks a segmentation symbol");
}

/** Addresses in the memory, which bit-planes.wat has too. */
const [STATES, PROBABILITIES, NEXT_STATES, SIGN_CONTEXTS, ZERO_CONTEXTS] = [0, 64, 448, 640, 1024];
const [FLAGS, MAGNITUDES, BYTES] = [4096, 20_480, 36_864];

/** Samples of the largest code block. */
const MAX_BLOCK = 4096;
/** Bytes of the longest code word, which the 30 planes of a block do not reach. */
const MAX_CODE_WORD = 65_536;

/** The functions of bit-planes.wat (documented there). */
interface Exports {
  memory: WebAssembly.Memory;
  start(from: number): void;
  startRaw(from: number, end: number): void;
  uniform(): number;
  significancePass(width: number, height: number, plane: number, contexts: number, causal: number): void;
  refinementPass(width: number, height: number, plane: number): void;
  cleanupPass(width: number, height: number, plane: number, contexts: number, causal: number): void;
}

const bytes = Uint8Array.from(atob(kernelsBase64), (character) => character.charCodeAt(0));
const bitPlanes = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as unknown as Exports;

const { buffer } = bitPlanes.memory;
new Int32Array(buffer, PROBABILITIES).set(probabilities);
new Uint8Array(buffer, NEXT_STATES).set(nextStates);
new Uint8Array(buffer, SIGN_CONTEXTS).set(signContexts);

const orientations = Object.keys(zeroContexts) as Orientation[];
for (const [at, orientation] of orientations.entries())
  new Uint8Array(buffer, ZERO_CONTEXTS + 512 * at).set(zeroContexts[orientation]);

const contextsAt = (orientation: Orientation) => ZERO_CONTEXTS + 512 * orientations.indexOf(orientation);
const flags = new Int32Array(buffer, FLAGS, (MAGNITUDES - FLAGS) / 4);
/** Twice the magnitudes, row by row. */
const magnitudes = new Int32Array(buffer, MAGNITUDES, MAX_BLOCK);

const states = new Uint8Array(buffer, STATES, firstStates.length);
const input = new Uint8Array(buffer, BYTES);

function resetContexts(): void {
  states.set(firstStates);
}

/** Begins a code word. @param isRaw Whether it is not coded arithmetically. */
function startCodeWord(parts: readonly Uint8Array[], isRaw: boolean): void {
  let length = 0;
  for (const part of parts) {
    if (length + part.length > MAX_CODE_WORD) throw damaged("has a code word without end");
    input.set(part, length);
    length += part.length;
  }
  input.fill(0xff, length, length + 2);
  if (isRaw) bitPlanes.startRaw(BYTES, BYTES + length);
  else bitPlanes.start(BYTES);
}
