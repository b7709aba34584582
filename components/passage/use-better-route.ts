import "#components/api-client/without-eval.ts";
import { useEffect, useRef, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import { noWayByWater } from "#lib/contract/passage-optimise.ts";
import type { BetterRoute, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { PlanWithVessel } from "#lib/contract/plan.ts";
import { distanceKm, type Place } from "#lib/geo/sphere.ts";
import type { Objective } from "#lib/passage/limits.ts";
import { passageByTask } from "./passage-queries.ts";
import { type BetterRequest, betterRequest, type StormsAsked } from "./passage-request.ts";
import { comparedPart } from "./use-sweep.ts";

/** An end of the route is on land. */
export interface Ashore {
  end: "start" | "end";
  waypoint: number;
  /** The nearest water, and how far it is, km; undefined where there is none near. */
  water: (Place & { km: number }) | undefined;
}

/** Both plans, and what the second one is. */
export interface FoundRoute {
  own: PassagePlan;
  plan: PassagePlan;
  better: BetterRoute;
  /** The first leg of the own route that crosses land, from 0. */
  ownLandLeg: number | undefined;
  /** What was searched: see `searchedPart`. */
  of: string;
}

export type SearchState =
  | { is: "none" | "cancelled" | "used" | "kept" | "no_way" }
  | { is: "refused"; request: Extract<BetterRequest, { as: "refused" }> }
  /** @see share That is done, 0..1. */
  | { is: "running"; share: number }
  | { is: "ashore"; ends: readonly Ashore[] }
  | { is: "failed"; error: Error }
  | { is: "found"; found: FoundRoute };

/** What was found last stays while the panel shows something else. */
let last: SearchState = { is: "none" };

/** What of a plan a search depends on. @param departure Unix seconds. */
export function searchedPart(plan: PlanWithVessel, departure: number): string {
  return `${departure} ${comparedPart(plan)}`;
}

/** Searches a better route by a task; leaving the panel ends what is under way. */
export function useBetterRoute(key: string) {
  const [state, setState] = useState<SearchState>(last);
  const running = useRef<AbortController>(undefined);
  const publish = (next: SearchState) => {
    last = next.is === "found" ? next : { is: "none" };
    setState(next);
  };
  useEffect(() => () => running.current?.abort(), []);
  const search = async (
    plan: PlanWithVessel,
    departure: number,
    objective: Objective,
    storms: StormsAsked,
    now: number,
  ) => {
    running.current?.abort();
    const request = betterRequest(plan, departure, objective, storms, now);
    if (request.as === "refused") return publish({ is: "refused", request });
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    publish({ is: "running", share: 0 });
    try {
      const { plans, meta } = await passageByTask(
        "/passages/optimise",
        key,
        request.body,
        signal,
        (share) => signal.aborted || publish({ is: "running", share }),
      );
      const [own, better] = plans;
      if (signal.aborted || !own || !better || !meta.better) return;
      publish({
        is: "found",
        found: {
          own,
          plan: better,
          better: meta.better,
          ownLandLeg: meta.crosses_land[0]?.leg,
          of: searchedPart(plan, departure),
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      publish(failureOf(error, plan));
    }
  };
  return {
    state,
    search,
    settle: (is: "used" | "kept" | "none") => publish({ is }),
    cancel: () => {
      running.current?.abort();
      publish({ is: "cancelled" });
    },
  };
}

/** What a search came to that found nothing. */
export function failureOf(error: Error, { route }: PlanWithVessel): SearchState {
  if (!(error instanceof ServiceError)) return { is: "failed", error };
  if (error.message.startsWith(noWayByWater)) return { is: "no_way" };
  const issues = error.fault?.is === "rejected" ? (error.fault.issues ?? []) : [];
  const ends = issues.flatMap(({ loc = [], ctx }): Ashore[] => {
    const [, field, waypoint] = loc;
    const place = typeof waypoint === "number" ? route[waypoint] : undefined;
    if (field !== "route" || typeof waypoint !== "number" || !place) return [];
    const { nearest_water: water } = Object(ctx) as { nearest_water?: Place };
    return [
      {
        end: waypoint === 0 ? "start" : "end",
        waypoint,
        water: water && { ...water, km: distanceKm(place, water) },
      },
    ];
  });
  return ends.length > 0 && ends.length === issues.length ? { is: "ashore", ends } : { is: "failed", error };
}
