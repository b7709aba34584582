import { z } from "zod";

/**
 * Why a message is sent. `unavailable`: the station of the watch was removed from the tide database.
 * `channel`: a channel was disabled, which is reported in the inbox only.
 */
export const alertKinds = ["fired", "cleared", "new_run", "unavailable", "test", "channel"] as const;

export type AlertKind = (typeof alertKinds)[number];

/** How many of the models that can say have to reach a threshold: one, more than half, or all. */
export const agreements = ["any", "most", "all"] as const;

export type Agreement = (typeof agreements)[number];

export const modelSayings = ["reached", "not_reached", "cannot_say"] as const;

/**
 * Why a model cannot say. absent: it has no values for the question; late: its last run is old; ends: its forecast
 * ends before the window does; gaps: values are missing in between.
 */
export const silences = ["absent", "late", "ends", "gaps"] as const;

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

/** Counts of the answers of the members of an ensemble. */
export const countedMembers = z.strictObject({
  ensemble: z.string(),
  percent: z.int().describe("Least share of members that was asked for, per cent"),
  reached: z.int().describe("How many members say yes, each about the whole time or passage"),
  not_reached: z.int().describe("How many say no"),
  cannot_say: z.int().describe("How many cannot say, for example because their forecast ends before"),
  arrived: z
    .int()
    .describe(
      "How many members of the newest run have arrived with all that the question needs; for the others those of an earlier run are asked",
    ),
  size: z.int().describe("How many members the publisher makes"),
});

/** The message sent by every channel: inbox, mail, webhooks, ntfy. Texts are in the language of the watch. */
export const alertMessage = z.strictObject({
  kind: z.enum(alertKinds),
  watch_id: z.string().nullable().describe("Id of the watch; null for alerts that belong to no watch"),
  watch_name: z.string(),
  title: z.string().describe("Subject, one line"),
  sentence: z.string().describe("What was found, when, and by which run; plain text"),
  language: z.string(),
  run: z
    .string()
    .nullable()
    .describe("Model or agency, and base time of the forecast; for a tide its source; null if there is none"),
  run_at: unixSeconds.nullable().describe("Base time of run, Unix seconds"),
  valid_at: unixSeconds
    .nullable()
    .describe(
      "Time that the message is about, Unix seconds; now for a tide that has lasted for more than two days",
    ),
  ends_at: unixSeconds
    .nullable()
    .describe(
      "End of the event, as far as the watch looks ahead, Unix seconds; null for a tide that lasts longer",
    ),
  quantity: z.string().nullable().describe("Quantity of value and limit, such as gust_kt"),
  value: z
    .number()
    .nullable()
    .describe("Deciding value: the greatest one, or the least if the limit is a lower one"),
  limit: z.number().nullable(),
  unit: z.string().nullable().describe("Unit of value and limit"),
  peak_at: unixSeconds.nullable().describe("Time of value, Unix seconds"),
  lead_hours: z.number().nullable().describe("Hours from the time at which it was found to valid_at"),
  tide: z
    .strictObject({
      type: z.enum(["high", "low"]),
      datum: z.string().describe("Datum of value"),
      coefficient: z.number().optional().describe("Coefficient, at stations in France"),
    })
    .optional()
    .describe("The high or low water that the message is about"),
  models: z
    .array(
      z.strictObject({ model: z.string(), says: z.enum(modelSayings), why: z.enum(silences).optional() }),
    )
    .optional()
    .describe(
      "For a question with models, what each of them says: reached, not_reached, or cannot_say with the reason absent, late, ends or gaps",
    ),
  ensemble: countedMembers
    .optional()
    .describe("For a question with an ensemble, how many of its members say what"),
  place: z
    .strictObject({ latitude: z.number(), longitude: z.number() })
    .nullable()
    .describe("Place of the event, or of the watch"),
  link: z.string().describe("Path and query of the map in that state, without the host: /?p=…&t=…"),
  synthetic: z.boolean().describe("true if the numbers are invented by the demo world"),
});

/** Content of an alert, stored in `alert.payload`. It does not change. */
export type AlertMessage = z.infer<typeof alertMessage>;
