import type { PointRequest } from "#lib/contract/point.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";

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
