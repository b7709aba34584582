import { waysByWater } from "#lib/geo/by-water.ts";
import { distanceKm, initialBearing, type Place } from "#lib/geo/sphere.ts";
import { AROUND_KM, NEAR_KM } from "#lib/tides/limits.ts";
import { knownCoast } from "#server/platform/coast/known-coast.ts";
import { type Distances, idOf, type Station } from "./catalog.ts";
import { UnknownStationError } from "./errors.ts";
import { nameOf } from "./names.ts";

/** A station, and how far it is from a place that was asked for. */
export interface NearStation extends Distances {
  station: Station;
}

/** A subordinate station has to be nearer by this to be preferred. */
const SUBORDINATE_KM = 2;

/**
 * A longer way by water than this many times the great circle, and so many km, leads around land to another sea: from Chesil
 * Beach to Weymouth it is 16 km for 5, and the tide is another.
 */
const [MOST_STRETCH, FREE_KM] = [2, 5];

/**
 * Stations in the order in which they answer for a place: those near it by water, the nearest first, and after them the others,
 * the nearest first along a great circle. Every choice of a station by place is this one.
 *
 * @param reachKm How far away by water a station may be, km.
 * @param count So many of the order are needed: the ways to no more are looked for than that takes.
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

/** Ways by water from a place. A search that reaches far has a coarse grid: finer ones, which end nearer, come first. */
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

/** Number of stations that are named where none is near. */
const NAMED = 3;

/** The station that answers for a place. @throws UnknownStationError Where none is near by water; it names the nearest ones. */
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
