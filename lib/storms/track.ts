import { rhumbBetween, rhumbDestination } from "@open-metocean/geo/rhumb";
import {
  between,
  distanceKm,
  EARTH_KM,
  initialBearing,
  type Place,
  RADIANS,
} from "@open-metocean/geo/sphere";
import { CONE_START_KM, centreAt } from "./cone.ts";
import type { Quadrants, StormEntry, TrackPoint } from "./schema.ts";
import { HOUR_S } from "./time.ts";
import { ofWire } from "./wire.ts";

/**
 * Between forecast positions that are all farther from a ship than this, no wind or danger area of the storm
 * reaches it, km.
 */
export const NEAR_KM = 2500;

/** A storm at one time of its track. */
export interface TrackMoment extends Place {
  /** Unix seconds. */
  time: number;
  /** Maximum wind, kt, with the provider's averaging period; null if a neighbouring point has none. */
  vmaxKt: number | null;
  /**
   * The track has a point at this time; otherwise the position lies on the great circle between two points.
   */
  exact: boolean;
}

/**
 * Number of points that are not later than a time. @param points Ascending in time. @param time Unix seconds.
 */
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
 * A storm at a time of its track, with position and wind interpolated linearly in time.
 *
 * @param points Ascending in time.
 * @param time Unix seconds.
 * @param maxAwayS How far from `time` each of the two points may be, s.
 * @returns undefined outside the track, and between points that are farther away.
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

/** A storm at one of its forecast hours. */
export interface Mark extends Place {
  /** Unix seconds. */
  time: number;
  fhr: number;
  /**
   * Radius of the cone, km: at hour 0 the start radius; interpolated between hours that have one; null after
   * the last.
   */
  coneKm: number | null;
  point: TrackPoint;
}

/**
 * The forecast track, one mark per forecast hour. A forecast without hour 0 begins with the newest fix.
 *
 * @returns Empty if the storm has no forecast.
 */
export function forecastMarks({ tracks }: Pick<StormEntry, "tracks">): Mark[] {
  const { forecast, observed } = tracks;
  if (!forecast) return [];
  // The JMA's circles begin with radius 0.
  const startKm = forecast.cone_source === "jma" ? 0 : CONE_START_KM;
  const marks = forecast.points.map((point): Mark => {
    const coneKm = point.fhr === 0 ? startKm : (point.cone_radius_km ?? null);
    return { ...ofWire(point), time: point.time, fhr: point.fhr, coneKm, point };
  });
  const newest = observed.findLast(({ time }) => time <= forecast.issued_at);
  if (marks[0] && marks[0].fhr > 0 && newest) {
    const fhr = (newest.time - forecast.issued_at) / 3600;
    marks.unshift({ ...ofWire(newest), time: newest.time, fhr, coneKm: startKm, point: newest });
  }
  for (const [index, mark] of marks.entries()) mark.coneKm ??= interpolatedConeKm(marks, index);
  return marks;
}

/**
 * How long before its base time a forecast still applies to the displayed time, seconds; bulletins are six
 * hours apart.
 */
const BEFORE_S = 6 * HOUR_S;

/**
 * Whether the forecast of an entry applies to a time, which lasts from the previous bulletin before its base
 * time to its last point. At other times the track and cone are not those of the storm.
 *
 * @param time Unix seconds.
 */
export function isForecastFor({ tracks }: Pick<StormEntry, "tracks">, time: number): boolean {
  const last = tracks.forecast?.points.at(-1);
  if (!tracks.forecast || !last) return false;
  return time >= tracks.forecast.issued_at - BEFORE_S && time <= last.time;
}

function interpolatedConeKm(marks: readonly Mark[], index: number): number | null {
  const [from, to] = [marks[index - 1], marks.slice(index).find(({ coneKm }) => coneKm !== null)];
  if (from?.coneKm == null || to?.coneKm == null) return null;
  const share = (marks[index]!.time - from.time) / (to.time - from.time);
  return from.coneKm + (to.coneKm - from.coneKm) * share;
}

/** A storm at a time between two marks. */
export interface Passing extends Place {
  /** Unix seconds. */
  time: number;
  fhr: number;
  /** Radius of the cone, km; null if none is given. */
  coneKm: number | null;
  /**
   * Heading, degrees clockwise from true north, TO; at a mark that of the motion before it, or else after it;
   * null if stationary.
   */
  heading: number | null;
  /** Radii of a wind; undefined if they are not forecast. */
  radii(threshold: number): Radii | undefined;
}

/**
 * A storm at a time of its forecast: on the great circle between two marks, with radii and cone interpolated in time.
 *
 * @returns undefined before the first mark and after the last.
 */
export function passingAt(marks: readonly Mark[], time: number): Passing | undefined {
  const next = marks.findIndex((mark) => mark.time >= time);
  const to = marks[next];
  if (!to) return undefined;
  const from = marks[Math.max(0, next - 1)]!;
  if (time < from.time) return undefined;
  const share = to.time === from.time ? 1 : (time - from.time) / (to.time - from.time);
  const stationary = isSamePlace(from, to);
  const place = stationary ? { latitude: to.latitude, longitude: to.longitude } : between(from, to, share);
  const { coneKm } = to;
  return {
    ...place,
    time,
    fhr: from.fhr + (to.fhr - from.fhr) * share,
    coneKm: from.coneKm === null || coneKm === null ? null : from.coneKm + (coneKm - from.coneKm) * share,
    heading: stationary ? headingFrom(marks, time) : initialBearing(share < 1 ? place : from, to),
    radii: (threshold) => radiiAt(from.point, to.point, share, threshold),
  };
}

/**
 * Heading of a storm at a mark before which it did not move, degrees TO: the heading after the mark. If the mark is the
 * only one, its point states the heading.
 *
 * @returns null between marks, and for a storm that does not move afterwards either.
 */
function headingFrom(marks: readonly Mark[], time: number): number | null {
  const index = marks.findIndex((mark) => mark.time === time);
  const mark = marks[index];
  if (!mark) return null;
  const next = marks[index + 1];
  if (next) return isSamePlace(mark, next) ? null : initialBearing(mark, next);
  return marks.length === 1 && mark.point.speed_kmh ? mark.point.heading_deg : null;
}

function isSamePlace(one: Place, other: Place): boolean {
  return one.latitude === other.latitude && one.longitude === other.longitude;
}

/**
 * Position of a storm now: on its forecast track, or last observed if there is none. @param now Unix seconds.
 */
export function placeNow(entry: Pick<StormEntry, "tracks">, now: number): Place | undefined {
  const passing = passingAt(forecastMarks(entry), now);
  if (passing) return { latitude: passing.latitude, longitude: passing.longitude };
  return centreAt(entry.tracks.observed, now);
}

/** Distance (km) and bearing (degrees clockwise from true north) of a storm now. @param now Unix seconds. */
export function rangeNow(entry: Pick<StormEntry, "tracks">, from: Place, now: number) {
  const centre = placeNow(entry, now);
  return centre && { km: distanceKm(from, centre), bearing: initialBearing(from, centre) };
}

/** Reach of a wind in the four quadrants, km. */
export type Radii = Record<keyof Quadrants, number>;

const NO_REACH: Radii = { ne: 0, se: 0, sw: 0, nw: 0 };

/**
 * Reach of a wind at a point of a track; 0 if the maximum wind is below the threshold.
 *
 * @param threshold Knots, one of the provider's thresholds.
 * @returns undefined if the provider gives no radii.
 */
export function radiiOf(point: TrackPoint, threshold: number): Radii | undefined {
  const given = (point.wind_radii_km as Record<string, Quadrants | null> | null)?.[`${threshold}kn`];
  if (given) return { ne: given.ne ?? 0, se: given.se ?? 0, sw: given.sw ?? 0, nw: given.nw ?? 0 };
  return point.vmax_kt !== null && point.vmax_kt < threshold ? NO_REACH : undefined;
}

/** Reach of 12 ft seas at a point of a track, km; undefined if it is not given. */
export function seasOf({ sea_radii_km }: TrackPoint): Radii | undefined {
  const given = sea_radii_km?.["12ft"];
  return given ? { ne: given.ne ?? 0, se: given.se ?? 0, sw: given.sw ?? 0, nw: given.nw ?? 0 } : undefined;
}

/** Radii interpolated between two points of a track; undefined if one of the two has none. */
function radiiAt(from: TrackPoint, to: TrackPoint, share: number, threshold: number): Radii | undefined {
  return betweenRadii(radiiOf(from, threshold), radiiOf(to, threshold), share);
}

/** Reach of 12 ft seas between two points of a track, km; undefined if one of them has none. */
export function seasAt(from: TrackPoint, to: TrackPoint, share: number): Radii | undefined {
  return betweenRadii(seasOf(from), seasOf(to), share);
}

function betweenRadii(before: Radii | undefined, after: Radii | undefined, share: number): Radii | undefined {
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
 * Whether a wind occurs in some hour of a forecast, as a radius or as a maximum wind. @param threshold Knots.
 */
export function isWindForecast(marks: readonly Mark[], threshold: number): boolean {
  return marks.some(({ point }) => {
    const radii = radiiOf(point, threshold);
    return (point.vmax_kt ?? 0) >= threshold || (radii !== undefined && largestRadius(radii) > 0);
  });
}

/**
 * The largest radius of a storm's lowest threshold, km: 34 kt for jtwc, 30 kt for jma. Without radii it is
 * the typical reach from which the affectance box is derived.
 */
export function reachOf(point: TrackPoint, threshold: number): { km: number; estimated: boolean } {
  const radii = radiiOf(point, threshold);
  if (radii) return { km: largestRadius(radii), estimated: false };
  return { km: (point.affectance_bbox.n - point.lat) * RADIANS * EARTH_KM, estimated: true };
}

/** A moving vessel, or a fixed place. */
export interface Vessel {
  /** Unix seconds. */
  begins: number;
  ends: number;
  /** Times at which it changes course or speed, ascending, Unix seconds. */
  turns: readonly number[];
  /** @param time Between `begins` and `ends`, Unix seconds. */
  at(time: number): Place;
}

/**
 * A vessel on a constant course.
 *
 * @param course Degrees clockwise from true north, TO.
 * @param speed Km/h; 0 for a fixed place.
 */
export function steering(from: Place, begins: number, course: number, speed: number): Vessel {
  return {
    begins,
    ends: Number.POSITIVE_INFINITY,
    turns: [],
    at: (time) => rhumbDestination(from, course, (speed * (time - begins)) / 3600),
  };
}

/** A waypoint with the time of passing it, Unix seconds. */
export interface Waypoint extends Place {
  time: number;
}

/** A vessel on a route of rhumb lines between waypoints. @param waypoints At least one, ascending in time. */
export function onRoute(waypoints: readonly Waypoint[]): Vessel {
  const [first, last] = [waypoints[0]!, waypoints.at(-1)!];
  return {
    begins: first.time,
    ends: last.time,
    turns: waypoints.slice(1, -1).map(({ time }) => time),
    at(time) {
      if (time <= first.time) return first;
      const next = countUntil(waypoints, time);
      if (next === waypoints.length) return last;
      const [from, to] = [waypoints[next - 1]!, waypoints[next]!];
      return rhumbBetween(from, to, (time - from.time) / (to.time - from.time));
    },
  };
}

/** The rest of a voyage; it is empty if the voyage ends before. @param from Unix seconds. */
export function since(vessel: Vessel, from: number): Vessel {
  const begins = Math.max(vessel.begins, from);
  return { ...vessel, begins, turns: vessel.turns.filter((time) => time > begins) };
}
