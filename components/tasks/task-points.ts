import type { Place } from "@open-metocean/geo/sphere";
import { queryOptions } from "@tanstack/react-query";
import { apiFetch, retryPolicy } from "#components/api-client/api-fetch.ts";
import { readJson } from "#components/api-client/parse-reply.ts";

/** Most points that the map draws; a task may have many more. */
export const MAX_DRAWN_POINTS = 5000;

/** The places for which a task requests weather. */
export interface TaskPoints {
  name: string;
  points: readonly Place[];
  /** The points follow each other in time, and a line joins them. */
  isRoute: boolean;
}

/** The points of a task of the key's owner, from the request that created it. */
export const taskPointsQuery = (key: string, id: string) =>
  queryOptions({
    queryKey: ["task-points", key, id],
    queryFn: async ({ signal }): Promise<TaskPoints> =>
      pointsOf(await readJson(await apiFetch(`/task/${encodeURIComponent(id)}/request`, { key, signal }))),
    staleTime: Number.POSITIVE_INFINITY,
    ...retryPolicy,
  });

/** Accepted body of POST /MetOcean; that of a box has no points. */
interface PointsBody {
  task_name?: string;
  points?: readonly { latitude: number; longitude: number; timestamp: string }[];
}

/** The points in the body of a task; none if it is for a box, or for more points than the map draws. */
export function pointsOf(body: unknown): TaskPoints {
  const { task_name = "", points: listed = [] } = body as PointsBody;
  const shown = listed.length > MAX_DRAWN_POINTS ? [] : listed;
  const times = shown.map(({ timestamp }) => Date.parse(timestamp));
  return {
    name: task_name,
    points: shown.map(({ latitude, longitude }) => ({ latitude, longitude })),
    isRoute: times.length > 1 && times.every((time, index) => index === 0 || time > times[index - 1]!),
  };
}
