import { normaliseLongitude } from "#lib/field/grid.ts";
import { EARTH_KM, RADIANS } from "./patch.ts";

export interface Place {
  latitude: number;
  longitude: number;
}

/**
 * Where a great circle leads.
 *
 * @param bearing Degrees clockwise from true north.
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
export function bearing(from: Place, to: Place): number {
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
