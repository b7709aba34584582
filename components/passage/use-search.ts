import "#components/api-client/without-eval.ts";
import { distanceKm, type Place } from "@open-metocean/geo/sphere";
import { useEffect, useRef, useState } from "react";
import { ServiceError } from "#components/api-client/api-fetch.ts";
import type { PlanWithVessel } from "#lib/contract/passage.ts";
import { noWayByWater } from "#lib/contract/passage.ts";
import type { BetterRoute, PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import type { Objective } from "#lib/passage/limits.ts";
import { createStore } from "#lib/store.ts";
import { type PassageAnswer, passageByTask, passageWhenReady } from "./passage-queries.ts";
import {
  type BetterRequest,
  betterRequest,
  type Planners,
  type StormsAsked,
  type Sweep,
  type SweepRequest,
  sweepRequest,
} from "./passage-request.ts";

/**
 * States of searches of which only one runs at a time. The last result is retained while the panel shows
 * something else.
 */
function searchStates<S extends { is: string }>(found: S["is"], none: S) {
  const last = createStore(() => none);
  return () => {
    const [state, setState] = useState(last.read);
    const running = useRef<AbortController>(undefined);
    useEffect(() => () => running.current?.abort(), []);
    const publish = (next: S) => {
      last.set(next.is === found ? next : none);
      setState(next);
    };
    /**
     * @param search Its final state is published, unless another search has begun. @param failure Maps an
     * error to a state.
     */
    const run = async (
      begun: S,
      search: (signal: AbortSignal, publish: (next: S) => void) => Promise<S | undefined>,
      failure: (error: Error) => S,
    ) => {
      const controller = new AbortController();
      running.current = controller;
      const { signal } = controller;
      const publishHere = (next: S) => signal.aborted || publish(next);
      publish(begun);
      try {
        const end = await search(signal, publishHere);
        if (end) publishHere(end);
      } catch (error) {
        if (signal.aborted) return;
        if (!(error instanceof Error)) throw error;
        publish(failure(error));
      }
    };
    return { state, publish, run, stop: () => running.current?.abort() };
  };
}

export type SweepState =
  | { is: "none" }
  | { is: "refused"; why: Extract<SweepRequest, { as: "refused" }>["why"] }
  /** @see share Share that is done, 0..1; undefined if the answer comes immediately. */
  | { is: "running"; departures: number; share: number | undefined }
  | { is: "cancelled" }
  | { is: "failed"; error: Error; again: () => void }
  | { is: "done"; answer: PassageAnswer; plan: string };

/** The part of a plan on which a comparison depends: everything except its name and departure. */
export function comparedPart({ route, vessel, limits, arrive }: PlanWithVessel): string {
  const places = route.map(({ latitude, longitude, leg, gate }) => [latitude, longitude, leg, gate]);
  return JSON.stringify([places, vessel, limits, arrive]);
}

const useSweepState = searchStates<SweepState>("done", { is: "none" });

/** Compares departures, directly or by a task; leaving the panel cancels it. */
export function useSweep(key: string) {
  const { state, publish, run, stop } = useSweepState();
  const start = async (
    plan: PlanWithVessel,
    sweep: Sweep,
    storms: StormsAsked,
    planners: Planners,
    now: number,
  ): Promise<void> => {
    stop();
    const request = sweepRequest(plan, sweep, storms, planners, now);
    if (request.as === "refused") return publish({ is: "refused", why: request.why });
    const { departures, body } = request;
    await run(
      { is: "running", departures, share: request.as === "task" ? 0 : undefined },
      async (signal, publishHere) => {
        const onProgress = (share: number) => publishHere({ is: "running", departures, share });
        const answer = await (request.as === "task"
          ? passageByTask("/passages/evaluate", key, body, signal, onProgress)
          : passageWhenReady(key, plan, body, signal, onProgress));
        return { is: "done", answer, plan: comparedPart(plan) };
      },
      (error) => ({ is: "failed", error, again: () => void start(plan, sweep, storms, planners, now) }),
    );
  };
  const cancel = () => {
    stop();
    publish({ is: "cancelled" });
  };
  return { state, start, cancel };
}

export interface Ashore {
  end: "start" | "gate" | "end";
  waypoint: number;
  /** The nearest water, and its distance, km; undefined if there is none near. */
  water: (Place & { km: number }) | undefined;
}

export interface FoundRoute {
  own: PassagePlan;
  plan: PassagePlan;
  better: BetterRoute;
  /** The better route of each model in which one was searched. */
  routes: NonNullable<PassageMeta["routes"]>;
  /** The members of an ensemble on both routes, where it was searched in one. */
  ensemble: PassageMeta["ensemble"];
  /** The first leg of the user's route that crosses land, from 0. */
  ownLandLeg: number | undefined;
  /** Identifies the searched part of the plan: see `searchedPart`. */
  of: string;
}

export type SearchState =
  | { is: "none" | "cancelled" | "used" | "kept" | "no_way" }
  | { is: "refused"; request: Extract<BetterRequest, { as: "refused" }> }
  /** @see share Share that is done, 0..1. */
  | { is: "running"; share: number }
  | { is: "ashore"; ends: readonly Ashore[] }
  | { is: "failed"; error: Error }
  | { is: "found"; found: FoundRoute };

/** The part of a plan on which a search depends. @param departure Unix seconds. */
export function searchedPart(plan: PlanWithVessel, departure: number): string {
  return `${departure} ${comparedPart(plan)}`;
}

const useSearchState = searchStates<SearchState>("found", { is: "none" });

/** Searches for a better route by a task; leaving the panel cancels it. */
export function useBetterRoute(key: string) {
  const { state, publish, run, stop } = useSearchState();
  const search = async (
    plan: PlanWithVessel,
    departure: number,
    objective: Objective,
    storms: StormsAsked,
    planners: Planners,
    now: number,
  ) => {
    stop();
    const request = betterRequest(plan, departure, objective, storms, planners, now);
    if (request.as === "refused") return publish({ is: "refused", request });
    await run(
      { is: "running", share: 0 },
      async (signal, publishHere) => {
        const onProgress = (share: number) => publishHere({ is: "running", share });
        const answer = await passageByTask("/passages/optimise", key, request.body, signal, onProgress);
        const { plans, meta } = answer;
        const [own, better] = plans;
        const { routes = [], ensemble } = meta;
        const found = meta.better ?? routes[0];
        if (!own || !better || !found) return undefined;
        const of = searchedPart(plan, departure);
        const ownLandLeg = meta.crosses_land[0]?.leg;
        return { is: "found", found: { own, plan: better, better: found, routes, ensemble, ownLandLeg, of } };
      },
      (error) => failureOf(error, plan),
    );
  };
  const settle = (is: "used" | "kept" | "none") => publish({ is });
  const cancel = () => {
    stop();
    publish({ is: "cancelled" });
  };
  return { state, search, settle, cancel };
}

/** The state of a search that found nothing. */
export function failureOf(error: Error, { route }: PlanWithVessel): SearchState {
  if (!(error instanceof ServiceError)) return { is: "failed", error };
  if (error.message.startsWith(noWayByWater)) return { is: "no_way" };
  const issues = error.fault?.is === "rejected" ? (error.fault.issues ?? []) : [];
  const ends = issues.flatMap(({ loc = [], ctx }): Ashore[] => {
    const [, field, waypoint, of] = loc;
    if (of === "gate") return [];
    const place = typeof waypoint === "number" ? route[waypoint] : undefined;
    if (field !== "route" || typeof waypoint !== "number" || !place) return [];
    const { nearest_water: water } = Object(ctx) as { nearest_water?: Place };
    return [
      {
        end: waypoint === 0 ? "start" : waypoint < route.length - 1 ? "gate" : "end",
        waypoint,
        water: water && { ...water, km: distanceKm(place, water) },
      },
    ];
  });
  return ends.length > 0 && ends.length === issues.length ? { is: "ashore", ends } : { is: "failed", error };
}
