import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import { readTypedDecimal } from "#lib/decimal.ts";
import type { ListedPoint } from "./point-list.ts";

/** A point with its time, Unix seconds. */
type TimedPoint = ListedPoint & { time: number };

/** Slowest accepted speed, knots; with a lower one arrival times would exceed the range of dates. */
const SLOWEST = 0.01;

/**
 * Reads a speed, knots. 0 means that every point is at the departure time; NaN means that the speed is
 * invalid or too low.
 */
export function readSpeed(text: string): number {
  const knots = readTypedDecimal(text);
  return knots === 0 || (knots >= SLOWEST && Number.isFinite(knots)) ? knots : Number.NaN;
}

/**
 * The times of a list: its own, or else the arrival times of a vessel that leaves the first point at the
 * departure time and sails along great circles.
 *
 * @param departure Unix seconds.
 * @param knots Speed over ground on legs without their own; 0 means that every such point is reached at once.
 * @param left Times of departure from points, Unix seconds, at which the following legs begin; NaN if none is
 * planned.
 */
export function scheduled(
  points: readonly ListedPoint[],
  departure: number,
  knots: number,
  left: readonly number[] = [],
): TimedPoint[] {
  // Hours are summed unrounded, and rounded once per point.
  let base = departure;
  let hours = 0;
  return points.map((point, index) => {
    const before = points[index - 1];
    const speed = point.knots ?? knots;
    if (before && speed > 0) hours += distanceKm(before, point) / MILE_KM / speed;
    const time = point.time ?? Math.round(base + 3600 * hours);
    const leaving = left[index] ?? Number.NaN;
    // A vessel cannot leave before it arrives.
    if (leaving >= time) {
      base = leaving;
      hours = 0;
    }
    return { ...point, time };
  });
}

/** Range of speeds, knots, in which the times of a route can be those of a passage. */
const [SLOWEST_PASSAGE, FASTEST_PASSAGE] = [0.05, 100];

/**
 * Whether the times of points can be those of a vessel's passage. In most files the time of a route point is
 * when it was drawn: seconds after the one before, at hundreds of knots, or in another order.
 */
function arePassageTimes(points: readonly ListedPoint[]): boolean {
  let before: { point: ListedPoint; time: number } | undefined;
  for (const point of points) {
    const { time } = point;
    if (time === undefined) continue;
    if (before) {
      const miles = distanceKm(before.point, point) / MILE_KM;
      const hours = (time - before.time) / 3600;
      // Points at the same place may have the same time.
      if (
        hours < 0 ||
        miles > FASTEST_PASSAGE * hours + 0.1 ||
        (miles > 1 && miles < SLOWEST_PASSAGE * hours)
      )
        return false;
    }
    before = { point, time };
  }
  return before !== undefined;
}

/** Points with their times, or without them if they cannot be those of a passage. */
export function withoutDrawingTimes(points: ListedPoint[]): { points: ListedPoint[]; timesLeftOut: boolean } {
  if (points.every(({ time }) => time === undefined) || arePassageTimes(points))
    return { points, timesLeftOut: false };
  return { points: points.map(({ time: _, ...point }) => point), timesLeftOut: true };
}

/** Length of the great circles between points, km. */
export function lengthKm(points: readonly ListedPoint[]): number {
  let sum = 0;
  points.forEach((point, index) => {
    const before = points[index - 1];
    if (before) sum += distanceKm(before, point);
  });
  return sum;
}
