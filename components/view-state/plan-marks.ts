import { useSyncExternalStore } from "react";
import type { Place } from "#lib/geo/sphere.ts";

/** What the map shows beside the route of the plan. It is part of neither link nor device. */
export interface PlanMarks {
  /** Clicks on the map add waypoints. */
  isDrawing: boolean;
  /** Position of the waypoint that is marked. */
  waypoint: number | undefined;
  /** Where the vessel is at the time shown, or at the pointer. @see course Degrees, TO. */
  boat: (Place & { course: number | undefined }) | undefined;
  /** What became of a link: its plan could not be read, or the plan before it was saved under a name. */
  notice: { is: "damagedLink" } | { is: "kept"; as: string } | undefined;
}

const none: PlanMarks = { isDrawing: false, waypoint: undefined, boat: undefined, notice: undefined };
const listeners = new Set<() => void>();
let current = none;

export function usePlanMarks(): PlanMarks {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => current,
    () => none,
  );
}

export function markPlan(part: Partial<PlanMarks>): void {
  const names = Object.keys(part) as (keyof PlanMarks)[];
  if (names.every((name) => current[name] === part[name])) return;
  current = { ...current, ...part };
  for (const listener of listeners) listener();
}
