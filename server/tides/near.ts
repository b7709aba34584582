import { waysByWater } from "@open-metocean/geo/by-water";
import { distanceKm, initialBearing, type Place } from "@open-metocean/geo/sphere";
import { AROUND_KM, NEAR_KM } from "#lib/tides/limits.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { type Distances, idOf, type Station } from "./catalog.ts";
import { UnknownStationError } from "./errors.ts";
import { nameOf } from "./names.ts";

/** A station with its distances from the requested place. */
export interface NearStation extends Distances {
  station: Station;
}

/** A subordinate station must be nearer by this distance to be preferred. */
const SUBORDINATE_KM = 2;

/**
 * A way by water longer than this many times the great circle plus so many km leads around land to another sea. From
 * Chesil Beach to Weymouth it is 16 km instead of 5, and the tides differ.
 */
const [MOST_STRETCH, FREE_KM] = [2, 5];

/**
 * Sorts stations by how well they answer for a place: those near it by water, the nearest first, and then the others by
 * distance along a great circle. Every choice of a station by place uses this order.
 *
 * @param reachKm Longest way by water to a station, km.
 * @param count Number of stations needed. Ways by water are searched only until these are known.
 */
export function stationsNear(
  stations: readonly Station[],
  place: Place,
  reachKm: number,
  count: number,
): NearStation[] {
  const all = stations
    .map((station): NearStation => ({ station, km: distanceKm(place, station), waterKm: null }))
    .sort((one, other) => one.km - other.km);
  const wayTo = waysFrom(place, reachKm);
  const near: { one: NearStation; rank: number }[] = [];
  for (const { station, km } of all) {
    if (km > reachKm || (near[count - 1]?.rank ?? Number.POSITIVE_INFINITY) <= km) break;
    const waterKm = wayTo(station);
    if (waterKm === undefined || waterKm > MOST_STRETCH * km + FREE_KM) continue;
    const rank = waterKm + (station.type === "subordinate" ? SUBORDINATE_KM : 0);
    near.push({ one: { station, km, waterKm }, rank });
    near.sort((first, second) => first.rank - second.rank);
  }
  const chosen = new Set(near.map(({ one }) => one.station));
  return [...near.map(({ one }) => one), ...all.filter(({ station }) => !chosen.has(station))];
}

/**
 * Returns the distance by water from a place. A search that reaches far has a coarse grid, so finer searches with a
 * shorter reach come first.
 */
function waysFrom(place: Place, reachKm: number): (to: Place) => number | undefined {
  const searches = [...[NEAR_KM, AROUND_KM].filter((km) => km < reachKm), reachKm].map((km) => {
    let ways: ReturnType<typeof waysByWater> | undefined;
    return (to: Place) => {
      ways ??= waysByWater(knownCoast().line, place, km);
      return ways(to);
    };
  });
  return (to) => {
    for (const search of searches) {
      const km = search(to);
      if (km !== undefined) return km;
    }
    return undefined;
  };
}

/** Number of stations that the error names where none is near. */
const NAMED = 3;

/**
 * The station that answers for a place. @throws UnknownStationError where none is near by water; it names the nearest
 * ones.
 */
export function nearestStation(stations: readonly Station[], place: Place, withinKm: number): NearStation {
  const [first, ...others] = stationsNear(stations, place, withinKm, 1);
  if (first && first.waterKm !== null) return first;
  const kind = first?.station.kind === "tide" ? "tide" : "stream";
  const named = [first!, ...others].slice(0, NAMED).map(({ station, km }) => {
    const bearing = String(Math.round(initialBearing(place, station)) % 360).padStart(3, "0");
    const side = km <= withinKm ? ", on the other side of land" : "";
    return `${nameOf(station)} (${idOf(station)}), ${Math.round(km)} km away towards ${bearing}°${side}`;
  });
  throw new UnknownStationError(
    `There is no ${kind} station within ${withinKm} km of this place by water; that of another place may be quite different. ` +
      `The nearest: ${named.join("; ")}`,
  );
}
