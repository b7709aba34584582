import { normaliseLongitude } from "@open-metocean/geo/grid";
import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import type { StrongWind } from "#lib/contract/strong-wind.ts";
import type { Place } from "./view-url.ts";

/** Waters near which people live, at most some 15° of longitude apart, north and south of the tropics. */
const waters: Record<"north" | "south", readonly (readonly [latitude: number, longitude: number])[]> = {
  north: [
    [38, -175],
    [45, -155],
    [42, -138],
    [36, -125],
    [12, -105],
    [26, -90],
    [32, -72],
    [42, -58],
    [46, -40],
    [48, -24],
    [47, -8],
    [56, 4],
    [36, 19],
    [34, 28],
    [43, 34],
    [26, 53],
    [15, 64],
    [8, 78],
    [14, 89],
    [-14, 105],
    [16, 115],
    [26, 127],
    [33, 142],
    [45, 155],
    [38, 172],
  ],
  south: [
    [-18, -175],
    [-18, -150],
    [-20, -125],
    [-5, -95],
    [-15, -79],
    [-36, -52],
    [-26, -42],
    [-10, -30],
    [3, -10],
    [-5, 8],
    [-34, 16],
    [-36, 34],
    [-12, 46],
    [-14, 62],
    [-8, 78],
    [-14, 95],
    [-33, 113],
    [-36, 135],
    [-36, 155],
    [-42, 168],
  ],
};

/** Time zones of the southern hemisphere and the tropics around it, by the names of the IANA database. */
const southern =
  /^(Africa|Indian|Australia|Pacific|Antarctica|America\/(Argentina|Araguaina|Asuncion|Bahia|Belem|Buenos_Aires|Fortaleza|Guayaquil|La_Paz|Lima|Maceio|Montevideo|Punta_Arenas|Recife|Santiago|Sao_Paulo))\b/;

/** These lie in the north although their region is southern. */
const northern =
  /^(Africa\/(Algiers|Cairo|Casablanca|Ceuta|El_Aaiun|Tripoli|Tunis)|Pacific\/(Guam|Honolulu|Saipan))$/;

/**
 * A place at sea near the device's time zone: where a visitor probably is, without asking for a position.
 *
 * @param minutesBehindUtc As from `Date.getTimezoneOffset`.
 * @param zone Name in the IANA database, such as `Europe/Paris`, which tells the hemisphere.
 */
export function initialPlace(minutesBehindUtc: number, zone: string): Place {
  const longitude = -minutesBehindUtc / 4;
  const side = southern.test(zone) && !northern.test(zone) ? "south" : "north";
  const distance = ([, east]: readonly [number, number]) => Math.abs(normaliseLongitude(east - longitude));
  const [latitude, east] = waters[side].reduce((near, one) => (distance(one) < distance(near) ? one : near));
  return { latitude, longitude: east };
}

/** The same for this device. */
export function placeOfDevice(): Place {
  const { timeZone } = new Intl.DateTimeFormat().resolvedOptions();
  return initialPlace(new Date().getTimezoneOffset(), timeZone ?? "");
}

/** Distance within which weather concerns a visitor, km. */
const NEAR_KM = 3000 * MILE_KM;

/** Wind of a gale, knots. */
const GALE = 34;

/**
 * Where the map opens without a link: at the strongest wind near the visitor. A gale counts before any weaker
 * wind, and a nearer one before one that is as strong; without known winds it is the visitor's own place.
 */
export function openingPlace(home: Place, winds: readonly StrongWind[]): Place {
  const near = winds.flatMap(([latitude, longitude, knots]) => {
    const place = { latitude, longitude };
    const share = distanceKm(home, place) / NEAR_KM;
    return share <= 1 ? [{ place, knots, worth: knots * (1 - share / 2) }] : [];
  });
  const gales = near.filter(({ knots }) => knots >= GALE);
  const [first] = (gales.length > 0 ? gales : near).sort((one, other) => other.worth - one.worth);
  return first?.place ?? home;
}

const positions = ["c", "p", "z", "plan"] as const;

/** Parameters of what is shown somewhere; the panel shows the first one. */
const sights = ["tide", "storm"] as const;

/** Whether the query of an address names a position or zoom, or brings a route, a storm or a tide station to show. */
export function namesPlace(search: string): boolean {
  return hasSome(search, [...positions, ...sights]);
}

/** What a link shows whose position is known only when it is read; undefined if the link names a position as well. */
export function linkedSight(search: string): (typeof sights)[number] | undefined {
  return hasSome(search, positions) ? undefined : sights.find((name) => hasSome(search, [name]));
}

function hasSome(search: string, names: readonly string[]): boolean {
  const query = new URLSearchParams(search);
  return names.some((name) => query.has(name));
}
