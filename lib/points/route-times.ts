import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import type { ListedPoint } from "./point-list.ts";

/** Knots between which the times of a route can be those of a passage. */
const [SLOWEST, FASTEST] = [0.05, 100];

/**
 * Whether the times of points can be when a vessel is there. In most files the time of a route's point is when it was drawn:
 * seconds after the one before, at hundreds of knots, or in another order.
 */
function arePassageTimes(points: readonly ListedPoint[]): boolean {
  let before: { point: ListedPoint; time: number } | undefined;
  for (const point of points) {
    const { time } = point;
    if (time === undefined) continue;
    if (before) {
      const miles = distanceKm(before.point, point) / MILE_KM;
      const hours = (time - before.time) / 3600;
      // Points that lie together may be reached together.
      if (hours < 0 || miles > FASTEST * hours + 0.1 || (miles > 1 && miles < SLOWEST * hours)) return false;
    }
    before = { point, time };
  }
  return before !== undefined;
}

/** Points with their times where those can be of a passage. */
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
