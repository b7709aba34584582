import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { type ListedPoint, readDecimal } from "./point-list.ts";

/** A point with its time, Unix seconds. */
export type TimedPoint = ListedPoint & { time: number };

/** Slowest accepted speed, knots: below it arrival times leave the range of dates. */
const SLOWEST = 0.01;

/** Reads a speed, knots; 0 means that every point is at the departure time; NaN for an invalid or too low speed. */
export function readSpeed(text: string): number {
  const knots = readDecimal(text);
  return knots === 0 || (knots >= SLOWEST && Number.isFinite(knots)) ? knots : Number.NaN;
}

/**
 * The times of a list: its own, else the arrival times of a vessel that leaves the first point at the departure and sails
 * along great circles.
 *
 * @param departure Unix seconds.
 * @param knots Speed over ground; 0 means that every point is at the departure time.
 */
export function scheduled(points: readonly ListedPoint[], departure: number, knots: number): TimedPoint[] {
  let gone = 0;
  return points.map((point, index) => {
    const before = points[index - 1];
    if (before) gone += distanceKm(before, point) / MILE_KM;
    const underway = knots > 0 ? Math.round((3600 * gone) / knots) : 0;
    return { ...point, time: point.time ?? departure + underway };
  });
}
