import { readPackets, resolutionsOf } from "./bands.ts";
import { decodeCodeBlock } from "./code-block.ts";
import { type Area, type Picture, parseCodeStream } from "./code-stream.ts";

/**
 * Decodes a JPEG 2000 code stream (ITU-T T.800) of one unsigned component.
 *
 * @param count Number of samples that it must have.
 * @returns The samples, row by row.
 */
export function decodeCodeStream(bytes: Uint8Array, count: number): Int32Array {
  const picture = parseCodeStream(bytes, count);
  const samples = samplesOf(picture);
  const out = new Int32Array(count);
  const middle = 2 ** (picture.bits - 1);
  const most = 2 ** picture.bits - 1;
  for (let i = 0; i < count; i++) {
    // Float32Array has fractions, and rounding may have left the range.
    const sample = Math.round(samples[i]!) + middle;
    out[i] = sample < 0 ? 0 : sample > most ? most : sample;
  }
  return out;
}

function samplesOf(picture: Picture): Int32Array | Float32Array {
  const resolutions = resolutionsOf(picture);
  readPackets(picture, resolutions);
  const stride = picture.area.x1;
  const samples = new (picture.coding.isReversible ? Int32Array : Float32Array)(stride * picture.area.y1);
  for (const [index, { bands, precincts }] of resolutions.entries()) {
    const coarser = resolutions[index - 1]?.area;
    for (const [at, { orientation, area, planes, step }] of bands.entries()) {
      const right = orientation === "HL" || orientation === "HH" ? coarser!.x1 - coarser!.x0 : 0;
      const down = orientation === "LH" || orientation === "HH" ? coarser!.y1 - coarser!.y0 : 0;
      for (const grids of precincts)
        for (const block of grids[at]!.blocks) {
          if (block.passes === 0) continue;
          const from = (down + block.y0 - area.y0) * stride + right + block.x0 - area.x0;
          decodeCodeBlock(block, orientation, planes - block.zeroPlanes, step, samples, from, stride);
        }
    }
  }
  synthesise(
    samples,
    stride,
    resolutions.map(({ area }) => area),
  );
  return samples;
}

/**
 * A lifting step: adds to `count` samples a combination of two neighbours of each.
 *
 * @param at Index of the first sample. @param near, other Indices of its neighbours. @param stride Distance to the next
 *   sample, and to its neighbours.
 */
type Lift<T> = (data: T, at: number, near: number, other: number, count: number, stride: number) => void;

/** Lifting steps of the even and the odd samples in turn. */
const reversible: Lift<Int32Array>[] = [
  (data, at, near, other, count, stride) => {
    for (let i = 0, by = 0; i < count; i++, by += stride)
      data[at + by]! -= (data[near + by]! + data[other + by]! + 2) >> 2;
  },
  (data, at, near, other, count, stride) => {
    for (let i = 0, by = 0; i < count; i++, by += stride)
      data[at + by]! += (data[near + by]! + data[other + by]!) >> 1;
  },
];

/** Factors of T.800 table F.4, with the signs of the synthesis. */
const irreversible = [-0.443506852043971, -0.882911075530934, 0.052980118572961, 1.586134342059924].map(
  (factor): Lift<Float32Array> =>
    (data, at, near, other, count, stride) => {
      for (let i = 0, by = 0; i < count; i++, by += stride)
        data[at + by]! += factor * (data[near + by]! + data[other + by]!);
    },
);
const SCALE = 1.230174104914001;

/**
 * Combines an image from its subbands (T.800 annex F).
 *
 * @param samples Rows of `stride`. The coarsest band is at the upper left; the bands that refine each resolution are
 *   right of, below and diagonally from it. Integers are coded by the 5/3 filter, fractions by the 9/7 filter.
 * @param resolutions The coarsest first.
 */
function synthesise(samples: Int32Array | Float32Array, stride: number, resolutions: readonly Area[]): void {
  if (resolutions.length === 1) return;
  if (samples instanceof Int32Array) synthesiseBy(reversible, samples, samples.slice(), stride, resolutions);
  else synthesiseBy(irreversible, samples, samples.slice(), stride, resolutions);
}

function synthesiseBy<T extends Int32Array | Float32Array>(
  lifts: readonly Lift<T>[],
  samples: T,
  spare: T,
  stride: number,
  resolutions: readonly Area[],
): void {
  for (const { x0, y0, x1, y1 } of resolutions.slice(1)) {
    const [width, height] = [x1 - x0, y1 - y0];
    const lowX = (width + 1 - (x0 & 1)) >> 1;
    for (let row = 0; row < height; row++) {
      const from = row * stride;
      spread(samples, from, lowX, spare, from + (x0 & 1));
      spread(samples, from + lowX, width - lowX, spare, from + 1 - (x0 & 1));
      synthesiseRow(lifts, spare, from, width, x0 & 1);
    }
    const lowY = (height + 1 - (y0 & 1)) >> 1;
    for (let row = 0; row < height; row++) {
      const to = row < lowY ? 2 * row + (y0 & 1) : 2 * (row - lowY) + 1 - (y0 & 1);
      for (let x = 0; x < width; x++) samples[to * stride + x] = spare[row * stride + x]!;
    }
    synthesiseColumns(lifts, samples, stride, width, height, y0 & 1);
  }
}

/** Interleaves samples: low frequencies, which come first in the source, alternate with high ones. */
function spread<T extends Int32Array | Float32Array>(
  source: T,
  from: number,
  count: number,
  out: T,
  to: number,
): void {
  for (let i = 0; i < count; i++) out[to + 2 * i] = source[from + i]!;
}

function synthesiseRow<T extends Int32Array | Float32Array>(
  lifts: readonly Lift<T>[],
  data: T,
  from: number,
  length: number,
  odd: number,
): void {
  const last = length - 1;
  if (last === 0 && odd === 1) data[from]! /= 2;
  if (last <= 0) return;
  if (data instanceof Float32Array)
    for (let i = 0; i < length; i++) data[from + i]! *= (i & 1) === odd ? SCALE : 1 / SCALE;
  for (const [step, lift] of lifts.entries()) {
    // Beyond the ends the samples are mirrored.
    const first = (step & 1) ^ odd;
    if (first === 0) lift(data, from, from + 1, from + 1, 1, 2);
    const inner = 2 - first;
    lift(data, from + inner, from + inner - 1, from + inner + 1, (length - inner) >> 1, 2);
    if ((last & 1) === first) lift(data, from + last, from + last - 1, from + last - 1, 1, 2);
  }
}

function synthesiseColumns<T extends Int32Array | Float32Array>(
  lifts: readonly Lift<T>[],
  data: T,
  stride: number,
  width: number,
  height: number,
  odd: number,
): void {
  const last = height - 1;
  if (last === 0 && odd === 1) for (let x = 0; x < width; x++) data[x]! /= 2;
  if (last <= 0) return;
  if (data instanceof Float32Array)
    for (let row = 0; row < height; row++)
      for (let x = 0; x < width; x++) data[row * stride + x]! *= (row & 1) === odd ? SCALE : 1 / SCALE;
  for (const [step, lift] of lifts.entries())
    for (let row = (step & 1) ^ odd; row < height; row += 2) {
      const [above, below] = [row === 0 ? 1 : row - 1, row === last ? row - 1 : row + 1];
      lift(data, row * stride, above * stride, below * stride, width, 1);
    }
}
