import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy, ServiceError } from "#components/api-client/api-fetch.ts";
import { checkReply, readJson } from "#components/api-client/parse-reply.ts";
import type { FailureResponse } from "#lib/contract/point.ts";
import type { PointRunsResponse } from "#lib/contract/point-runs.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { PointSample } from "./point-queries.ts";
import type { RunSeries } from "./run-spread.ts";
import type { SeriesRow } from "./use-conditions.ts";

/** Quantities of the chart. */
const variables = ["wind", "wave", "current"] as const;

/** How many runs are asked for: with runs each six hours those of a day. */
export const ASKED_RUNS = 5;

/** Past hours that are shown too, seconds. */
const PAST_S = 12 * HOUR_S;

/** What the last runs say of a place. */
export interface LastRuns {
  /** Newest first. */
  runs: RunSeries[];
  /** They come from the demo world, which invents how earlier runs differ. */
  isSynthetic: boolean;
}

/** What the last runs say of the times of a series. @param now Weather clock, Unix seconds. */
export function runsQuery({ apiKey, place }: PointSample, rows: readonly SeriesRow[], now: number) {
  const { latitude, longitude } = place;
  const points = rows
    .filter(({ time }) => time >= now - PAST_S)
    .map(({ time }) => ({ latitude, longitude, timestamp: formatInstant(time) }));
  const body = { points, variables, last_runs: ASKED_RUNS };
  return queryOptions({
    queryKey: ["point-runs", apiKey, body],
    queryFn: async ({ signal }): Promise<LastRuns> => {
      const answer = await apiFetch("/MetOcean/runs", { key: apiKey, body, signal });
      const reply = await checkReply<PointRunsResponse | FailureResponse>(
        await readJson(answer),
        (body) => Array.isArray((body as Partial<PointRunsResponse>).result?.results),
        ({ pointRuns, failure }) => pointRuns.or(failure),
      );
      if ("error" in reply) throw new ServiceError(`${reply.error} (task ${reply.task_id})`, 200);
      // Notes on a field do not say it: those of real feeds have some too.
      const isSynthetic = answer.headers.get("x-data-provenance") === "synthetic";
      return { runs: runsOf(reply), isSynthetic };
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

function runsOf({ result }: PointRunsResponse): RunSeries[] {
  return result.results.map(({ reference_time, results }) => ({
    run: parseInstant(reference_time),
    rows: results.map(({ coordinates, conditions }) => ({
      time: parseInstant(coordinates.timestamp),
      conditions,
    })),
  }));
}
