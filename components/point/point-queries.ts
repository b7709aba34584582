import { destination, distanceKm, initialBearing, MILE_KM } from "@open-metocean/geo/sphere";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply, readJson } from "#components/api-client/parse-reply.ts";
import { secondsSaved } from "#components/api-client/saved-replies.ts";
import { type Place, sampledPlace } from "#components/view-state/view-url.ts";
import { type DrawnVariable, type PrimaryVariable, paintedOutput } from "#lib/catalog/colours.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { EnsembleResponse } from "#lib/contract/ensemble.ts";
import type { FailureResponse, PointResponse, PointRunsResponse } from "#lib/contract/point.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant, startOfDay } from "#lib/time.ts";
import { type PointsBody, pointsBody } from "./conditions-at.ts";
import type { Conditions } from "./format-conditions.ts";

export interface PointSample {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
  /** The model that the map shows alone. */
  model?: string | undefined;
}

/** Conditions by time, Unix seconds, ascending. */
export type SeriesRow = { time: number; conditions: Conditions };

export interface RunSeries {
  /** Base time, Unix seconds. */
  run: number;
  rows: readonly SeriesRow[];
}

export type PointReply = PointResponse["result"] & {
  /** Time of the reply, Unix seconds. */
  readAt?: number;
  /** The reply was saved on the device, because the service does not respond now. */
  isSaved?: boolean;
};

/**
 * Interval at which displayed conditions are requested again, ms, because newer runs change them; if they
 * were saved, the interval is that of the map's own requests.
 */
const [RENEWED_MS, RETRIED_MS] = [30 * 60_000, 30_000];

/** Time after which displayed conditions are requested again, ms; false for never. */
export function renewal(reply: PointReply | undefined): number | false {
  if (!reply) return false;
  return reply.isSaved ? RETRIED_MS : RENEWED_MS;
}

/**
 * Conditions for every variable. They are cached by the whole request, so the same request is sent only once.
 */
export const pointQuery = (sample: PointSample) => conditionsQuery(sample, [sample.time], variableNames);

/** Length of a series in the past, days. */
const PAST_DAYS = 10;

/** Interval between the starts of past series, days, so that stepping back rarely sends a request. */
const BLOCK_DAYS = 5;

/**
 * Times of the series that contains a time: from today's midnight (UTC) to the end of the accepted times, or
 * ten days of the past. They are the same for all times in it, so that stepping sends no request. They are
 * hourly throughout, because a tidal current reverses within three hours, and coarser steps would cut off its
 * slack and its maximum.
 *
 * @param time Unix seconds, as all times.
 * @param now Weather clock of the service.
 */
export function seriesTimes(time: number, now: number): number[] {
  const { first, last } = acceptedTimes(now);
  const today = startOfDay(now);
  const block = Math.min(0, Math.floor((time - today) / (BLOCK_DAYS * DAY_S)));
  const start = Math.max(today + block * BLOCK_DAYS * DAY_S, startOfDay(first) + DAY_S);
  const end = block < 0 ? start + PAST_DAYS * DAY_S : last;
  return Array.from({ length: Math.floor((end - start) / HOUR_S) + 1 }, (_, hour) => start + hour * HOUR_S);
}

/** Conditions for every variable at the times of a series, in one request. */
export const seriesQuery = (sample: PointSample, now: number) =>
  conditionsQuery(sample, seriesTimes(sample.time, now), variableNames);

function conditionsQuery(
  { apiKey, place: { latitude, longitude }, model }: PointSample,
  times: readonly number[],
  variables: readonly VariableName[],
) {
  const body = pointsBody({ latitude, longitude }, times, variables, model);
  return queryOptions({
    queryKey: ["point", apiKey, body],
    queryFn: ({ signal }) => postPoints(apiKey, body, signal),
    staleTime: 10 * 60_000,
    refetchInterval: ({ state }) => renewal(state.data),
    ...retryPolicy,
  });
}

/** Sends a request about points. @throws ServiceError as `apiFetch` does, and for a FAILURE envelope. */
export async function askPoints<Reply extends PointResponse | PointRunsResponse | EnsembleResponse>(
  path: string,
  request: { key: string; body: object; signal: AbortSignal },
  schemaOf: Parameters<typeof checkReply<Reply | FailureResponse>>[2],
): Promise<{ answer: Response; result: Reply["result"] }> {
  const answer = await apiFetch(path, request);
  const looksRight = (body: Partial<Reply | FailureResponse>) =>
    "result" in body && Array.isArray(body.result?.results);
  const reply = await checkReply(await readJson(answer), looksRight, schemaOf);
  if ("error" in reply) throw new ServiceError(`${reply.error} (task ${reply.task_id})`, 200);
  return { answer, result: reply.result };
}

export async function postPoints(key: string, body: PointsBody, signal: AbortSignal): Promise<PointReply> {
  const { answer, result } = await askPoints<PointResponse>("/MetOcean", { key, body, signal }, (schemas) =>
    schemas.point.or(schemas.failure),
  );
  const now = Date.now() / 1000;
  const seconds = secondsSaved(answer, now);
  return { ...result, readAt: Math.round(now) - seconds, isSaved: seconds > 0 };
}

/** Most points of one request for several places; a visitor without a key may ask for this many. */
const POINTS_AT_ONCE = 1000;

/** Conditions at several places at the same times, in the order of the places. */
export function placesQuery(
  apiKey: string,
  places: readonly Place[],
  times: readonly number[],
  variables: readonly VariableName[],
) {
  const points = places.flatMap((place) => pointsBody(place, times, variables).points);
  const body = { points, variables, include_meta: false };
  return queryOptions({
    queryKey: ["places", apiKey, body] as const,
    queryFn: async ({ signal }): Promise<Conditions[][]> => {
      const all: Conditions[] = [];
      for (let from = 0; from < points.length; from += POINTS_AT_ONCE) {
        const part = { ...body, points: points.slice(from, from + POINTS_AT_ONCE) };
        const { results } = await postPoints(apiKey, part, signal);
        for (const { conditions } of results) all.push(conditions);
      }
      return places.map((_, index) => all.slice(index * times.length, (index + 1) * times.length));
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

/**
 * The columns of places from an answer to a different set of places; empty for a place that it does not
 * contain.
 *
 * @param asked Points of the answer; each place has as many as it has values.
 */
export function columnsOf(
  places: readonly Place[],
  answer: readonly Conditions[][],
  asked: readonly Place[],
): Conditions[][] {
  const keyOf = ({ latitude, longitude }: Place) => `${latitude} ${longitude}`;
  const known = new Map(answer.map((column, index) => [keyOf(asked[index * column.length]!), column]));
  return places.map((place) => known.get(keyOf(place)) ?? []);
}

const variables = ["wind", "wave", "current"] as const;

/** Number of requested runs; with a run every six hours they are those of one day. */
export const ASKED_RUNS = 5;

/** Past hours that are also shown, seconds. */
const PAST_S = 12 * HOUR_S;

export interface LastRuns {
  runs: RunSeries[];
  /** The runs come from the demo world, which invents how earlier runs differ. */
  isSynthetic: boolean;
}

/** Values of the last runs at the times of a series. @param now Weather clock, Unix seconds. */
export function runsQuery({ apiKey, place }: PointSample, rows: readonly SeriesRow[], now: number) {
  const { latitude, longitude } = place;
  const points = rows
    .filter(({ time }) => time >= now - PAST_S)
    .map(({ time }) => ({ latitude, longitude, timestamp: formatInstant(time) }));
  const body = { points, variables, last_runs: ASKED_RUNS };
  return queryOptions({
    queryKey: ["point-runs", apiKey, body],
    queryFn: async ({ signal }): Promise<LastRuns> => {
      const request = { key: apiKey, body, signal };
      const { answer, result } = await askPoints<PointRunsResponse>("/MetOcean/runs", request, (schemas) =>
        schemas.pointRuns.or(schemas.failure),
      );
      // The header is used because notes on a field are not specific to the demo; real feeds have some too.
      const isSynthetic = answer.headers.get("x-data-provenance") === "synthetic";
      return { runs: runsOf(result), isSynthetic };
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

function runsOf({ results: runs }: PointRunsResponse["result"]): RunSeries[] {
  return runs.map(({ reference_time, results }) => ({
    run: parseInstant(reference_time),
    rows: results.map(({ coordinates, conditions }) => ({
      time: parseInstant(coordinates.timestamp),
      conditions,
    })),
  }));
}

/**
 * Whether a place is on land according to the map's own coast: latitude and longitude (−180..180), degrees.
 */
export type OnLand = (latitude: number, longitude: number) => boolean;

export type LoadLand = (place: Place, miles: number) => Promise<OnLand>;

export interface Shore {
  /** According to the map's own coast. */
  onLand: boolean;
  /** The nearest place at sea with values; undefined if there is none within reach. */
  sea: NearestSea | undefined;
}

export interface NearestSea {
  place: Place;
  /** Distance and bearing from the sampled place: km, and degrees clockwise from north. */
  km: number;
  bearing: number;
}

/** Distance up to which a sea cell is searched, step of the search, both n mi, and number of directions. */
export const SEARCH_MILES = 60;
const STEP_MILES = 2;
const DIRECTIONS = 24;

/** Places to search, nearest first, with coordinates as a link would have them. */
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
 * The nearest of some places that has a value for every variable, or else for any.
 *
 * @param places Sorted by distance.
 * @param conditions Conditions of each place.
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
 * The shore and sea around a place where a model has land. A model's mask hardly changes, so it is requested
 * once per day of the map's time.
 *
 * @param variables Variables without a value.
 * @param loadLand Loads the map's own land around a place, to a distance in n mi.
 */
export const shoreQuery = (
  { apiKey, place, time, model }: PointSample,
  variables: readonly PrimaryVariable[],
  loadLand: LoadLand,
) =>
  queryOptions({
    queryKey: ["shore", apiKey, place, model, variables, Math.floor(time / DAY_S)],
    queryFn: async ({ signal }): Promise<Shore> => {
      const isLand = await loadLand(place, SEARCH_MILES);
      const onLand = isLand(place.latitude, place.longitude);
      const places = placesAround(place).filter(({ latitude, longitude }) => !isLand(latitude, longitude));
      if (places.length === 0) return { onLand, sea: undefined };
      const timestamp = formatInstant(time);
      const points = places.map((one) => ({ ...one, timestamp }));
      const models = model === undefined ? {} : { models: [model] };
      const { results } = await postPoints(
        apiKey,
        { points, variables, ...models, include_meta: false },
        signal,
      );
      const conditions = results.map((result) => result.conditions);
      return { onLand, sea: nearestWithValues(place, places, conditions, variables) };
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...retryPolicy,
  });
