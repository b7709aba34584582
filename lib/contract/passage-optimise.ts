import { z } from "zod";
import { objectives } from "#lib/passage/limits.ts";
import {
  checkVessel,
  isSamePosition,
  limitsForm,
  passageLimits,
  vesselForm,
  waypointForm,
} from "./passage.ts";
import { taskName, utcInstant } from "./point.ts";
import { dangerMethods, stormProviders } from "./storm-providers.ts";

/**
 * Sizes of requests: the great circle from the first to the last waypoint, and its time at the vessel's typical speed, above
 * `sync` of which a task is needed. `forecast_share`: how much of that time has to lie within the time of the archive.
 */
export const optimiseLimits = {
  distance_nm: 6000,
  hours: { sync: 12, async: 1440 },
  forecast_share: 0.25,
  nearest_water_nm: 60,
} as const;

/** Body of POST /passages/optimise. */
export const optimiseRequest = z
  .object({
    route: z
      .array(waypointForm)
      .min(2)
      .max(passageLimits.waypoints)
      .describe("the user's own route; the better one has its first and its last waypoint"),
    departure: utcInstant,
    vessel: vesselForm,
    limits: limitsForm.optional(),
    objective: z
      .enum(objectives)
      .default("within_limits")
      .describe(
        "within_limits: within the limits all the way, else the least sum of time and eight times the weighted time beyond " +
          "them; fastest: of the limits that of storms counts, the others are only shown",
      ),
    include_pieces: z.boolean().default(true).describe("adds the pieces of both plans"),
    storms: z
      .enum(stormProviders)
      .optional()
      .describe("whose storms are kept clear of, by limits.storm_km; none where left out"),
    storm_method: z.enum(dangerMethods).default("classic").describe("of the danger area"),
    async: z.boolean().default(false).describe("true makes a task of it, whose result is at /task/{task_id}"),
    task_name: taskName.optional(),
    receive_mail: z.boolean().default(false).describe("one mail to the owner of the key when the task ends"),
  })
  .superRefine(({ route, vessel }, context) => {
    const issue = (path: (string | number)[], message: string) =>
      context.addIssue({ code: "custom", message, path });
    checkVessel(vessel, issue);
    if (route.length > 1 && isSamePosition(route[0]!, route.at(-1)!))
      issue(["route"], "The route ends where it begins: give the better route somewhere to go");
  });

/** Begin of the failure where no way was found; what follows says why. */
export const noWayByWater = "No way by water was found";

export type OptimiseRequest = z.infer<typeof optimiseRequest>;
