import type { PointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";

type RequestedPoint = PointRequest["points"][number];

/** The points of a request that is retained: 24 bytes each, where objects and their texts take 130. */
export class CompactPoints {
  readonly length: number;
  readonly #latitude: Float64Array;
  readonly #longitude: Float64Array;
  /** Unix seconds. */
  readonly #time: Float64Array;

  constructor(points: readonly RequestedPoint[]) {
    this.length = points.length;
    this.#latitude = Float64Array.from(points, ({ latitude }) => latitude);
    this.#longitude = Float64Array.from(points, ({ longitude }) => longitude);
    this.#time = Float64Array.from(points, ({ timestamp }) => parseInstant(timestamp));
  }

  /** As of an array, with points equal to those of the request. */
  slice(from: number, to: number): RequestedPoint[] {
    const points: RequestedPoint[] = [];
    let time = Number.NaN;
    let timestamp = "";
    for (let index = from; index < Math.min(to, this.length); index++) {
      // Many points of a request have one time.
      if (this.#time[index] !== time) {
        time = this.#time[index]!;
        timestamp = formatInstant(time);
      }
      points.push({ latitude: this.#latitude[index]!, longitude: this.#longitude[index]!, timestamp });
    }
    return points;
  }
}
