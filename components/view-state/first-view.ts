import { normaliseLongitude } from "@open-metocean/geo/grid";
import type { Place } from "./view-url.ts";

/** Places at sea with interesting weather, about one per hour of time zone. */
const waters: readonly Place[] = [
  { latitude: 38, longitude: -175 },
  { latitude: 45, longitude: -155 },
  { latitude: 42, longitude: -138 },
  { latitude: 36, longitude: -125 },
  { latitude: 12, longitude: -105 },
  { latitude: 26, longitude: -90 },
  { latitude: 32, longitude: -72 },
  { latitude: 42, longitude: -58 },
  { latitude: 46, longitude: -40 },
  { latitude: 48, longitude: -24 },
  { latitude: 47, longitude: -8 },
  { latitude: 56, longitude: 4 },
  { latitude: 36, longitude: 19 },
  { latitude: -36, longitude: 34 },
  { latitude: -12, longitude: 52 },
  { latitude: 15, longitude: 64 },
  { latitude: 8, longitude: 78 },
  { latitude: 14, longitude: 89 },
  { latitude: -14, longitude: 105 },
  { latitude: 16, longitude: 115 },
  { latitude: 26, longitude: 127 },
  { latitude: 33, longitude: 142 },
  { latitude: -36, longitude: 155 },
  { latitude: -42, longitude: 168 },
];

/**
 * Where the map opens without a link: at sea near the device's time zone, so that no position is needed.
 *
 * @param minutesBehindUtc As from `Date.getTimezoneOffset`.
 */
export function initialPlace(minutesBehindUtc: number): Place {
  const longitude = -minutesBehindUtc / 4;
  const distance = (place: Place) => Math.abs(normaliseLongitude(place.longitude - longitude));
  return waters.reduce((nearest, place) => (distance(place) < distance(nearest) ? place : nearest));
}

/** Whether the query of an address names a position or zoom, or brings a route to show. */
export function namesPlace(search: string): boolean {
  const query = new URLSearchParams(search);
  return ["c", "p", "z", "plan"].some((name) => query.has(name));
}
