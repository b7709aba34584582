import { kernelOf } from "../kernel.ts";
import type { Area } from "./code-stream.ts";
import { kernelsBase64 } from "./wavelets.data.ts";

/**
 * Combines an image from its subbands (T.800 annex F).
 *
 * @param bands Rows of `stride`. The coarsest band is at the upper left; the bands that refine each resolution are right
 *   of, below and diagonally from it. Integers are coded by the 5/3 filter, fractions by the 9/7 filter.
 * @param resolutions The coarsest first. All begin at 0, so that their even samples are those of low frequencies.
 * @returns The image, row by row.
 */
export function synthesise(
  bands: Int32Array | Float32Array,
  stride: number,
  resolutions: readonly Area[],
): Int32Array | Float32Array {
  return bands instanceof Int32Array
    ? synthesiseBy(reversible, bands, stride, resolutions)
    : synthesiseBy(irreversible, bands, stride, resolutions);
}

/** A lifting step: adds to `count` samples a combination of two neighbours of each. Arguments are addresses. */
type Lift = (kernel: Kernel, at: number, near: number, other: number, count: number) => void;

interface Filter<T> {
  create(length: number): T;
  view(buffer: ArrayBuffer, address: number, length: number): T;
  /** Steps for low and high frequencies in turn. */
  lifts: readonly Lift[];
  /** Factors of low and high frequencies before the first step; undefined is 1. */
  scales: readonly [number, number] | undefined;
}

const reversible: Filter<Int32Array> = {
  create: (length) => new Int32Array(length),
  view: (buffer, address, length) => new Int32Array(buffer, address, length),
  lifts: [(kernel, ...parts) => kernel.liftLow(...parts), (kernel, ...parts) => kernel.liftHigh(...parts)],
  scales: undefined,
};

/** Factors of T.800 table F.4, with the signs of the synthesis. */
const irreversible: Filter<Float32Array> = {
  create: (length) => new Float32Array(length),
  view: (buffer, address, length) => new Float32Array(buffer, address, length),
  lifts: [-0.443506852043971, -0.882911075530934, 0.052980118572961, 1.586134342059924].map(
    (factor): Lift =>
      (kernel, ...parts) =>
        kernel.lift(...parts, factor),
  ),
  scales: [1.230174104914001, 1 / 1.230174104914001],
};

/** The functions of wavelets.wat, which documents them. */
interface Kernel {
  memory: WebAssembly.Memory & { buffer: ArrayBuffer };
  liftLow(at: number, near: number, other: number, count: number): void;
  liftHigh(at: number, near: number, other: number, count: number): void;
  lift(at: number, near: number, other: number, count: number, factor: number): void;
  scale(at: number, count: number, factor: number): void;
  interleave(low: number, high: number, to: number, count: number): void;
}

const kernelWith = kernelOf<Kernel>(kernelsBase64);

const SAMPLE = 4;
/** The kernel writes up to this number of samples at a time. */
const LANES = 8;

function synthesiseBy<T extends Int32Array | Float32Array>(
  filter: Filter<T>,
  bands: T,
  stride: number,
  resolutions: readonly Area[],
): T {
  let coarser = bands;
  let coarserStride = stride;
  for (const { x1: width, y1: height } of resolutions.slice(1)) {
    const [lowWidth, lowHeight] = [(width + 1) >> 1, (height + 1) >> 1];
    const image = new Rows(filter, width, height);
    const out = filter.create(width * height);
    const done = filter.lifts.length + 1;
    for (let row = 0; row < height + done; row++) {
      if (row < height) {
        const from = (row >> 1) + (row & 1) * lowHeight;
        const low = row % 2 === 0 ? coarser : bands;
        const lowFrom = from * (row % 2 === 0 ? coarserStride : stride);
        image.add(
          row,
          low.subarray(lowFrom, lowFrom + lowWidth) as T,
          bands.subarray(from * stride + lowWidth, from * stride + width) as T,
        );
      }
      image.liftAbove(row);
      if (row >= done) out.set(image.row(row - done), (row - done) * width);
    }
    coarser = out;
    coarserStride = width;
  }
  return coarser;
}

/** Half of the samples of a row, at an address, and also with one more on both sides. */
interface Half<T> {
  at: number;
  samples: T;
  padded: T;
}

/** The rows of an image that the lifting steps still need, in the memory of the kernel. */
class Rows<T extends Int32Array | Float32Array> {
  readonly #filter: Filter<T>;
  readonly #width: number;
  readonly #height: number;
  readonly #kernel: Kernel;
  /** The low and the high frequencies of a row. */
  readonly #halves: readonly [Half<T>, Half<T>];
  readonly #rows: readonly { at: number; samples: T }[];

  constructor(filter: Filter<T>, width: number, height: number) {
    this.#filter = filter;
    this.#width = width;
    this.#height = height;
    const lowWidth = (width + 1) >> 1;
    const halfBytes = SAMPLE * LANES * (Math.ceil(lowWidth / LANES) + 2);
    const rowBytes = SAMPLE * LANES * Math.ceil(width / LANES);
    const count = Math.min(height, filter.lifts.length + 2);
    this.#kernel = kernelWith(2 * halfBytes + count * rowBytes);
    const { buffer } = this.#kernel.memory;
    const half = (at: number, length: number): Half<T> => ({
      at,
      samples: filter.view(buffer, at, length),
      padded: filter.view(buffer, at - SAMPLE, length + 2),
    });
    const margin = SAMPLE * LANES;
    this.#halves = [half(margin, lowWidth), half(halfBytes + margin, width - lowWidth)];
    this.#rows = Array.from({ length: count }, (_, row) => {
      const at = 2 * halfBytes + row * rowBytes;
      return { at, samples: filter.view(buffer, at, width) };
    });
  }

  row(row: number): T {
    return this.#rows[row % this.#rows.length]!.samples;
  }

  /** Combines a row from its low and high frequencies. */
  add(row: number, low: T, high: T): void {
    const [lows, highs] = this.#halves;
    lows.samples.set(low);
    highs.samples.set(high);
    const { lifts, scales } = this.#filter;
    if (high.length > 0) {
      if (scales !== undefined)
        for (const [part, { at, samples }] of this.#halves.entries())
          this.#kernel.scale(at, samples.length, scales[part]!);
      for (let step = 0; step < lifts.length; step++) {
        const isLow = step % 2 === 0;
        const { at, samples } = isLow ? lows : highs;
        const { at: other, padded } = isLow ? highs : lows;
        // Beyond the ends the samples are mirrored.
        padded[0] = padded[1]!;
        padded[padded.length - 1] = padded[padded.length - 2]!;
        const near = isLow ? other - SAMPLE : other;
        lifts[step]!(this.#kernel, at, near, near + SAMPLE, samples.length);
      }
    }
    this.#kernel.interleave(lows.at, highs.at, this.#at(row), low.length);
  }

  /** Lifts the rows above `row`, which have all their neighbours now. */
  liftAbove(row: number): void {
    const { lifts, scales } = this.#filter;
    const last = this.#height - 1;
    if (last === 0) return;
    if (scales !== undefined && row <= last) this.#kernel.scale(this.#at(row), this.#width, scales[row % 2]!);
    for (let step = 0; step < lifts.length; step++) {
      const lifted = row - 1 - step;
      if (lifted < 0 || lifted > last || lifted % 2 !== step % 2) continue;
      const above = lifted === 0 ? 1 : lifted - 1;
      const below = lifted === last ? last - 1 : lifted + 1;
      lifts[step]!(this.#kernel, this.#at(lifted), this.#at(above), this.#at(below), this.#width);
    }
  }

  #at(row: number): number {
    return this.#rows[row % this.#rows.length]!.at;
  }
}
