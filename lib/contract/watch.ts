import { dangerMethods, stormProviders } from "@open-metocean/storms/providers";
import { z } from "zod";
import { languages } from "#lib/messages/language.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";
import {
  agreements,
  alertKinds,
  alertMessage,
  countedMembers,
  modelSayings,
  silences,
} from "#lib/watches/message.ts";
import { rowOf, STORM_NM, TIDE_M, type WatchQuantity, watchQuantities } from "#lib/watches/quantities.ts";
import { passageRequest, vesselForm, waypointForm } from "./passage.ts";
import { latitude, longitude, modelName, modelNames, queryNumber, taskName, utcInstant } from "./point.ts";

/**
 * Limits of watches. `places` counts pieces of a route at the vessel's typical speed. `sent_an_hour` limits
 * the alerts and tests of one watch that go to channels; the inbox receives all of them.
 */
export const watchLimits = {
  of_owner: 100,
  conditions: 6,
  waypoints: 100,
  places: 2_000,
  /** Pieces of a route whose watch asks each member of an ensemble. */
  places_of_members: 500,
  window_hours: 240,
  minutes_before: 720,
  alerts_of_owner: 1_000,
  sent_an_hour: 12,
  alert_days: 90,
  days: 366,
} as const;

const NO_GATES = "Watches do not support gates: without them the watch uses the times without waiting";

/** Unknown fields are refused, as in the limits of passages. */
const condition = z
  .strictObject({
    quantity: z
      .enum(watchQuantities)
      .describe(
        "Quantity, with the unit as part of its name; wind and gusts at 10 m. storm_nm: distance from the danger area of a storm, nautical miles, 0 inside it",
      ),
    over: z.number().optional().describe("The condition is true above this value; give either over or under"),
    under: z
      .number()
      .optional()
      .describe("The condition is true below this value; storm_nm can only have under"),
  })
  .superRefine(checkLimit);

/**
 * A watched route has no gates: evaluating it as if there were none would silently give wrong times after a
 * wait.
 */
const watchedWaypoint = waypointForm.extend({
  gate: z
    .unknown()
    .optional()
    .refine((gate) => gate === undefined, { error: NO_GATES })
    .describe("Not allowed, because watches do not support gates"),
});

/** A condition on the height of a tide. */
const height = z
  .strictObject({
    quantity: z.literal(TIDE_M).describe("Height of the tide, metres"),
    over: z.number().optional().describe("The condition is true above this value; give either over or under"),
    under: z
      .number()
      .optional()
      .describe("The condition is true below this value; give either over or under"),
  })
  .superRefine(checkLimit);

function checkLimit(
  {
    quantity,
    over,
    under,
  }: { quantity: WatchQuantity; over?: number | undefined; under?: number | undefined },
  context: z.RefinementCtx,
): void {
  const [least, most] = rowOf(quantity).range;
  const limit = over ?? under;
  const issue = (message: string, path = "over") =>
    context.addIssue({ code: "custom", message, path: [path] });
  if (limit === undefined || (over !== undefined && under !== undefined)) issue("Give either over or under");
  else if (quantity === STORM_NM && under === undefined) issue("A condition on storm_nm should have under");
  else if (limit < least || limit > most)
    issue(
      `Input should be from ${least} to ${most} ${rowOf(quantity).unit}`,
      over === undefined ? "under" : "over",
    );
}

export type WatchCondition = z.infer<typeof condition>;

const place = {
  latitude,
  longitude,
};

const conditions = z.array(condition).min(1).max(watchLimits.conditions);

const windowHours = z.int().min(1).max(watchLimits.window_hours);

const storms = {
  provider: z.enum(stormProviders).default("jtwc").describe("Provider of the storms for storm_nm"),
  storm_method: z
    .enum(dangerMethods)
    .default("classic")
    .describe("How the danger area is made, as in GET /storms/{id}/danger"),
};

const byModel = {
  models: modelNames
    .optional()
    .describe(
      "Names of models, as in POST /MetOcean, that are asked one by one; default: the best source of each variable",
    ),
  agree: z
    .enum(agreements)
    .optional()
    .describe(
      "With models: how many of those that can say have to answer yes. any (default): one; most: more than half; all: all of them",
    ),
  ensemble: modelName
    .optional()
    .meta({ example: "gefs" })
    .describe(
      "Name of an ensemble, whose members are asked one by one, each about the whole time or passage; not together with models, nor with storm_nm",
    ),
  percent: z
    .int()
    .min(1)
    .max(100)
    .optional()
    .describe("With ensemble, required: the least share of its members that have to answer yes, per cent"),
};

const join = z
  .enum(["any", "all"])
  .default("any")
  .describe(
    "any: one condition is enough; all: all conditions at the same hour, except storm_nm, which may be true at any hour",
  );

const hourlyOnly = (list: WatchCondition[]) => list.every(({ quantity }) => quantity !== STORM_NM);

const question = z.discriminatedUnion("kind", [
  z.object({
    kind: z.literal("place").describe("Conditions at a place in the next hours"),
    ...place,
    window_hours: windowHours.default(48),
    join,
    conditions,
    ...storms,
    ...byModel,
  }),
  z.object({
    kind: z.literal("route").describe("Conditions on the part of a passage that is still ahead"),
    route: z.array(watchedWaypoint).min(2).max(watchLimits.waypoints),
    departure: utcInstant,
    vessel: vesselForm,
    join,
    conditions,
    ...storms,
    ...byModel,
  }),
  z.object({
    kind: z.literal("window").describe("A period without a break in which all conditions are true"),
    ...place,
    window_hours: windowHours.default(120).describe("Hours from now in which the period is searched"),
    lasting_hours: z
      .int()
      .min(1)
      .max(watchLimits.window_hours)
      .default(36)
      .describe("Length of the period, hours"),
    conditions: conditions.refine(hourlyOnly, {
      error: "A weather window cannot have a condition on storm_nm",
    }),
    ...byModel,
  }),
  z.object({
    kind: z
      .literal("tide")
      .describe(
        "The tide at a station is beyond a limit. Each period beyond it gives one alert, ahead of it, once the period before has ended",
      ),
    station: z.string().max(100).describe("Id of a station of GET /tides/stations of kind tide"),
    datum: z
      .string()
      .max(20)
      .optional()
      .describe("Datum of the limit, one of the datums of the station; default: its chart datum"),
    window_hours: windowHours
      .default(12)
      .describe("Most hours from the alert to the time at which the height is beyond the limit"),
    conditions: z.array(height).length(1),
  }),
  z.object({
    kind: z
      .literal("tide_extreme")
      .describe("Each high or low water at a station gives one alert, some minutes before it"),
    station: z.string().max(100).describe("Id of a station of GET /tides/stations of kind tide"),
    datum: z
      .string()
      .max(20)
      .optional()
      .describe("Datum of heights, one of the datums of the station; default: its chart datum"),
    type: z
      .enum(["high", "low", "either"])
      .default("high")
      .describe("high: high water; low: low water; either: both"),
    minutes_before: z
      .int()
      .min(0)
      .max(watchLimits.minutes_before)
      .default(30)
      .describe("Minutes from the alert to the high or low water"),
    conditions: z
      .array(height)
      .max(1)
      .default([])
      .describe("At most one condition: only high or low waters over, or under, a height"),
    coefficient: z
      .int()
      .min(20)
      .max(120)
      .optional()
      .describe(
        "At stations in France, instead of a height: only high or low waters with at least this coefficient; a low water has the greater one of the high waters next to it",
      ),
  }),
  z.object({
    kind: z.literal("new_run").describe("A forecast run is published"),
    source: z
      .string()
      .regex(/^[A-Za-z0-9_-]{1,40}$/)
      .optional()
      .describe("Source as in result.meta of POST /MetOcean, such as gfs; default: any source"),
  }),
]);

export type WatchQuestion = z.infer<typeof question>;

/** Most pieces that the route of a question may have. */
export const placesOf = ({ ensemble }: { ensemble?: string | undefined }): number =>
  ensemble === undefined ? watchLimits.places : watchLimits.places_of_members;

/** Body of POST /watches and PUT /watches/{id}. */
export const watchRequest = z
  .object({
    name: taskName.min(1),
    question,
    language: z.enum(languages).default("en").describe("Language of the messages"),
    paused: z.boolean().default(false).describe("true: the watch is not evaluated until this is changed"),
    channels: z
      .array(z.uuid())
      .max(20)
      .optional()
      .describe(
        "Ids of channels of GET /channels; default: all channels of the owner; an empty list means the inbox alone",
      ),
    expires_at: utcInstant
      .optional()
      .describe(
        "Time from which on the watch is not evaluated, UTC; default: 90 days from now, for a route 10 days after its departure",
      ),
  })
  .superRefine(({ question: asked }, context) => {
    if (asked.kind === "window" && asked.lasting_hours > asked.window_hours)
      context.addIssue({
        code: "custom",
        message: "lasting_hours should not be greater than window_hours",
        path: ["question", "lasting_hours"],
      });
    if (asked.kind === "tide_extreme" && asked.coefficient !== undefined && asked.conditions.length > 0)
      context.addIssue({
        code: "custom",
        message: "Give either a height or a coefficient",
        path: ["question", "coefficient"],
      });
    if ("conditions" in asked && "agree" in asked && asked.agree !== undefined && !asked.models)
      context.addIssue({
        code: "custom",
        message: "agree needs models",
        path: ["question", "agree"],
      });
    if ("models" in asked && asked.models && asked.conditions.every(({ quantity }) => quantity === STORM_NM))
      context.addIssue({
        code: "custom",
        message: "A question about storms alone depends on no model",
        path: ["question", "models"],
      });
    if (asked.kind === "place" || asked.kind === "route" || asked.kind === "window") {
      const { ensemble, percent, models } = asked;
      const issue = (field: string, message: string) =>
        context.addIssue({ code: "custom", message, path: ["question", field] });
      if ((ensemble === undefined) !== (percent === undefined))
        issue("percent", "ensemble and percent belong together: give both or neither");
      if (ensemble !== undefined && models) issue("ensemble", "Give either models or ensemble");
      if (ensemble !== undefined && asked.conditions.some(({ quantity }) => quantity === STORM_NM))
        issue("ensemble", "The distance of a storm depends on no ensemble");
    }
    if (asked.kind !== "route") return;
    const { route, departure, vessel } = asked;
    for (const { message, path } of passageRequest.safeParse({ route, departure, vessel }).error?.issues ??
      [])
      context.addIssue({ code: "custom", message, path: ["question", ...path] });
  });

export type WatchRequest = z.infer<typeof watchRequest>;

/**
 * When a watch expires, Unix seconds, by the system clock.
 *
 * @param now System clock, Unix seconds.
 * @param weatherNow Weather clock, Unix seconds, to which departures refer. Its lag behind the system clock,
 * rounded to whole hours, is added to the departure, so a difference below half an hour counts as none.
 */
export function expiryOf(
  { expires_at, question: asked }: WatchRequest,
  now: number,
  weatherNow = now,
): number {
  if (expires_at !== undefined) return parseInstant(expires_at);
  if (asked.kind !== "route") return Math.floor(now) + 90 * DAY_S;
  const behind = Math.round((now - weatherNow) / HOUR_S) * HOUR_S;
  return parseInstant(asked.departure) + behind + 10 * DAY_S;
}

const instant = z.string().meta({ format: "date-time", example: "2026-01-01T00:00:00.000Z" });

export const watchStates = ["waiting", "quiet", "firing", "unknown", "failed", "paused", "expired"] as const;

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

/** Result of the last evaluation of a watch. */
export const watchFound = z.strictObject({
  run: z.string().nullable().describe("Model or agency, and base time; for a tide its source"),
  run_at: unixSeconds.nullable(),
  quantity: z.string().nullable(),
  value: z.number().nullable().describe("Value that is nearest to its limit, or furthest beyond it"),
  limit: z.number().nullable(),
  unit: z.string().nullable(),
  valid_at: unixSeconds.nullable(),
  windows: z
    .array(z.strictObject({ from: unixSeconds, to: unixSeconds }))
    .describe("For weather windows and tides: all periods that were found"),
  known_share: z.number().min(0).max(1).describe("Share of the hours considered that have a forecast"),
  sentence: z.string().describe("What was found, as a sentence in the language of the watch"),
  models: z
    .array(
      z.strictObject({
        model: z.string(),
        says: z.enum(modelSayings),
        why: z.enum(silences).optional().describe("Why it cannot say"),
        run_at: unixSeconds.nullable().describe("Base time of its newest run"),
        reached_at: unixSeconds
          .nullable()
          .describe("Base time of the run with which it last said yes, if it has not said no since"),
      }),
    )
    .optional()
    .describe("What each model says, for a question with models"),
  ensemble: countedMembers
    .extend({ run_at: unixSeconds.nullable().describe("Base time of its newest run") })
    .optional()
    .describe("How many members say yes, for a question with an ensemble"),
});

export type WatchFound = z.infer<typeof watchFound>;

/** A watch in replies. */
export const watch = z.strictObject({
  id: z.string().meta({ format: "uuid" }),
  name: z.string(),
  question,
  language: z.enum(languages),
  paused: z.boolean(),
  channels: z.array(z.string()).nullable().describe("Ids of channels; null: all channels of the owner"),
  state: z
    .enum(watchStates)
    .describe(
      "waiting: not evaluated yet; quiet: the answer is no; firing: it fired and has not cleared; unknown: there is no forecast for it, or its station is gone; failed: the evaluation failed and is tried again",
    ),
  found: watchFound.nullable(),
  error: z.string().nullable(),
  created_at: instant,
  evaluated_at: instant.nullable(),
  expires_at: instant,
});

export type Watch = z.infer<typeof watch>;

export const watchList = z.object({ results: z.array(watch) });

/** An alert in the inbox. */
export const alert = z.strictObject({
  id: z.string().meta({ format: "uuid" }),
  kind: z.enum(alertKinds),
  message: alertMessage,
  created_at: instant,
  read_at: instant.nullable(),
});

export type Alert = z.infer<typeof alert>;

export const alertList = z.object({
  results: z.array(alert),
  unread: z.int().describe("Number of alerts of the owner that are not marked as read"),
});

export type AlertList = z.infer<typeof alertList>;

/** Query of GET /alerts. */
export const alertQuery = z.object({
  limit: queryNumber(z.number().int().min(1).max(100)).default(50),
  cursor: z.string().max(200).optional().describe("Cursor from the Link header of the previous page"),
});

/** Body of POST /alerts/read. */
export const alertsRead = z.object({
  ids: z
    .array(z.uuid())
    .min(1)
    .max(100)
    .optional()
    .describe("Ids of alerts; default: all alerts of the owner"),
});

/** Answer of POST /watches/{id}/test. */
export const alertSent = z.strictObject({ id: z.string(), message: alertMessage });
