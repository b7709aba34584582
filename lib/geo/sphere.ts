import { normaliseLongitude } from "./grid.ts";

/** A place: degrees north, and degrees east in any convention. */
export interface Place {
  latitude: number;
  longitude: number;
}

/** Mean radius of the Earth, km. Distances differ from those on the ellipsoid by at most 0.5 %. */
export const EARTH_KM = 6371;

export const RADIANS = Math.PI / 180;

/** Length of a degree of latitude, km. */
export const DEGREE_KM = (EARTH_KM * Math.PI) / 180;

/** One nautical mile, km (exact). */
export const MILE_KM = 1.852;

/** Great-circle distance, km (haversine: accurate also for close places). */
export function distanceKm(from: Place, to: Place): number {
  const northward = Math.sin(((to.latitude - from.latitude) * RADIANS) / 2);
  const eastward = Math.sin(((to.longitude - from.longitude) * RADIANS) / 2);
  const square =
    northward * northward +
    Math.cos(from.latitude * RADIANS) * Math.cos(to.latitude * RADIANS) * eastward * eastward;
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(square)));
}

/**
 * Destination of a great circle.
 *
 * @param bearing Initial bearing, degrees clockwise from true north.
 * @param distance Km.
 */
export function destination(from: Place, bearing: number, distance: number): Place {
  const angle = distance / EARTH_KM;
  const course = bearing * RADIANS;
  const sin0 = Math.sin(from.latitude * RADIANS);
  const cos0 = Math.cos(from.latitude * RADIANS);
  const sin = sin0 * Math.cos(angle) + cos0 * Math.sin(angle) * Math.cos(course);
  const east = Math.atan2(Math.sin(course) * Math.sin(angle) * cos0, Math.cos(angle) - sin0 * sin);
  return {
    latitude: Math.asin(Math.max(-1, Math.min(1, sin))) / RADIANS,
    longitude: normaliseLongitude(from.longitude + east / RADIANS),
  };
}

/** Initial bearing of the great circle, degrees clockwise from true north in [0, 360). */
export function initialBearing(from: Place, to: Place): number {
  const dLongitude = (to.longitude - from.longitude) * RADIANS;
  const cosTo = Math.cos(to.latitude * RADIANS);
  const degrees =
    Math.atan2(
      Math.sin(dLongitude) * cosTo,
      Math.cos(from.latitude * RADIANS) * Math.sin(to.latitude * RADIANS) -
        Math.sin(from.latitude * RADIANS) * cosTo * Math.cos(dLongitude),
    ) / RADIANS;
  return (degrees + 360) % 360;
}

/** Final bearing of the great circle, degrees clockwise from true north in [0, 360). */
export function finalBearing(from: Place, to: Place): number {
  return (initialBearing(to, from) + 180) % 360;
}

/** The place at a share of the great circle; `share` 0 is `from`, 1 is `to`. */
export function between(from: Place, to: Place, share: number): Place {
  const whole = distanceKm(from, to);
  if (whole === 0) return { latitude: from.latitude, longitude: normaliseLongitude(from.longitude) };
  return destination(from, initialBearing(from, to), whole * share);
}

/** A place as a unit vector from the Earth's centre: x to (0, 0), y to (0, 90° E), z to the north pole. */
export type Vector = readonly [x: number, y: number, z: number];

export function vectorOf({ latitude, longitude }: Place): Vector {
  const cos = Math.cos(latitude * RADIANS);
  return [
    cos * Math.cos(longitude * RADIANS),
    cos * Math.sin(longitude * RADIANS),
    Math.sin(latitude * RADIANS),
  ];
}

/** @param vector Any nonzero length. */
export function placeOf([x, y, z]: Vector): Place {
  return { latitude: Math.atan2(z, Math.hypot(x, y)) / RADIANS, longitude: Math.atan2(y, x) / RADIANS };
}

export function dot(a: Vector, b: Vector): number {
  return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

export function cross(a: Vector, b: Vector): Vector {
  return [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
}

export function unit(vector: Vector): Vector {
  const length = Math.hypot(...vector);
  return [vector[0] / length, vector[1] / length, vector[2] / length];
}

/** Computes `a · x + b · y + …` of vectors. */
export function combined(...terms: readonly (readonly [number, Vector])[]): Vector {
  const sum: [number, number, number] = [0, 0, 0];
  for (const [factor, vector] of terms) for (let i = 0; i < 3; i++) sum[i]! += factor * vector[i]!;
  return sum;
}

/** Prepares `between` for many shares of one great circle. The two places must not be antipodal. */
export function greatCircle(from: Place, to: Place): (share: number) => Vector {
  const [a, b] = [vectorOf(from), vectorOf(to)];
  const normal = cross(a, b);
  const angle = Math.atan2(Math.hypot(...normal), dot(a, b));
  if (angle < 1e-12) return () => a;
  const ahead = cross(unit(normal), a);
  return (share) => {
    const [cos, sin] = [Math.cos(angle * share), Math.sin(angle * share)];
    return [cos * a[0] + sin * ahead[0], cos * a[1] + sin * ahead[1], cos * a[2] + sin * ahead[2]];
  };
}

/** Distance from a place to the nearest point of a great-circle arc, km, and the position of that point, 0..1. */
export function toArc(place: Place, from: Place, to: Place): { km: number; share: number } {
  const whole = distanceKm(from, to);
  const out = distanceKm(from, place);
  if (whole === 0) return { km: out, share: 0 };
  const aside = (initialBearing(from, place) - initialBearing(from, to)) * RADIANS;
  const angle = out / EARTH_KM;
  const along = EARTH_KM * Math.atan2(Math.sin(angle) * Math.cos(aside), Math.cos(angle));
  if (along <= 0) return { km: out, share: 0 };
  if (along >= whole) return { km: distanceKm(to, place), share: 1 };
  return {
    km: EARTH_KM * Math.abs(Math.asin(Math.max(-1, Math.min(1, Math.sin(angle) * Math.sin(aside))))),
    share: along / whole,
  };
}
