import { queryOptions, useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { useApiKey } from "#components/api-client/api-key.tsx";
import { loadSchemas, parseReply } from "#components/api-client/parse-reply.ts";
import { stormService } from "#components/api-client/service.ts";
import { useClock } from "#components/view-state/clock-context.ts";
import { useShip } from "#components/view-state/ship-store.ts";
import { useView } from "#components/view-state/view-context.tsx";
import type { StormApproachResponse } from "#lib/contract/storm-approach.ts";
import type { DangerMethod } from "#lib/contract/storm-providers.ts";
import type { StormEntry } from "#lib/contract/storms.ts";
import { type Fix, reckoned } from "#lib/geo/rhumb.ts";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { approachAnswer } from "#lib/storms/approach.ts";
import { dangerArea } from "#lib/storms/danger.ts";
import { rangeNow, since, steering } from "#lib/storms/track.ts";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { issuedAt } from "./format-storm.ts";
import { useStorms } from "./storms-context.tsx";

export interface ShipApproaches {
  ship: Fix;
  /** By the storm's id, of storms with a forecast; undefined until it is known. */
  answers: ReadonlyMap<string, ApproachAnswer> | undefined;
}

/**
 * How near the storms come to the ship; undefined without a ship. While the service cannot be reached, the page works it
 * out by the function that the service uses, from the bulletins it has.
 */
export function useShipApproaches(): ShipApproaches | undefined {
  const reply = useApproachReply();
  const { entries } = useStorms();
  const { now } = useClock();
  const { ship, body, data, lost = false } = reply ?? {};
  const from = body?.from;
  const method = body?.method;
  const answers = useMemo(() => {
    if (data) return new Map(data.results.map((answer) => [answer.id, answer]));
    if (!lost || !ship || !from || !method) return undefined;
    const voyage = steering(ship, ship.time, ship.course, ship.speed * MILE_KM);
    const vessel = since(voyage, parseInstant(from));
    const found = entries.map((entry) => approachAnswer(entry, vessel, dangerArea(entry, method), now));
    return new Map(found.flatMap((answer) => (answer ? [[answer.id, answer]] : [])));
  }, [data, lost, ship, from, method, entries, now]);
  return ship && { ship, answers };
}

/** Storms the strongest first; after them areas of interest, then those that are no longer tracked. */
export function sortedByStrength(entries: readonly StormEntry[]): readonly StormEntry[] {
  const group = ({ is_active, is_invest }: StormEntry) => (is_active ? (is_invest ? 1 : 0) : 2);
  const wind = ({ tracks }: StormEntry) => tracks.observed.at(-1)?.vmax_kt ?? 0;
  return entries.toSorted((one, other) => group(one) - group(other) || wind(other) - wind(one));
}

/**
 * Storms in the order in which they come nearest to the ship, one without a forecast at its distance now; after them those
 * that are no longer tracked.
 */
export function sortedByApproach(
  entries: readonly StormEntry[],
  { ship, answers }: ShipApproaches,
  now: number,
): readonly StormEntry[] {
  if (!answers) return entries;
  const place = reckoned(ship, now);
  const keys = new Map(
    entries.map((entry) => {
      const answer = answers.get(entry.id);
      const group = entry.is_active ? 0 : 1;
      const km = answer?.closest.distance_km ?? rangeNow(entry, place, now)?.km ?? Number.POSITIVE_INFINITY;
      return [entry, { group, km }];
    }),
  );
  return [...entries].sort((one, other) => {
    const [a, b] = [keys.get(one)!, keys.get(other)!];
    return a.group - b.group || (a.km === b.km ? 0 : a.km - b.km);
  });
}

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
function useApproachReply() {
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
