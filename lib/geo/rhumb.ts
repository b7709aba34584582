import { type Box, discBox, unionBox } from "./box.ts";
import { normaliseLongitude } from "./grid.ts";
import { dot, EARTH_KM, MILE_KM, type Place, RADIANS, type Vector, vectorOf } from "./sphere.ts";

/**
 * Difference of the Mercator ordinates of two latitudes, radians. It is computed from half angles, because
 * the difference of two logarithms loses up to 30 m on a course that is nearly east.
 *
 * @param by Degrees to the north.
 */
function stretch(from: number, by: number): number {
  const half = (by * RADIANS) / 2;
  return 2 * Math.atanh(Math.sin(half) / Math.cos(from * RADIANS + half));
}

/**
 * Moves a latitude at a pole about a kilometre away from it, because the Mercator projection has no poles.
 */
function offPole(latitude: number): number {
  return Math.max(-89.99, Math.min(89.99, latitude));
}

/** Mean length of a degree of longitude along a rhumb line between two latitudes, as a share of that at the equator. */
function narrowing(from: number, to: number): number {
  const gained = stretch(from, to - from);
  return gained === 0 ? Math.cos(from * RADIANS) : ((to - from) * RADIANS) / gained;
}

/**
 * Destination of a constant course (rhumb line). A course over a pole ends there.
 *
 * @param course Degrees clockwise from true north.
 * @param distance Km.
 */
export function rhumbDestination(from: Place, course: number, distance: number): Place {
  const angle = distance / EARTH_KM;
  const northward = (angle * Math.cos(course * RADIANS)) / RADIANS;
  const latitude = offPole(from.latitude + northward);
  const east = (angle * Math.sin(course * RADIANS)) / narrowing(offPole(from.latitude), latitude);
  return { latitude, longitude: normaliseLongitude(from.longitude + east / RADIANS) };
}

/** The place at a share (0..1) of the rhumb line, which takes the shorter way around. */
export function rhumbBetween(from: Place, to: Place, share: number): Place {
  const latitude = from.latitude + (to.latitude - from.latitude) * share;
  const east = normaliseLongitude(to.longitude - from.longitude);
  const begun = offPole(from.latitude);
  // The share of the difference, since a latitude between two that are nearly the same is rounded to one of them.
  const by = offPole(to.latitude) - begun;
  const gained = stretch(begun, by);
  const part = gained === 0 ? share : stretch(begun, by * share) / gained;
  return { latitude, longitude: normaliseLongitude(from.longitude + east * part) };
}

/**
 * Length of the rhumb line between two places, the shorter way around, km. Two places at the same pole are at
 * distance 0 whatever their longitudes.
 */
export function rhumbDistanceKm(from: Place, to: Place): number {
  const [northward, eastward] = rhumbLegs(from, to);
  return EARTH_KM * Math.hypot(northward, eastward);
}

/** Course of the rhumb line, degrees clockwise from true north in [0, 360); 0 if both places are the same. */
export function rhumbCourse(from: Place, to: Place): number {
  const [northward, eastward] = rhumbLegs(from, to);
  const course = Math.atan2(eastward, northward) / RADIANS;
  return (course + 360) % 360;
}

/** Difference of latitude and departure of a rhumb line, radians. */
function rhumbLegs(from: Place, to: Place): [northward: number, eastward: number] {
  const northward = (to.latitude - from.latitude) * RADIANS;
  if (northward === 0 && Math.abs(from.latitude) === 90) return [0, 0];
  const east = normaliseLongitude(to.longitude - from.longitude) * RADIANS;
  return [northward, east * narrowing(offPole(from.latitude), offPole(to.latitude))];
}

/**
 * Spacing of places along the line, as a share of the reach; the edge of the corridor is then off by at most
 * a five-hundredth of the reach.
 */
const SPACING = 1 / 8;
const MAX_PLACES = 4000;

/** All places within a distance of a line of rhumb lines. */
interface Corridor {
  box: Box;
  contains(place: Place): boolean;
}

/** Builds a corridor. @param line At least one place. @param km Reach on either side. */
export function corridorAround(line: readonly Place[], km: number): Corridor {
  const length = line.reduce((sum, place, i) => sum + (i > 0 ? rhumbDistanceKm(line[i - 1]!, place) : 0), 0);
  const spacing = Math.max(km * SPACING, length / MAX_PLACES);
  const places = [line[0]!];
  for (const [i, to] of line.slice(1).entries()) {
    const from = line[i]!;
    const parts = Math.max(1, Math.ceil(rhumbDistanceKm(from, to) / spacing));
    for (let part = 1; part <= parts; part++) places.push(rhumbBetween(from, to, part / parts));
  }
  const vectors = places.map(vectorOf);
  const reach = Math.min(Math.PI, km / EARTH_KM);
  const near = Math.cos(reach);
  const reachDegrees = (180 / Math.PI) * reach + 1e-6;
  const isNear = (vector: Vector, i: number) => dot(vector, vectors[i]!) >= near;
  // Nodes are queried row by row, so the parts near the last parallel are reused.
  let [parallel, last] = [Number.NaN, 0];
  let besideParallel: number[] = [];
  return {
    box: unionBox(places.map((place) => discBox(place, km)))!,
    contains(place) {
      const vector = vectorOf(place);
      if (isNear(vector, last)) return true;
      if (place.latitude !== parallel) {
        parallel = place.latitude;
        besideParallel = [...places.keys()].filter(
          (i) => Math.abs(places[i]!.latitude - parallel) <= reachDegrees,
        );
      }
      for (const i of besideParallel)
        if (isNear(vector, i)) {
          last = i;
          return true;
        }
      return false;
    },
  };
}

/** A ship's position at a time, with its course and speed. */
export interface Fix extends Place {
  /** Time of the position, Unix seconds. */
  time: number;
  /** True course, degrees clockwise from north, TO, 0..360. */
  course: number;
  /** Speed over ground, kn; 0 at anchor. */
  speed: number;
}

/** Age at which a fix becomes stale, seconds: a ship reports one per watch, and a noon position each day. */
export const STALE_FIX_S = 12 * 3600;

/** Seconds that a device's clock may be ahead. */
const CLOCK_ERROR_S = 120;

/** Whether a fix lies in the future: the ship is not there yet, and its present position is not known. */
export function isPlanned(fix: Fix, now: number): boolean {
  return fix.time > now + CLOCK_ERROR_S;
}

/** Hours between the marks on a ship's way ahead, and hours to the end of that way. */
const MARK_H = 6;
export const AHEAD_H = 24;

/**
 * Position by dead reckoning: on the rhumb line of its course, at its speed. A course over a pole ends there.
 *
 * @param time Unix seconds; for times before the fix the result is the fix.
 */
export function reckoned(fix: Fix, time: number): Place {
  const hours = Math.max(0, time - fix.time) / 3600;
  if (fix.speed === 0 || hours === 0) return { latitude: fix.latitude, longitude: fix.longitude };
  return rhumbDestination(fix, fix.course, fix.speed * MILE_KM * hours);
}

/**
 * The same ship at its present position, by dead reckoning; a fix in the future is unchanged. @param now Unix
 * seconds.
 */
export function onNow(fix: Fix, now: number): Fix {
  return { ...fix, ...reckoned(fix, now), time: Math.max(fix.time, now) };
}

/**
 * The course and speed from now on that bring a ship to a place at a time.
 *
 * @param now Unix seconds.
 * @param arrival Time of arrival, Unix seconds, later than `now`.
 * @param fastest Limit of the speed, kn; a place that cannot be reached in time is only steered for.
 */
export function bound(fix: Fix, now: number, to: Place, arrival: number, fastest: number): Fix {
  const from = onNow(fix, now);
  const hours = (arrival - from.time) / 3600;
  const speed = Math.min(fastest, rhumbDistanceKm(from, to) / MILE_KM / hours);
  return { ...from, course: rhumbCourse(from, to), speed };
}

/** A ship's position at a time of its way ahead. */
interface Reckoned extends Place {
  time: number;
  /** Hours since the beginning of the way. */
  hours: number;
}

/**
 * The way of the next 24 hours, with a point every hour because a rhumb line is straight only on a Mercator
 * map, and the marks at every sixth hour. Both are empty at anchor.
 *
 * @param time Beginning, Unix seconds; not before the fix.
 */
export function wayAhead(fix: Fix, time: number): { way: Reckoned[]; marks: Reckoned[] } {
  if (fix.speed === 0) return { way: [], marks: [] };
  const begins = Math.max(time, fix.time);
  const way = Array.from({ length: AHEAD_H + 1 }, (_, hours) => {
    const at = begins + hours * 3600;
    return { ...reckoned(fix, at), time: at, hours };
  });
  return { way, marks: way.filter(({ hours }) => hours > 0 && hours % MARK_H === 0) };
}
