import { normaliseLongitude } from "#lib/field/grid.ts";
import { EARTH_KM, type Place, RADIANS } from "./sphere.ts";

/**
 * Difference of the Mercator ordinates of two latitudes, radians. From half angles: the difference of two logarithms loses
 * up to 30 m on a course that is nearly east.
 */
function stretch(from: number, to: number): number {
  const half = ((to - from) * RADIANS) / 2;
  return 2 * Math.atanh(Math.sin(half) / Math.cos(((to + from) * RADIANS) / 2));
}

/** Mercator has no poles: a latitude about a kilometre from them replaces them. */
function offPole(latitude: number): number {
  return Math.max(-89.99, Math.min(89.99, latitude));
}

/** Mean length of a degree of longitude along a rhumb line between two latitudes, as a share of that at the equator. */
function narrowing(from: number, to: number): number {
  const gained = stretch(from, to);
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

/** The place at a share (0..1) of the rhumb line, the shorter way around. */
export function rhumbBetween(from: Place, to: Place, share: number): Place {
  const latitude = from.latitude + (to.latitude - from.latitude) * share;
  const east = normaliseLongitude(to.longitude - from.longitude);
  const begun = offPole(from.latitude);
  const gained = stretch(begun, offPole(to.latitude));
  const part = gained === 0 ? share : stretch(begun, offPole(latitude)) / gained;
  return { latitude, longitude: normaliseLongitude(from.longitude + east * part) };
}

/** Length of the rhumb line between two places, the shorter way around, km. Two names of one pole are no distance apart. */
export function rhumbDistanceKm(from: Place, to: Place): number {
  const [northward, eastward] = rhumbLegs(from, to);
  return EARTH_KM * Math.hypot(northward, eastward);
}

/** Course of the rhumb line, degrees clockwise from true north in [0, 360); 0 where both places are the same. */
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
