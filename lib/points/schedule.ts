import { readTypedDecimal } from "#lib/decimal.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import type { ListedPoint } from "./point-list.ts";

/** A point with its time, Unix seconds. */
export type TimedPoint = ListedPoint & { time: number };

/** Slowest accepted speed, knots: below it arrival times leave the range of dates. */
const SLOWEST = 0.01;

/** Reads a speed, knots; 0 means that every point is at the departure time; NaN for an invalid or too low speed. */
export function readSpeed(text: string): number {
  const knots = readTypedDecimal(text);
  return knots === 0 || (knots >= SLOWEST && Number.isFinite(knots)) ? knots : Number.NaN;
}

/**
 * The times of a list: its own, else the arrival times of a vessel that leaves the first point at the departure and sails
 * along great circles.
 *
 * @param departure Unix seconds.
 * @param knots Speed over ground of legs that have none of their own; 0 means that every such point is reached at once.
 * @param left Times of leaving points, Unix seconds: the legs behind them begin then. NaN where none is planned.
 */
export function scheduled(
  points: readonly ListedPoint[],
  departure: number,
  knots: number,
  left: readonly number[] = [],
): TimedPoint[] {
  // Hours are summed as they are, and rounded once a point.
  let base = departure;
  let hours = 0;
  return points.map((point, index) => {
    const before = points[index - 1];
    const speed = point.knots ?? knots;
    if (before && speed > 0) hours += distanceKm(before, point) / MILE_KM / speed;
    const time = point.time ?? Math.round(base + 3600 * hours);
    const leaving = left[index] ?? Number.NaN;
    // A vessel does not leave before it is there.
    if (leaving >= time) {
      base = leaving;
      hours = 0;
    }
    return { ...point, time };
  });
}
