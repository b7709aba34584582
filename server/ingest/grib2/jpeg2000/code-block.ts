import type { CodeBlock } from "./bands.ts";
import { bitPlanes, contextsAt, flags, magnitudes, resetContexts, startCodeWord } from "./bit-planes.ts";
import { damaged } from "./code-stream.ts";
import type { Orientation } from "./contexts.ts";

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
