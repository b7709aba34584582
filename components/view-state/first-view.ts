import { normaliseLongitude } from "#lib/field/grid.ts";
import type { Place } from "./view-url.ts";

/** Open sea that has weather worth a first look, one about every hour of the clock. */
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
 * Where the map opens for someone who comes without a link: at sea, by the clock of the device, asking no position.
 *
 * @param minutesBehindUtc As `Date.getTimezoneOffset` gives them.
 */
export function firstPlace(minutesBehindUtc: number): Place {
  const longitude = -minutesBehindUtc / 4;
  const away = (place: Place) => Math.abs(normaliseLongitude(place.longitude - longitude));
  return waters.reduce((nearest, place) => (away(place) < away(nearest) ? place : nearest));
}

/** Whether an address says where to look. */
export function hasPlace(search: string): boolean {
  const query = new URLSearchParams(search);
  return query.has("c") || query.has("p") || query.has("z");
}
