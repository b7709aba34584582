import { type Place, RADIANS } from "#lib/geo/sphere.ts";
import { DAY_S } from "#lib/time.ts";

/** Altitudes of the sun's centre, degrees, at which it rises (refraction and its radius), and civil twilight begins. */
const [RISES, TWILIGHT] = [-0.833, -6];

/**
 * Altitude of the sun's centre above the horizon, degrees, without refraction: the low-precision series of the Astronomical
 * Almanac. From 2020 to 2030 it is within 0.03° of a longer series (`fixtures/make_oracle.py`).
 *
 * @param time Unix seconds.
 */
export function sunAltitude(time: number, { latitude, longitude }: Place): number {
  const days = time / DAY_S - 10_957.5;
  const anomaly = (357.528 + 0.985_600_3 * days) * RADIANS;
  const mean = 280.46 + 0.985_647_4 * days;
  const ecliptic = (mean + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 0.000_000_4 * days) * RADIANS;
  const declination = Math.asin(Math.sin(obliquity) * Math.sin(ecliptic));
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const hourAngle = (280.460_618_37 + 360.985_647_366_29 * days + longitude) * RADIANS - ascension;
  const north = latitude * RADIANS;
  const sine =
    Math.sin(north) * Math.sin(declination) + Math.cos(north) * Math.cos(declination) * Math.cos(hourAngle);
  return Math.asin(Math.max(-1, Math.min(1, sine))) / RADIANS;
}

export const lights = ["day", "twilight", "night"] as const;

export type Light = (typeof lights)[number];

/** @param altitude Of the sun's centre, degrees. */
export function lightAt(altitude: number): Light {
  if (altitude >= RISES) return "day";
  return altitude >= TWILIGHT ? "twilight" : "night";
}
