import { useEffect, useRef, useState } from "react";
import type { PlanWithVessel } from "#lib/contract/plan.ts";
import { type PassageAnswer, passageByTask, passageWhenReady } from "./passage-queries.ts";
import { type StormsAsked, type Sweep, type SweepRequest, sweepRequest } from "./passage-request.ts";

export type SweepState =
  | { is: "none" }
  | { is: "refused"; why: Extract<SweepRequest, { as: "refused" }>["why"] }
  /** @see share That is done, 0..1; undefined where the answer comes at once. */
  | { is: "running"; departures: number; share: number | undefined }
  | { is: "cancelled" }
  | { is: "failed"; error: Error; again: () => void }
  | { is: "done"; answer: PassageAnswer; plan: string };

/** The comparison that was made last stays while the panel shows something else. */
let last: SweepState = { is: "none" };

/** What of a plan a comparison depends on: all but its name and departure. */
export function comparedPart({ route, vessel, limits }: PlanWithVessel): string {
  const places = route.map(({ latitude, longitude, leg }) => [latitude, longitude, leg]);
  return JSON.stringify([places, vessel, limits]);
}

/** Compares departures, at once or by a task; leaving the panel ends what is under way. */
export function useSweep(key: string) {
  const [state, setState] = useState<SweepState>(last);
  const running = useRef<AbortController>(undefined);
  const publish = (next: SweepState) => {
    last = next.is === "done" ? next : { is: "none" };
    setState(next);
  };
  useEffect(() => () => running.current?.abort(), []);
  const start = async (plan: PlanWithVessel, sweep: Sweep, storms: StormsAsked, now: number) => {
    running.current?.abort();
    const request = sweepRequest(plan, sweep, storms, now);
    if (request.as === "refused") return publish({ is: "refused", why: request.why });
    const controller = new AbortController();
    running.current = controller;
    const { signal } = controller;
    const { departures, body } = request;
    publish({ is: "running", departures, share: request.as === "task" ? 0 : undefined });
    try {
      const onProgress = (share: number) => signal.aborted || publish({ is: "running", departures, share });
      const answer = await (request.as === "task"
        ? passageByTask("/passages/evaluate", key, body, signal, onProgress)
        : passageWhenReady(key, plan, body, signal, onProgress));
      if (!signal.aborted) publish({ is: "done", answer, plan: comparedPart(plan) });
    } catch (error) {
      if (signal.aborted) return;
      if (!(error instanceof Error)) throw error;
      publish({ is: "failed", error, again: () => void start(plan, sweep, storms, now) });
    }
  };
  return {
    state,
    start,
    cancel: () => {
      running.current?.abort();
      publish({ is: "cancelled" });
    },
  };
}
