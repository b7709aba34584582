import { queryOptions } from "@tanstack/react-query";
import { call, retryPolicy, ServiceError } from "#components/view/service.ts";
import type { Place } from "#components/view/view-url.ts";
import { variableNames } from "#lib/catalog/variables.ts";
import { failureResponse, type PointResponse, pointResponse } from "#lib/contract/point.ts";
import { formatInstant } from "#lib/time.ts";

/** Conditions of every variable at a place and an instant (Unix seconds). Re-asking for the same is free. */
export const pointQuery = (key: string, { latitude, longitude }: Place, time: number) => {
  const body = {
    points: [{ latitude, longitude, timestamp: formatInstant(time) }],
    variables: variableNames,
    include_meta: true,
  };
  return queryOptions({
    queryKey: ["point", key, body],
    queryFn: async ({ signal }): Promise<PointResponse["result"]> => {
      const reply: unknown = await (await call("/MetOcean", { key, body, signal })).json();
      const failure = failureResponse.safeParse(reply);
      if (failure.success)
        throw new ServiceError(`${failure.data.error} (task ${failure.data.task_id})`, 200);
      return pointResponse.parse(reply).result;
    },
    staleTime: 10 * 60_000,
    ...retryPolicy,
  });
};
