import type { TrackPoint } from "#lib/contract/storm-form.ts";
import { between, type Place } from "#lib/geo/sphere.ts";
import { ofWire } from "./wire.ts";

/** A storm at a time of a track. */
export interface TrackMoment extends Place {
  /** Unix seconds. */
  time: number;
  /** Maximum wind, kt, as the track's provider averages it; null if a neighbouring point has none. */
  vmaxKt: number | null;
  /** The track has a point at this time; else the moment lies on the great circle between two points. */
  exact: boolean;
}

/** How many points are not later than a time. @param points Ascending in time. @param time Unix seconds. */
export function countUntil(points: readonly { time: number }[], time: number): number {
  let [low, high] = [0, points.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (points[middle]!.time <= time) low = middle + 1;
    else high = middle;
  }
  return low;
}

/**
 * A storm on its track, with place and wind interpolated linearly in time.
 *
 * @param points Ascending in time.
 * @param time Unix seconds.
 * @param maxAwayS How far from `time` each of the two points may be, s.
 * @returns undefined outside the track, and between points that are further away.
 */
export function trackAt(
  points: readonly TrackPoint[],
  time: number,
  maxAwayS = Number.POSITIVE_INFINITY,
): TrackMoment | undefined {
  const count = countUntil(points, time);
  const [from, to] = [points[count - 1], points[count]];
  if (!from) return undefined;
  if (from.time === time) return { ...ofWire(from), time, vmaxKt: from.vmax_kt, exact: true };
  if (!to || time - from.time > maxAwayS || to.time - time > maxAwayS) return undefined;
  const share = (time - from.time) / (to.time - from.time);
  const hasWind = from.vmax_kt !== null && to.vmax_kt !== null;
  const vmaxKt = hasWind ? from.vmax_kt! + (to.vmax_kt! - from.vmax_kt!) * share : null;
  return { ...between(ofWire(from), ofWire(to), share), time, vmaxKt, exact: false };
}
