import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply } from "#components/api-client/first-reply.ts";
import { readJson } from "#components/api-client/parse-reply.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { FailureResponse, PointResponse } from "#lib/contract/point.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";

/** A place and an instant whose conditions are requested. */
export interface PointSample {
  apiKey: string;
  place: Place;
  /** Unix seconds. */
  time: number;
}

/** Conditions of every variable. Cached by the whole request, so that requesting the same again is free. */
export const pointQuery = ({ apiKey, place, time }: PointSample) =>
  conditionsQuery(apiKey, place, [time], variableNames);

const STEP_S = 3 * 3600;

/** Length of a series, days. */
const DAYS = 5;

/** Variables of a series. */
const seriesVariables: readonly VariableName[] = ["wind", "gust", "wave", "pressure"];

/**
 * Conditions every three hours for five days, in one request; from the start of the UTC day of the sample, so that
 * stepping within the day sends no request.
 *
 * @param now Weather clock of the service, Unix seconds.
 */
export const seriesQuery = ({ apiKey, place, time }: PointSample, now: number) => {
  const { first, last } = acceptedTimes(now);
  const midnight = Math.floor(time / DAY_S) * DAY_S;
  const start = midnight < first ? midnight + DAY_S : midnight;
  const end = Math.min(start + DAYS * DAY_S, last);
  const count = Math.max(1, Math.floor((end - start) / STEP_S) + 1);
  const times = Array.from({ length: count }, (_, index) => start + index * STEP_S);
  return conditionsQuery(apiKey, place, times, seriesVariables);
};

function conditionsQuery(
  apiKey: string,
  { latitude, longitude }: Place,
  times: readonly number[],
  variables: readonly VariableName[],
) {
  const body = {
    points: times.map((time) => ({ latitude, longitude, timestamp: formatInstant(time) })),
    variables,
    include_meta: true,
  };
  return queryOptions({
    queryKey: ["point", apiKey, body],
    queryFn: ({ signal }) => postPoints(apiKey, body, signal),
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

/** Body of a request for conditions. */
interface PointsBody {
  points: readonly { latitude: number; longitude: number; timestamp: string }[];
  variables: readonly VariableName[];
  include_meta: boolean;
}

/** @throws ServiceError as `apiFetch` does, and for a FAILURE envelope. */
export async function postPoints(
  apiKey: string,
  body: PointsBody,
  signal: AbortSignal,
): Promise<PointResponse["result"]> {
  const json = await readJson(await apiFetch("/MetOcean", { key: apiKey, body, signal }));
  const reply = await checkReply<PointResponse | FailureResponse>(
    json,
    (body) => Array.isArray((body as Partial<PointResponse>).result?.results),
    ({ point, failure }) => point.or(failure),
  );
  if ("error" in reply) throw new ServiceError(`${reply.error} (task ${reply.task_id})`, 200);
  return reply.result;
}
