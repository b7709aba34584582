import type { Place } from "#lib/geo/sphere.ts";
import type { LegKind } from "#lib/passage/route.ts";
import { sharedState } from "./shared-state.ts";

/** A storm that the boat comes near on its way: where both are then, and the danger area that the route is held against. */
export interface PlanStorm {
  label: string;
  boat: Place;
  centre: Place;
  /** Closed; undefined where it has none, or until it is there. */
  area: readonly Place[] | undefined;
}

/** A proposed route, and what its line is called on the map. */
export interface BetterMark {
  route: readonly (Place & { leg: LegKind })[];
  label: string;
}

/** What the map shows beside the route of the plan. It is part of neither link nor device. */
export interface PlanMarks {
  /** Clicks on the map add waypoints. */
  isDrawing: boolean;
  /** Position of the waypoint that is marked. */
  waypoint: number | undefined;
  /** Where the vessel is at the time shown, or at the pointer. @see course Degrees, TO. */
  boat: (Place & { course: number | undefined }) | undefined;
  storms: readonly PlanStorm[];
  /** A route that is proposed beside the user's own. */
  better: BetterMark | undefined;
  /** What became of a link: its plan could not be read, or the plan before it was saved under a name. */
  notice: { is: "damagedLink" } | { is: "kept"; as: string } | undefined;
}

const none: PlanMarks = {
  isDrawing: false,
  waypoint: undefined,
  boat: undefined,
  storms: [],
  better: undefined,
  notice: undefined,
};
const marks = sharedState(none);

export const usePlanMarks = marks.use;
export const markPlan = marks.change;
