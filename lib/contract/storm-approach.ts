import { dangerMethods, stormProviders } from "@open-metocean/storms/providers";
import { z } from "zod";
import { parseInstant } from "#lib/time.ts";
import { latitude, longitude, utcInstant } from "./point.ts";

/** Most waypoints of a route. */
const MAX_WAYPOINTS = 500;

const position = {
  latitude,
  longitude,
};

const vessel = z.object({
  ...position,
  timestamp: utcInstant.optional().describe("Time of the position, UTC; default: now"),
  course_deg: z
    .number()
    .min(0)
    .max(360)
    .describe("True course over ground, degrees, TO; it is kept along a rhumb line"),
  speed_kt: z.number().min(0).max(100).describe("Speed over ground, kt; 0 for a fixed place"),
});

const waypoint = z.object({
  ...position,
  timestamp: utcInstant.describe("Time at which the vessel passes the waypoint, UTC"),
});

/** Body of POST /storms/approach. */
export const stormApproachRequest = z
  .object({
    provider: z.enum(stormProviders).describe("Provider of the storms"),
    vessel: vessel.optional().describe("Vessel on a constant course; give either vessel or route"),
    route: z
      .array(waypoint)
      .min(1)
      .max(MAX_WAYPOINTS)
      .optional()
      .describe("Waypoints with ascending times, joined by rhumb lines; give either route or vessel"),
    from: utcInstant
      .optional()
      .describe(
        "Time from which on approaches count, for a vessel whose position is hours old; default: the start of the voyage",
      ),
    method: z
      .enum(dangerMethods)
      .default("classic")
      .describe("How the danger area is made, as in GET /storms/{id}/danger"),
  })
  .superRefine((request, context) => {
    if ((request.vessel === undefined) === (request.route === undefined)) {
      context.addIssue({ code: "custom", message: "Give either vessel or route", path: ["vessel"] });
    }
    for (const [index, { timestamp }] of (request.route ?? []).entries()) {
      const before = request.route![index - 1];
      if (before && !(parseInstant(timestamp) > parseInstant(before.timestamp))) {
        context.addIssue({
          code: "custom",
          message: "Input should be later than the time of the previous waypoint",
          path: ["route", index, "timestamp"],
        });
      }
    }
  });

export type StormApproachRequest = z.infer<typeof stormApproachRequest>;

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

/** Positions of a vessel and a storm at one time. */
const approach = z.strictObject({
  time: unixSeconds,
  distance_km: z.number().describe("Distance from the vessel to the centre of the storm, km"),
  bearing_deg: z.number().describe("True bearing from the vessel to the centre of the storm, degrees"),
  gale_km: z.number().describe("Radius of winds of 34 kt (jma: 30 kt) towards the vessel, km"),
  gale_estimated: z.boolean().describe("true if the agency gives no radius and a typical one is used"),
  cone_km: z.number().nullable().describe("Radius of the cone at that time, km"),
  clearance_km: z.number().describe("distance_km minus gale_km and cone_km, km; negative inside"),
  semicircle: z
    .enum(["dangerous", "navigable"])
    .nullable()
    .describe(
      "Semicircle in which the vessel is, at any distance: dangerous is right of the motion of the storm in the northern hemisphere, left in the southern; null for a stationary storm",
    ),
});

const arrival = z.strictObject({
  threshold_kt: z.int(),
  is_forecast: z
    .boolean()
    .optional()
    .describe(
      "false if no hour of the forecast has such a wind, neither as a radius nor as a maximum wind; absent in answers of earlier versions",
    ),
  outlook: z
    .enum(["expected", "possible", "not expected", "not forecast"])
    .describe(
      "possible: only if the storm deviates from its track by the radius of its cone; not forecast: the wind might arrive at a time for which the forecast has no radii",
    ),
  earliest: unixSeconds
    .nullable()
    .describe("Time of arrival if the storm is nearer by the radius of its cone, Unix seconds"),
  likely: unixSeconds
    .nullable()
    .describe("Time of arrival if the storm is on its forecast track, Unix seconds"),
  latest: unixSeconds
    .nullable()
    .describe("Time of arrival if the storm is farther away by the radius of its cone, Unix seconds"),
  ends: unixSeconds
    .nullable()
    .describe(
      "Time at which the wind ends, on the forecast track, Unix seconds; null if it lasts until told_until",
    ),
  told_until: unixSeconds
    .nullable()
    .describe("Time until which the forecast gives radii of this wind, Unix seconds"),
});

/** The vessel and the area of GET /storms/{id}/danger: that of all its hours together. */
const dangerPassage = z.strictObject({
  method: z.enum(dangerMethods),
  from: unixSeconds.describe(
    "Start of the time that the voyage and the danger area have in common, Unix seconds",
  ),
  until: unixSeconds.describe("End of that time, Unix seconds; the area ends 72 h after issued_at"),
  enters: unixSeconds
    .nullable()
    .describe(
      "Time at which the vessel enters the area, Unix seconds; equal to from if it is inside from the start, null if it stays outside",
    ),
  leaves: unixSeconds
    .nullable()
    .describe(
      "Time at which the vessel leaves the area, Unix seconds; null if it stays inside, or stays outside",
    ),
  clearance_km: z.number().describe("Least distance from the area, km; 0 if the vessel enters it"),
  gale_estimated: z
    .boolean()
    .describe("true if the agency does not give all wind radii and typical ones are used"),
});

const stormApproach = z.strictObject({
  provider: z.enum(stormProviders),
  id: z.string(),
  name: z.string().nullable(),
  wind_average_minutes: z.int(),
  issued_at: unixSeconds.describe(
    "Base time of the forecast that this result is computed from, Unix seconds",
  ),
  is_stale: z
    .boolean()
    .describe("true if the forecast is 12 h old or older, so that two newer ones are missing"),
  from: unixSeconds.describe(
    "Start of the time that the voyage and the forecast have in common, Unix seconds",
  ),
  until: unixSeconds.describe("End of that time, Unix seconds"),
  now: z
    .strictObject({ distance_km: z.number(), bearing_deg: z.number() })
    .nullable()
    .describe(
      "From the vessel to the centre of the storm now; before the voyage the vessel is at its start, after it at its end",
    ),
  closest: approach.describe(
    "Time of the least distance from the centre: if it is until, the storm is still closing; if it is from, the storm moves away",
  ),
  least_clearance: approach.describe("Time of the least clearance from gales and cone"),
  arrivals: z.array(arrival),
  danger: dangerPassage
    .nullable()
    .describe(
      "Passage of the vessel through the danger area; null if the area has no outline, or has ended before the voyage",
    ),
});

/** A storm without a forecast: only its last position is known. */
const unforecast = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  is_active: z.boolean().describe("false for a storm that has ended, which stays listed for 24 h"),
  last_fix_time: unixSeconds
    .nullable()
    .describe("Time at which the storm was last located, Unix seconds; null if it never was"),
  km: z
    .number()
    .optional()
    .describe(
      "Distance of that position from the position of the vessel now, km (before the voyage from its start, after it from its end); absent if the storm was never located",
    ),
});

/** Answer of POST /storms/approach: storms with a forecast during the voyage, the smallest clearance first, and all others. */
export const stormApproachResponse = z.strictObject({
  results: z
    .array(stormApproach)
    .describe("Storms with a forecast during the voyage; an empty list does not mean that no storm is near"),
  without_forecast: z
    .array(unforecast)
    .describe("All other published storms, ordered by id; they may be near, now or later"),
  notice: z.string(),
});

export type StormApproachResponse = z.infer<typeof stormApproachResponse>;
