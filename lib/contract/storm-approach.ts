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
  timestamp: utcInstant.optional().describe("when the vessel is there; now where it is left out"),
  course_deg: z.number().min(0).max(360).describe("true course, TO; kept along a rhumb line"),
  speed_kt: z.number().min(0).max(100).describe("speed over ground, kt; 0 for a place"),
});

const waypoint = z.object({ ...position, timestamp: utcInstant.describe("when the vessel passes it") });

/** Body of POST /storms/approach. */
export const stormApproachRequest = z
  .object({
    provider: z.enum(stormProviders).describe("whose storms"),
    vessel: vessel.optional().describe("a vessel on a constant course; either this or route"),
    route: z
      .array(waypoint)
      .min(1)
      .max(MAX_WAYPOINTS)
      .optional()
      .describe("waypoints ascending in time, joined by rhumb lines; either this or vessel"),
    from: utcInstant
      .optional()
      .describe(
        "approaches before are left out, as of a vessel whose position is hours old; the beginning of the voyage where it is left out",
      ),
    method: z.enum(dangerMethods).default("classic").describe("of the danger area"),
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
          message: "Input should be later than the waypoint before",
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
  distance_km: z.number().describe("from the vessel to the storm's centre, km"),
  bearing_deg: z.number().describe("from the vessel to the storm's centre, true"),
  gale_km: z.number().describe("reach of 34 kt (jma: 30 kt) towards the vessel, km"),
  gale_estimated: z.boolean().describe("the reach is not given but typical of such a storm"),
  cone_km: z.number().nullable().describe("radius of the cone at the time, km"),
  clearance_km: z.number().describe("distance less gale_km and cone_km, km; negative inside"),
  semicircle: z
    .enum(["dangerous", "navigable"])
    .nullable()
    .describe(
      "dangerous is right of the storm's motion in the north, left in the south, at any distance; null for one that stays",
    ),
});

const arrival = z.strictObject({
  threshold_kt: z.int(),
  is_forecast: z
    .boolean()
    .optional()
    .describe(
      "false where no hour of the forecast has such a wind, neither a radius nor a maximum wind; absent in answers of earlier versions",
    ),
  outlook: z
    .enum(["expected", "possible", "not expected", "not forecast"])
    .describe(
      "possible: only if the storm strays by the radius of its cone; not forecast: it might come when no radii are told",
    ),
  earliest: unixSeconds.nullable().describe("the storm nearer by the radius of its cone"),
  likely: unixSeconds.nullable().describe("the storm on its forecast track"),
  latest: unixSeconds.nullable().describe("the storm further off by the radius of its cone"),
  ends: unixSeconds.nullable().describe("on the forecast track; null where it lasts to told_until"),
  told_until: unixSeconds.nullable().describe("the forecast gives radii of this wind until then"),
});

/** The vessel and the area of GET /storms/{id}/danger: that of all its hours together. */
const dangerPassage = z.strictObject({
  method: z.enum(dangerMethods),
  from: unixSeconds.describe("the voyage and the area have the time from here"),
  until: unixSeconds.describe("to here in common; the area ends 72 h after issued_at"),
  enters: unixSeconds
    .nullable()
    .describe("first within; equal to from if it is so at once, null if it keeps clear"),
  leaves: unixSeconds.nullable().describe("first outside again; null if it stays within, or keeps clear"),
  clearance_km: z.number().describe("least distance to the area, km; 0 where it enters"),
  gale_estimated: z.boolean().describe("some reach of gales is not given but typical of such a storm"),
});

const stormApproach = z.strictObject({
  provider: z.enum(stormProviders),
  id: z.string(),
  name: z.string().nullable(),
  wind_average_minutes: z.int(),
  issued_at: unixSeconds.describe("base time of the forecast that all of this is worked out from"),
  is_stale: z.boolean().describe("that forecast is 12 h old or older: two newer ones are missing"),
  from: unixSeconds.describe("the voyage and the forecast have the time from here"),
  until: unixSeconds.describe("to here in common"),
  now: z
    .strictObject({ distance_km: z.number(), bearing_deg: z.number() })
    .nullable()
    .describe("from the vessel, where it is now or begins or ends, to the storm's centre now"),
  closest: approach.describe(
    "where the centre is nearest; at until it is still closing, at from it moves away",
  ),
  least_clearance: approach.describe("where least remains to gales and cone"),
  arrivals: z.array(arrival),
  danger: dangerPassage
    .nullable()
    .describe("the way through the danger area; null for an area without an outline, or past its time"),
});

/** A storm without a forecast: only its last position is known. */
const unforecast = z.strictObject({
  id: z.string(),
  name: z.string().nullable(),
  is_active: z.boolean().describe("false for a storm that has ended, which stays for 24 h"),
  last_fix_time: unixSeconds.nullable().describe("when it was last located; null if it never was"),
  km: z
    .number()
    .optional()
    .describe(
      "distance of that last position, km, from where the vessel is now (before the voyage from its start, after it from its end); absent if the storm was never located",
    ),
});

/** Answer of POST /storms/approach: storms with a forecast during the voyage, the smallest clearance first, and all others. */
export const stormApproachResponse = z.strictObject({
  results: z
    .array(stormApproach)
    .describe(
      "storms with a forecast in the time of the voyage: an empty list does not mean that no storm is near",
    ),
  without_forecast: z
    .array(unforecast)
    .describe("all other storms that are published, ordered by id: they may be near, now or later"),
  notice: z.string(),
});

export type StormApproachResponse = z.infer<typeof stormApproachResponse>;
