import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply, readJson } from "#components/api-client/parse-reply.ts";
import { secondsSaved } from "#components/api-client/saved-replies.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { FailureResponse, PointResponse } from "#lib/contract/point.ts";
import { DAY_S, HOUR_S, startOfDay } from "#lib/time.ts";
import { type PointsBody, pointsBody } from "./points-body.ts";

/** A place and an instant whose conditions are requested. */
export interface PointSample {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
}

/** What the service answered. */
export type PointReply = PointResponse["result"] & {
  /** When it did, Unix seconds. */
  readAt?: number;
  /** The device had saved it: the service does not answer now. */
  isSaved?: boolean;
};

/** How often what is shown is asked for again, ms: newer runs change it; in place of what was saved as often as the map asks. */
const [RENEWED_MS, RETRIED_MS] = [30 * 60_000, 30_000];

/** When conditions on the screen are requested again, ms; false: not by itself. */
export function renewal(reply: PointReply | undefined): number | false {
  if (!reply) return false;
  return reply.isSaved ? RETRIED_MS : RENEWED_MS;
}

/** Conditions of every variable. Cached by the whole request, so that requesting the same again is free. */
export const pointQuery = ({ apiKey, place, time }: PointSample) =>
  conditionsQuery(apiKey, place, [time], variableNames);

/** Steps of a series: those of the global forecasts, whose first 120 hours are hourly. */
const FINE_S = HOUR_S;
const COARSE_S = 3 * HOUR_S;
const FINE_DAYS = 6;

/** Days of a series in the past. */
const PAST_DAYS = 10;

/** Series in the past begin this many days apart, so that stepping back rarely sends a request. */
const BLOCK_DAYS = 5;

/**
 * Times of the series that a time is shown in: from today's midnight (UTC) to the end of what is answered, or ten days of
 * the past. The same for all times of it, so that stepping sends no request.
 *
 * @param time Unix seconds, as all others.
 * @param now Weather clock of the service.
 */
export function seriesTimes(time: number, now: number): number[] {
  const { first, last } = acceptedTimes(now);
  const today = startOfDay(now);
  const block = Math.min(0, Math.floor((time - today) / (BLOCK_DAYS * DAY_S)));
  const start = Math.max(today + block * BLOCK_DAYS * DAY_S, startOfDay(first) + DAY_S);
  const end = block < 0 ? start + PAST_DAYS * DAY_S : last;
  const fineUntil = block < 0 ? start : start + FINE_DAYS * DAY_S;
  const times: number[] = [];
  for (let at = start; at <= end; at += at < fineUntil ? FINE_S : COARSE_S) times.push(at);
  return times;
}

/** Conditions of every variable at the times of a series, in one request. */
export const seriesQuery = ({ apiKey, place, time }: PointSample, now: number) =>
  conditionsQuery(apiKey, place, seriesTimes(time, now), variableNames);

function conditionsQuery(
  apiKey: string,
  { latitude, longitude }: Place,
  times: readonly number[],
  variables: readonly VariableName[],
) {
  const body = pointsBody({ latitude, longitude }, times, variables);
  return queryOptions({
    queryKey: ["point", apiKey, body],
    queryFn: ({ signal }) => postPoints(apiKey, body, signal),
    staleTime: 10 * 60_000,
    refetchInterval: ({ state }) => renewal(state.data),
    ...retryPolicy,
  });
}

/**
 * The request of the panel's values as a command of a shell, which reads the key from `$API_KEY`.
 *
 * @param origin Of the service, `https://example.org`.
 * @param time Unix seconds.
 */
export function curlCommand(origin: string, place: Place, time: number): string {
  // In single quotes a shell changes nothing; JSON of numbers, times and names has none.
  return [
    `curl -sS '${origin}/MetOcean'`,
    `  -H "x-api-key: $API_KEY"`,
    `  -H 'content-type: application/json'`,
    `  --data '${JSON.stringify(pointsBody(place, [time], variableNames))}'`,
  ].join(" \\\n");
}

/** @throws ServiceError as `apiFetch` does, and for a FAILURE envelope. */
export async function postPoints(apiKey: string, body: PointsBody, signal: AbortSignal): Promise<PointReply> {
  const answer = await apiFetch("/MetOcean", { key: apiKey, body, signal });
  const json = await readJson(answer);
  const reply = await checkReply<PointResponse | FailureResponse>(
    json,
    (body) => Array.isArray((body as Partial<PointResponse>).result?.results),
    ({ point, failure }) => point.or(failure),
  );
  if ("error" in reply) throw new ServiceError(`${reply.error} (task ${reply.task_id})`, 200);
  const now = Date.now() / 1000;
  const seconds = secondsSaved(answer, now);
  return { ...reply.result, readAt: Math.round(now) - seconds, isSaved: seconds > 0 };
}
