import { queryOptions } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { checkReply } from "#components/api-client/first-reply.ts";
import { pointService } from "#components/api-client/point-service.ts";
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
  /** Words of the service about what is not there. */
  isSynthetic: boolean;
}

/** What the last runs say of the times of a series. @param now Weather clock, Unix seconds. */
export function runsQuery({ apiKey, place }: PointSample, rows: readonly SeriesRow[], now: number) {
  const { latitude, longitude } = place;
  const points = rows
    .filter(({ time }) => time >= now - PAST_S)
    .map(({ time }) => ({ latitude, longitude, timestamp: formatInstant(time) }));
  const body = { points, variables: [...variables], last_runs: ASKED_RUNS };
  return queryOptions({
    queryKey: ["point-runs", apiKey, body],
    queryFn: async ({ signal }): Promise<LastRuns> => {
      const reply = await checkReply<PointRunsResponse>(
        await pointService(apiKey).pointRuns(body, { signal }),
        ({ result }) => Array.isArray(result?.results),
        ({ pointRuns }) => pointRuns,
      );
      return lastRuns(reply);
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
}

export function lastRuns({ result }: PointRunsResponse): LastRuns {
  return {
    runs: result.results.map(({ reference_time, results }) => ({
      run: parseInstant(reference_time),
      rows: results.map(({ coordinates, conditions }) => ({
        time: parseInstant(coordinates.timestamp),
        conditions,
      })),
    })),
    isSynthetic: result.results.some(({ variables }) => variables.some(({ notes }) => notes !== undefined)),
  };
}
