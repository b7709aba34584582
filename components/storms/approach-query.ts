import { queryOptions, useQuery } from "@tanstack/react-query";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { loadSchemas, parseReply } from "#components/api-client/parse-reply.ts";
import { stormService } from "#components/api-client/service.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormApproachResponse } from "#lib/contract/storm-approach.ts";
import type { DangerMethod } from "#lib/contract/storm-providers.ts";
import type { Fix } from "#lib/geo/dead-reckoning.ts";
import { formatInstant } from "#lib/time.ts";
import { issuedAt } from "./format-storm.ts";
import { useStorms } from "./storms-context.tsx";

/** One storm and the ship, as POST /storms/approach answers. */
export type ApproachAnswer = StormApproachResponse["results"][number];

/** Approaches are looked for from now on, renewed as often, seconds: times of storms are whole hours. */
const RENEWED_S = 600;

/** @param now Weather clock of the service, Unix seconds. */
export function approachBody(provider: "jtwc" | "jma", ship: Fix, now: number, method: DangerMethod) {
  const { latitude, longitude, course, speed, time } = ship;
  return {
    provider,
    vessel: { latitude, longitude, course_deg: course, speed_kt: speed, timestamp: formatInstant(time) },
    from: formatInstant(Math.floor(now / RENEWED_S) * RENEWED_S),
    method,
  };
}

type ApproachBody = ReturnType<typeof approachBody>;

/**
 * How near each storm comes to the ship.
 *
 * @param newest Base time of the newest bulletin: with another one all is asked again.
 */
export const approachQuery = (key: string, body: ApproachBody | undefined, newest: number) => {
  const { from, ...rest } = body ?? {};
  const same = JSON.stringify(rest);
  return queryOptions({
    queryKey: ["storm-approach", key, same, from, newest] as const,
    queryFn: async ({ signal }): Promise<StormApproachResponse> => {
      const [reply, { stormApproach }] = await Promise.all([
        stormService(key).approach(body!, { signal }),
        loadSchemas(),
      ]);
      return parseReply(reply, stormApproach);
    },
    staleTime: Number.POSITIVE_INFINITY,
    // Only what was answered for the same ship stands while it is asked again.
    placeholderData: (before, query) => (query?.queryKey[2] === same ? before : undefined),
    ...retryPolicy,
  });
};

/** The ship, and what the service answered for it; undefined without a ship. */
export function useApproachReply() {
  const key = useApiKey();
  const { view } = useView();
  const { now } = useClock();
  const { ship } = useShip();
  const { entries } = useStorms();
  const method = view.danger ?? "classic";
  const newest = Math.max(0, ...entries.map(issuedAt));
  const body = ship && now > 0 ? approachBody(view.sp, ship, now, method) : undefined;
  const { data, fetchStatus, failureReason } = useQuery({
    ...approachQuery(key ?? "", body, newest),
    enabled: key !== undefined && body !== undefined && entries.length > 0,
  });
  if (!ship || !body) return undefined;
  return { ship, body, data, lost: !data && (fetchStatus === "paused" || failureReason !== null) };
}
