import { type Place, RADIANS } from "./sphere.ts";

/**
 * Altitude of the sun's centre at sunrise and sunset, degrees; it accounts for the sun's radius and the usual
 * refraction at the horizon.
 */
export const RISE_ALTITUDE = -50 / 60;

/** The epoch J2000.0, Unix seconds. */
const EPOCH = Date.UTC(2000, 0, 1, 12) / 1000;

/**
 * Altitude of the sun's centre above the horizon, without refraction, degrees; within 0.03° from 1950 to 2050. The series
 * are those of the U.S. Naval Observatory, "Computing Approximate Solar Coordinates" and "Computing Greenwich Sidereal Time".
 *
 * @param time Unix seconds.
 */
export function sunAltitude(time: number, { latitude, longitude }: Place): number {
  const days = (time - EPOCH) / 86_400;
  const anomaly = (357.529 + 0.98560028 * days) * RADIANS;
  const meanLongitude = 280.459 + 0.98564736 * days;
  const ecliptic = (meanLongitude + 1.915 * Math.sin(anomaly) + 0.02 * Math.sin(2 * anomaly)) * RADIANS;
  const obliquity = (23.439 - 0.00000036 * days) * RADIANS;
  const ascension = Math.atan2(Math.cos(obliquity) * Math.sin(ecliptic), Math.cos(ecliptic));
  const sinDeclination = Math.sin(obliquity) * Math.sin(ecliptic);
  const sidereal = (18.697375 + 24.065709824279 * days) * 15 * RADIANS;
  const hourAngle = sidereal + longitude * RADIANS - ascension;
  const sine =
    Math.sin(latitude * RADIANS) * sinDeclination +
    Math.cos(latitude * RADIANS) * Math.sqrt(1 - sinDeclination * sinDeclination) * Math.cos(hourAngle);
  return Math.asin(sine) / RADIANS;
}

/** Seconds between two computed altitudes; the sun's path in between is nearly straight. */
const STEP_S = 600;

/**
 * The nights within a time span, from sunset to sunrise at sea level.
 *
 * @param from Unix seconds, as all times.
 */
export function nightsAt(place: Place, from: number, to: number): { from: number; to: number }[] {
  const nights: { from: number; to: number }[] = [];
  const above = (time: number) => sunAltitude(time, place) - RISE_ALTITUDE;
  let last = above(from);
  if (last < 0) nights.push({ from, to });
  for (let time = from; time < to; time += STEP_S) {
    const next = above(time + STEP_S);
    const crossing = Math.min(to, time + (STEP_S * last) / (last - next));
    if (last >= 0 && next < 0) nights.push({ from: crossing, to });
    else if (last < 0 && next >= 0) nights.at(-1)!.to = crossing;
    last = next;
  }
  return nights;
}
