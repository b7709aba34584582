import { queryOptions } from "@tanstack/react-query";
import { loadReplies } from "#components/api-client/load-replies.ts";
import { jsonOf, parseReply } from "#components/api-client/parse-reply.ts";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/service.ts";
import type { Place } from "#components/view-state/view-url.ts";
import { type VariableName, variableNames } from "#lib/catalog/variables.ts";
import type { PointResponse } from "#lib/contract/point.ts";
import { DAY_S, formatInstant } from "#lib/time.ts";

/** Conditions of every variable at a place and an instant (Unix seconds). Re-asking for the same is free. */
export const pointQuery = (key: string, place: Place, time: number) =>
  conditionsQuery(key, place, [time], variableNames);

const STEP_S = 3 * 3600;

/** Days of a series, and how far ahead the service answers. */
const [DAYS, MAX_AHEAD_DAYS] = [5, 10];

/** What of the sea and the air a series tells. */
const told: readonly VariableName[] = ["wind", "gust", "wave", "pressure"];

/**
 * Conditions at a place every three hours for five days, in one request; from the start of the UTC day of the time
 * shown, so that stepping through it asks no more.
 *
 * @param time Time shown, @param now weather clock of the service; Unix seconds.
 */
export const seriesQuery = (key: string, place: Place, time: number, now: number) => {
  const start = Math.floor(time / DAY_S) * DAY_S;
  const end = Math.min(start + DAYS * DAY_S, now + MAX_AHEAD_DAYS * DAY_S);
  const count = Math.max(1, Math.floor((end - start) / STEP_S) + 1);
  const times = Array.from({ length: count }, (_, index) => start + index * STEP_S);
  return conditionsQuery(key, place, times, told);
};

function conditionsQuery(
  key: string,
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
    queryKey: ["point", key, body],
    queryFn: async ({ signal }): Promise<PointResponse["result"]> => {
      const [answer, { failure, point }] = await Promise.all([
        apiFetch("/MetOcean", { key, body, signal }),
        loadReplies(),
      ]);
      const reply = await jsonOf(answer);
      const failed = failure.safeParse(reply);
      if (failed.success) throw new ServiceError(`${failed.data.error} (task ${failed.data.task_id})`, 200);
      return parseReply(reply, point).result;
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}
