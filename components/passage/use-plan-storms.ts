import { queryOptions, useQueries } from "@tanstack/react-query";
import { useEffect } from "react";
import { retryPolicy } from "#components/api-client/api-fetch.ts";
import { parseReply } from "#components/api-client/parse-reply.ts";
import { stormService } from "#components/api-client/storm-service.ts";
import type { Zone } from "#components/view-state/civil.ts";
import { markPlan, type PlanStorm } from "#components/view-state/plan.ts";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import type { StormDanger } from "#lib/contract/storm-danger.ts";
import { formatMiles } from "#lib/format-miles.ts";
import { destination } from "#lib/geo/sphere.ts";
import { boatAt } from "./boat-at.ts";
import { loadPassageSchemas } from "./passage-queries.ts";
import type { StormsAsked } from "./passage-request.ts";

/** Storms whose winds and cone stay further off than this are not drawn, km. */
const NEAR_KM = 1000;

/** The danger area of a storm. @param issued Base time of its forecast: with another one it is asked for again. */
const dangerQuery = (key: string, { provider, method }: StormsAsked, id: string, issued: number) =>
  queryOptions({
    queryKey: ["passage-danger", key, provider, method, id, issued] as const,
    queryFn: async ({ signal }): Promise<StormDanger> => {
      const [reply, { danger }] = await Promise.all([
        stormService(key).danger(id, { provider, method }, { signal }),
        loadPassageSchemas(),
      ]);
      return parseReply(reply, danger);
    },
    staleTime: Number.POSITIVE_INFINITY,
    ...retryPolicy,
  });

/** Draws with the plan where the boat is when a storm is nearest, and the danger areas that its way is held against. */
export function usePlanStorms(plan: PassagePlan, key: string, asked: StormsAsked, { words }: Zone): void {
  const near = nearStorms(plan);
  const areas = useQueries({
    queries: near.map(({ id, issued_at, danger }) => ({
      ...dangerQuery(key, asked, id, issued_at),
      enabled: danger !== null,
    })),
    combine: (replies) => replies.map(({ data }) => data),
  });
  useEffect(() => {
    const storms = nearStorms(plan).flatMap(({ id, name, closest }): PlanStorm[] => {
      const boat = boatAt(plan, closest.time);
      const polygon = areas.find((area) => area?.id === id)?.polygon;
      return boat
        ? [
            {
              label: `${name ?? id} ${formatMiles(closest.distance_km, words)}`,
              boat,
              centre: destination(boat, closest.bearing_deg, closest.distance_km),
              area: polygon?.map(({ lat, lon }) => ({ latitude: lat, longitude: lon })),
            },
          ]
        : [];
    });
    markPlan({ storms });
  }, [plan, areas, words]);
  useEffect(() => () => markPlan({ storms: [] }), []);
}

function nearStorms({ storms }: PassagePlan) {
  return (storms?.results ?? []).filter(({ least_clearance }) => least_clearance.clearance_km <= NEAR_KM);
}
