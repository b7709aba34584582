import { type TideQuery, type TideStationsQuery, tideOperations } from "@open-metocean/client/operations";
import type { Place } from "@open-metocean/geo/sphere";
import { queryOptions } from "@tanstack/react-query";
import type {
  StreamPrediction,
  TideKind,
  TidePrediction,
  TideStation,
  TidesNow,
} from "#lib/contract/tides.ts";
import { AROUND_KM, NEAR_KM } from "#lib/tides/limits.ts";
import { DAY_S, formatInstant, parseInstant } from "#lib/time.ts";
import { apiFetch, retryPolicy, ServiceError } from "./api-fetch.ts";
import { parseReply } from "./parse-reply.ts";
import { serviceOf } from "./service.ts";

export type Prediction = TidePrediction | StreamPrediction;

type Schemas = typeof import("./tide-schemas.ts").tideSchemas;

/** A reply about tides, validated by its schema, which is loaded in parallel. @throws ServiceError */
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

/** Predictions of a station do not change. */
const lasting = { staleTime: Number.POSITIVE_INFINITY, ...retryPolicy };

/**
 * Least number of days of a prediction before the map time, which a diurnal tide needs for its range, and
 * after it.
 */
const [DAYS_BEFORE, DAYS_AFTER] = [2, 16];

/** Interval between the starts of predictions, days. */
const BLOCK_DAYS = 5;

/** Interval at which failed requests and predictions of another span are repeated, ms. */
const RETRIED_MS = 30_000;

/** Minutes between the values of a curve; linear interpolation is within 1 cm of the tide everywhere. */
const STEP = 10;

/** Datum of the heights, and the differences of a secondary port. */
export type AskedHeights = Omit<TideQuery, "from" | "to" | "step">;

/**
 * The span of a prediction around a time. It is the same for all times in five days, so that stepping through
 * time rarely sends a request.
 */
export function spanAround(time: number, asked: AskedHeights = {}): TideQuery {
  const block = Math.floor(time / (BLOCK_DAYS * DAY_S)) * BLOCK_DAYS * DAY_S;
  return {
    from: formatInstant(block - DAYS_BEFORE * DAY_S),
    to: formatInstant(block + (BLOCK_DAYS + DAYS_AFTER) * DAY_S),
    step: STEP,
    ...asked,
  };
}

const differences = ["high_minutes", "low_minutes", "high_m", "low_m"] as const;

/** Whether a prediction has exactly the requested differences of a secondary port. */
export function hasAsked(prediction: Prediction, asked: TideQuery): boolean {
  const has = prediction.kind === "tide" ? prediction.differences : undefined;
  return differences.every((name) => (has?.[name] ?? 0) === (asked[name] ?? 0));
}

/**
 * Whether a prediction is not the requested one, because the device had saved it for another span or with
 * other differences.
 */
const isOther = (prediction: Prediction | undefined, asked: TideQuery): boolean =>
  prediction !== undefined &&
  ((prediction.from !== asked.from && !Number.isNaN(parseInstant(asked.from ?? ""))) ||
    !hasAsked(prediction, asked));

/** The prediction of a station: extremes and, if the span has a step, the curve. */
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

/**
 * High and low waters, or slacks, of a span as a file for a calendar or a spreadsheet. @throws ServiceError
 */
export async function tideFile(key: string, id: string, asked: TideQuery, f: "ics" | "csv"): Promise<Blob> {
  const query = new URLSearchParams({ f });
  for (const [name, value] of Object.entries(asked)) query.set(name, String(value));
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

/**
 * Most stations requested by name. They are ranked here by the view, and this many of the best matches are
 * enough.
 */
const SEARCHED = 50;

/** Stations that match a part of a name, a region or a country, best match first. */
export const tideStationsQuery = (key: string, search: string) =>
  stationsQuery(key, { search, limit: SEARCHED });

/**
 * Stations around a place, those near by water first. Without a kind, tide and stream stations are included.
 */
export const stationsAroundQuery = (
  key: string,
  { latitude: lat, longitude: lon }: Place,
  limit: number,
  kind?: TideKind,
) => stationsQuery(key, { lat, lon, limit, ...(kind && { kind }) });

/** Whether a station is near the requested place over land only. */
export const isAcrossLand = ({ water_km, distance_km = 0 }: TideStation): boolean =>
  water_km === null && distance_km <= AROUND_KM;

/**
 * The station that answers for a place, with its distances, or the nearest one over land; null if none is
 * near enough. It is requested as a list, because browsers report a 404, which would be the usual reply at
 * sea, as an error.
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
 * Tide heights and streams in a box at one instant.
 *
 * @param bbox `west,south,east,north`, degrees.
 * @param time Unix seconds.
 */
export const tidesNowQuery = (key: string, bbox: string, time: number) =>
  queryOptions({
    queryKey: ["tides-now", key, bbox, time],
    queryFn: ({ signal }): Promise<TidesNow> =>
      checked(
        tideOperations(serviceOf(key)).now({ bbox, at: formatInstant(time) }, { signal }),
        (schemas) => schemas.now,
      ),
    ...lasting,
    // There is no retry, because the next box would have to wait for it.
    retry: false,
    refetchInterval: ({ state }) =>
      state.status === "error" && retryPolicy.retry(0, state.error!) && RETRIED_MS,
  });
