import { z } from "zod";
import { legKinds } from "#lib/passage/route.ts";
import { passageLimits, passageRequest } from "./passage.ts";

/** Longest names of a plan and of a waypoint, characters. */
const [MAX_PLAN_NAME, MAX_WAYPOINT_NAME] = [80, 60];

const { route, departure, departures, vessel, limits } = passageRequest.shape;

/**
 * A passage as a person plans it: the request of POST /passages/evaluate while it is still being written. The route may be
 * empty, its waypoints have names, and both a departure and a sweep of departures may be given.
 */
export const planForm = z.object({
  name: z.string().max(MAX_PLAN_NAME),
  route: z
    .array(
      route.element.extend({
        leg: z.enum(legKinds),
        name: z.string().max(MAX_WAYPOINT_NAME).optional(),
      }),
    )
    .max(passageLimits.waypoints),
  departure,
  departures,
  /** Absent until the person has chosen one. */
  vessel: vessel.optional(),
  limits,
});

export type Plan = z.input<typeof planForm>;

export type PlanVessel = NonNullable<Plan["vessel"]>;

/** A plan whose passage can be worked out. */
export type PlanWithVessel = Plan & { vessel: PlanVessel };

export type PlanWaypoint = Plan["route"][number];
