import type { Quadrants, TrackPoint } from "#lib/contract/storm-form.ts";
import { EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";

/** Reach of a wind in the four quadrants, km. */
export type Radii = Record<keyof Quadrants, number>;

const NO_REACH: Radii = { ne: 0, se: 0, sw: 0, nw: 0 };

/**
 * How far a wind reaches at a point of a track: nowhere if the maximum wind is below the threshold.
 *
 * @param threshold Knots, one of the provider's thresholds.
 * @returns undefined if the provider gives no radii.
 */
export function radiiOf(point: TrackPoint, threshold: number): Radii | undefined {
  const given = (point.wind_radii_km as Record<string, Quadrants | null> | null)?.[`${threshold}kn`];
  if (given) return { ne: given.ne ?? 0, se: given.se ?? 0, sw: given.sw ?? 0, nw: given.nw ?? 0 };
  return point.vmax_kt !== null && point.vmax_kt < threshold ? NO_REACH : undefined;
}

/** How far seas of 12 ft reach at a point of a track, km; undefined if it is not given. */
export function seasOf({ sea_radii_km }: TrackPoint): Radii | undefined {
  const given = sea_radii_km?.["12ft"];
  return given ? { ne: given.ne ?? 0, se: given.se ?? 0, sw: given.sw ?? 0, nw: given.nw ?? 0 } : undefined;
}

/** Radii interpolated between two points of a track; undefined if one of the two has none. */
export function radiiAt(
  from: TrackPoint,
  to: TrackPoint,
  share: number,
  threshold: number,
): Radii | undefined {
  return between(radiiOf(from, threshold), radiiOf(to, threshold), share);
}

/** Reach of seas of 12 ft between two points of a track; undefined if one of the two has none. */
export function seasAt(from: TrackPoint, to: TrackPoint, share: number): Radii | undefined {
  return between(seasOf(from), seasOf(to), share);
}

function between(before: Radii | undefined, after: Radii | undefined, share: number): Radii | undefined {
  if (share === 0) return before;
  if (share === 1) return after;
  if (!before || !after) return undefined;
  const interpolated = (quadrant: keyof Radii) =>
    before[quadrant] + (after[quadrant] - before[quadrant]) * share;
  return { ne: interpolated("ne"), se: interpolated("se"), sw: interpolated("sw"), nw: interpolated("nw") };
}

/** Radius in a direction from the centre, km: that of its quadrant. @param bearing Degrees clockwise from true north. */
export function radiusTowards(radii: Radii, bearing: number): number {
  const quadrants = ["ne", "se", "sw", "nw"] as const;
  return radii[quadrants[Math.floor((((bearing % 360) + 360) % 360) / 90)]!];
}

/** The largest of the four radii, km. */
export function largestRadius({ ne, se, sw, nw }: Radii): number {
  return Math.max(ne, se, sw, nw);
}

/**
 * The largest radius of a storm's lowest threshold, km: 34 kt for jtwc, 30 kt for jma. Without radii it is the typical
 * reach that the affectance box is derived from.
 */
export function reachOf(point: TrackPoint, threshold: number): { km: number; estimated: boolean } {
  const radii = radiiOf(point, threshold);
  if (radii) return { km: largestRadius(radii), estimated: false };
  return { km: (point.affectance_bbox.n - point.lat) * RADIANS * EARTH_KM, estimated: true };
}
