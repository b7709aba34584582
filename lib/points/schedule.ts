import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { type ListedPoint, readDecimal } from "./point-list.ts";

/** A point with its time, Unix seconds. */
export type TimedPoint = ListedPoint & { time: number };

/** The slowest way anywhere, knots: slower, the last point lies beyond every calendar. */
const SLOWEST = 0.01;

/** A speed as people write it, knots; 0 is everywhere at once; NaN where it is none that gets anywhere. */
export function readSpeed(text: string): number {
  const knots = readDecimal(text);
  return knots === 0 || (knots >= SLOWEST && Number.isFinite(knots)) ? knots : Number.NaN;
}

/**
 * The times of a list: its own where it has them, else when somebody is there who leaves the first point at the departure
 * and goes along great circles.
 *
 * @param departure Unix seconds.
 * @param knots Speed over ground; 0 is everywhere at the departure.
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
