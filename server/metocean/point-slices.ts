import { type PointMeta, type PointRequest, resultCount } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import type { PointSource } from "#server/archive/reader.ts";
import type { Manifest } from "#server/archive/run.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { answerSlice, type PointResult, SLICE_POINTS, type SlicedRequest } from "./points.ts";

/** Consecutive results of a request. */
interface PointSlice {
  results: PointResult[];
  meta?: PointMeta;
  /** Position of the point after the last one. */
  to: number;
}

/** Number of points that are read together, fewer if they take long. The pace is retained from slice to slice. */
interface SlicePace {
  points: number;
}

export const fullPace = (): SlicePace => ({ points: SLICE_POINTS });

/** A slice that takes longer is followed by one of half as many points; one that is faster than `FAST_MS`, by twice as many. */
const SLOW_MS = 2_000;
const FAST_MS = 500;
const MIN_SLICE_POINTS = 128;

/**
 * Does the same as `answerPoints` for answers too large for memory, which are computed as they are consumed. The thread
 * is free between two slices. Slices of an answer with meta end at the same positions each time, because the order of
 * meta depends on them.
 *
 * @param manifest The manifest from which the first slice was computed. Throws `ObjectMissingError` if a run of it was
 *   replaced and is gone.
 * @param from Position of the first result.
 */
export async function* pointSlices(
  source: PointSource,
  manifest: Manifest,
  request: SlicedRequest,
  from: number,
  now: number,
  signal: AbortSignal,
  pace = fullPace(),
): AsyncGenerator<PointSlice, void, undefined> {
  while (from < resultCount(request)) {
    signal.throwIfAborted();
    const since = monotonicMs();
    const length = request.include_meta ? SLICE_POINTS : pace.points;
    const slice = await answerSlice(manifest, source, request, from, from + length, now, signal);
    const to = from + slice.results.length;
    yield { ...slice, to };
    from = to;
    const took = monotonicMs() - since;
    if (took > SLOW_MS) pace.points = Math.max(MIN_SLICE_POINTS, Math.ceil(pace.points / 2));
    else if (took < FAST_MS) pace.points = Math.min(SLICE_POINTS, 2 * pace.points);
  }
}

const GROWTH = 1.25;

type RequestedPoint = PointRequest["points"][number];

/** The points of a request that is retained: 24 bytes each, where objects and their texts take 130. */
export class CompactPoints {
  length = 0;
  #latitude = new Float64Array();
  #longitude = new Float64Array();
  /** Unix seconds. */
  #time = new Float64Array();

  constructor(points: readonly RequestedPoint[] = []) {
    this.add(points);
  }

  /** Appends points. */
  add(points: readonly RequestedPoint[]): void {
    const end = this.length + points.length;
    if (end > this.#time.length) this.#grow(Math.max(end, GROWTH * this.length));
    for (const { latitude, longitude, timestamp } of points) {
      this.#latitude[this.length] = latitude;
      this.#longitude[this.length] = longitude;
      this.#time[this.length] = parseInstant(timestamp);
      this.length++;
    }
  }

  #grow(count: number): void {
    const grown = (column: Float64Array<ArrayBuffer>) =>
      new Float64Array(column.buffer.transfer(Math.ceil(count) * Float64Array.BYTES_PER_ELEMENT));
    this.#latitude = grown(this.#latitude);
    this.#longitude = grown(this.#longitude);
    this.#time = grown(this.#time);
  }

  /** Does the same as `slice` of an array, and returns points equal to those of the request. */
  slice(from: number, to: number): RequestedPoint[] {
    const points: RequestedPoint[] = [];
    let time = Number.NaN;
    let timestamp = "";
    for (let index = from; index < Math.min(to, this.length); index++) {
      // Many points of a request share one time.
      if (this.#time[index] !== time) {
        time = this.#time[index]!;
        timestamp = formatInstant(time);
      }
      points.push({ latitude: this.#latitude[index]!, longitude: this.#longitude[index]!, timestamp });
    }
    return points;
  }
}
