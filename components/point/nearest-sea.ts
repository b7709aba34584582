import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { type Place, sampledPlace } from "#components/view-state/view-url.ts";
import { type DrawnVariable, paintedOutput } from "#lib/catalog/colours.ts";
import { destination, distanceKm, initialBearing, MILE_KM } from "#lib/geo/sphere.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";
import type { Conditions } from "./format-conditions.ts";
import { type PointSample, postPoints } from "./point-queries.ts";

/** Whether a place is on land by the map's own coast: latitude and longitude (−180..180), degrees. */
export type OnLand = (latitude: number, longitude: number) => boolean;

/** What there is at a place where a model has land. */
export interface Shore {
  /** By the map's own coast. */
  onLand: boolean;
  /** The nearest place at sea with values; undefined where there is none within reach. */
  sea: NearestSea | undefined;
}

export interface NearestSea {
  place: Place;
  /** From the sampled place: km, and degrees clockwise from north. */
  km: number;
  bearing: number;
}

/** How far a sea cell is looked for, and in which steps, n mi; and in how many directions. */
export const SEARCH_MILES = 60;
const STEP_MILES = 2;
const DIRECTIONS = 24;

/** Places to look at, the nearest first, as a link would sample them. */
export function placesAround(from: Place): Place[] {
  const rings = Array.from({ length: SEARCH_MILES / STEP_MILES }, (_, index) => (index + 1) * STEP_MILES);
  return rings.flatMap((miles) =>
    Array.from({ length: DIRECTIONS }, (_, index) => {
      const { latitude, longitude } = destination(from, (index * 360) / DIRECTIONS, miles * MILE_KM);
      return sampledPlace(latitude, longitude);
    }),
  );
}

/**
 * The nearest of some places that has a value of every variable, or else of any.
 *
 * @param places The nearest first.
 * @param conditions Of each of them.
 */
export function nearestWithValues(
  from: Place,
  places: readonly Place[],
  conditions: readonly Conditions[],
  variables: readonly DrawnVariable[],
): NearestSea | undefined {
  const has = (index: number) => (name: DrawnVariable) =>
    typeof conditions[index]?.[paintedOutput(name).point] === "number";
  const place =
    places.find((_, index) => variables.every(has(index))) ??
    places.find((_, index) => variables.some(has(index)));
  return place && { place, km: distanceKm(from, place), bearing: initialBearing(from, place) };
}

/**
 * What there is around a place where a model has land. The mask of a model hardly changes: it is asked once a day of the
 * map's time.
 *
 * @param variables Those without a value.
 * @param loadLand The map's own coast.
 */
export const shoreQuery = (
  { apiKey, place, time }: PointSample,
  variables: readonly DrawnVariable[],
  loadLand: () => Promise<OnLand>,
) =>
  queryOptions({
    queryKey: ["shore", apiKey, place, variables, Math.floor(time / DAY_S)],
    queryFn: async ({ signal }): Promise<Shore> => {
      const isLand = await loadLand();
      const onLand = isLand(place.latitude, place.longitude);
      const places = placesAround(place).filter(({ latitude, longitude }) => !isLand(latitude, longitude));
      if (places.length === 0) return { onLand, sea: undefined };
      const timestamp = formatInstant(time);
      const points = places.map((one) => ({ ...one, timestamp }));
      const { results } = await postPoints(apiKey, { points, variables, include_meta: false }, signal);
      const conditions = results.map((result) => result.conditions);
      return { onLand, sea: nearestWithValues(place, places, conditions, variables) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...retryPolicy,
  });
