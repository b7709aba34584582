import { queryOptions } from "@tanstack/react-query";
import {
  type TideQuery,
  type TideStationsQuery,
  tideOperations,
} from "#clients/typescript/src/operations.ts";
import type {
  StreamPrediction,
  TideKind,
  TidePrediction,
  TideStation,
  TidesNow,
} from "#lib/contract/tides.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { AROUND_KM, NEAR_KM } from "#lib/tides/limits.ts";
import { DAY_S, formatInstant, parseInstant } from "#lib/time.ts";
import { apiFetch, retryPolicy, ServiceError } from "./api-fetch.ts";
import { parseReply } from "./parse-reply.ts";
import { serviceOf } from "./service.ts";

export type Prediction = TidePrediction | StreamPrediction;

type Schemas = typeof import("./tide-schemas.ts").tideSchemas;

/** A reply on tides, checked by its schema, which is loaded beside it. @throws ServiceError */
async function checked<T>(
  reply: Promise<unknown>,
  schemaOf: (schemas: Schemas) => Parameters<typeof parseReply<T>>[1],
): Promise<T> {
  const unreachable = (cause: unknown) => {
    throw new ServiceError({ is: "unreachable" }, 0, undefined, { cause });
  };
  const [body, { tideSchemas }] = await Promise.all([reply, import("./tide-schemas.ts").catch(unreachable)]);
  return parseReply(body, schemaOf(tideSchemas));
}

/** What is asked of a station does not change. */
const lasting = { staleTime: Number.POSITIVE_INFINITY, ...retryPolicy };

/** Days of a prediction before a time of the map, which a tide of one a day needs for its range, and after it, at least. */
const [DAYS_BEFORE, DAYS_AFTER] = [2, 16];

/** Predictions begin this many days apart. */
const BLOCK_DAYS = 5;

/** How often what failed, or is of another span, is asked for again, ms. */
const RETRIED_MS = 30_000;

/** Minutes between the values of a curve: straight lines between them are within 1 cm of the tide everywhere. */
const STEP = 10;

/**
 * The span of a prediction around a time, the same for all times of five days, so that stepping rarely sends a request.
 *
 * @param datum Of the heights; null: the chart datum of the station.
 */
export function spanAround(time: number, datum: string | null = null): TideQuery {
  const block = Math.floor(time / (BLOCK_DAYS * DAY_S)) * BLOCK_DAYS * DAY_S;
  return {
    from: formatInstant(block - DAYS_BEFORE * DAY_S),
    to: formatInstant(block + (BLOCK_DAYS + DAYS_AFTER) * DAY_S),
    step: STEP,
    ...(datum !== null && { datum }),
  };
}

/** Whether a prediction is of another span than was asked for: the device had saved it. */
const isOther = (prediction: Prediction | undefined, { from = "" }: TideQuery): boolean =>
  prediction !== undefined && prediction.from !== from && !Number.isNaN(parseInstant(from));

/** The prediction of a station: extremes and, where the span has a step, the curve. */
export const tideQuery = (key: string, id: string, span: TideQuery) =>
  queryOptions({
    queryKey: ["tide", key, id, span],
    queryFn: ({ signal }): Promise<Prediction> =>
      checked<Prediction>(
        tideOperations(serviceOf(key)).get(id, span, { signal }),
        (schemas) => schemas.prediction,
      ),
    ...lasting,
    staleTime: ({ state }) => (isOther(state.data, span) ? 0 : lasting.staleTime),
    refetchInterval: ({ state }) => isOther(state.data, span) && RETRIED_MS,
  });

/** High and low waters, or slacks, of a span as a file for a calendar. @throws ServiceError */
export async function tideCalendar(key: string, id: string, { from, to, datum }: TideQuery): Promise<Blob> {
  const query = new URLSearchParams({ from: from!, to: to!, ...(datum && { datum }), f: "ics" });
  return (await apiFetch(`/tides/${encodeURIComponent(id)}?${query}`, { key })).blob();
}

const stationsQuery = (key: string, listed: TideStationsQuery) =>
  queryOptions({
    queryKey: ["tide-stations", key, listed],
    queryFn: async ({ signal }): Promise<TideStation[]> => {
      const reply = tideOperations(serviceOf(key)).stations(listed, { signal });
      return (await checked(reply, (schemas) => schemas.stations)).results;
    },
    ...lasting,
  });

/** Stations of one name are ranked here, by the view: so many of the best matches are enough of them. */
const SEARCHED = 50;

/** Stations by part of a name, a region or a country, the best match first. */
export const tideStationsQuery = (key: string, search: string) =>
  stationsQuery(key, { search, limit: SEARCHED });

/** Stations around a place, those near by water first; without a kind those of tides and of streams. */
export const stationsAroundQuery = (
  key: string,
  { latitude: lat, longitude: lon }: Place,
  limit: number,
  kind?: TideKind,
) => stationsQuery(key, { lat, lon, limit, ...(kind && { kind }) });

/** Whether a station is near the place that was asked for, but only over land. */
export const isAcrossLand = ({ water_km, distance_km = 0 }: TideStation): boolean =>
  water_km === null && distance_km <= AROUND_KM;

/**
 * The station that answers for a place, which has its distances, or the nearest one over land; null where none is near enough.
 * Asked as a list: browsers report a reply 404, which is the usual one at sea.
 */
export const nearestStationQuery = (
  key: string,
  { latitude: lat, longitude: lon }: Place,
  kind: TideKind,
) => ({
  ...stationsQuery(key, { lat, lon, limit: 1, kind, within_km: NEAR_KM }),
  select: ([nearest]: TideStation[]) =>
    nearest && (nearest.water_km ?? nearest.distance_km!) <= NEAR_KM ? nearest : null,
});

/**
 * Heights and streams of a box at one instant.
 *
 * @param bbox `west,south,east,north`, degrees.
 * @param at Unix seconds.
 */
export const tidesNowQuery = (key: string, bbox: string, at: number) =>
  queryOptions({
    queryKey: ["tides-now", key, bbox, at],
    queryFn: ({ signal }): Promise<TidesNow> =>
      checked(
        tideOperations(serviceOf(key)).now({ bbox, at: formatInstant(at) }, { signal }),
        (schemas) => schemas.now,
      ),
    ...lasting,
    // No retry, for which the next box would have to wait.
    retry: false,
    refetchInterval: ({ state }) =>
      state.status === "error" && retryPolicy.retry(0, state.error!) && RETRIED_MS,
  });
