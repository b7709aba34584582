import { z } from "zod";

/**
 * Why a message is sent. `unavailable`: the station of the watch was removed from the tide database.
 * `channel`: a channel was disabled, which is reported in the inbox only.
 */
export const alertKinds = ["fired", "cleared", "new_run", "unavailable", "test", "channel"] as const;

export type AlertKind = (typeof alertKinds)[number];

const unixSeconds = z.int().describe("Unix time, seconds, UTC");

/** The message sent by every channel: inbox, mail, webhooks, ntfy. Texts are in the language of the watch. */
export const alertMessage = z.strictObject({
  kind: z.enum(alertKinds),
  watch_id: z.string().nullable().describe("null for what no watch says"),
  watch_name: z.string(),
  title: z.string().describe("one line: what it is about"),
  sentence: z.string().describe("what, when, and by which run; plain text"),
  language: z.string(),
  run: z
    .string()
    .nullable()
    .describe(
      "model or agency and base time of the forecast, or the origin of a tide; null where there is none",
    ),
  run_at: unixSeconds.nullable().describe("that base time"),
  valid_at: unixSeconds
    .nullable()
    .describe("the hour that the message is about; now for a tide that has lasted for more than two days"),
  ends_at: unixSeconds
    .nullable()
    .describe("until when it lasts, as far as the watch looks; null for a tide that lasts beyond that"),
  quantity: z.string().nullable().describe("what value and limit are of, such as gust_kt"),
  value: z
    .number()
    .nullable()
    .describe("the greatest that decided, or the least where the limit is a least one"),
  limit: z.number().nullable(),
  unit: z.string().nullable().describe("of value and limit"),
  peak_at: unixSeconds.nullable().describe("the hour of value"),
  lead_hours: z.number().nullable().describe("from when it was found to valid_at"),
  tide: z
    .strictObject({
      type: z.enum(["high", "low"]),
      datum: z.string().describe("level that value is above"),
      coefficient: z.number().optional().describe("in France"),
    })
    .optional()
    .describe("the high or low water that the message is about"),
  place: z
    .strictObject({ latitude: z.number(), longitude: z.number() })
    .nullable()
    .describe("where it is, or what the watch is about"),
  link: z.string().describe("path and query of the map in that state, without the host: /?p=…&t=…"),
  synthetic: z.boolean().describe("the numbers come from the demo world: they are invented"),
});

/** Content of an alert, stored in `alert.payload`. It does not change. */
export type AlertMessage = z.infer<typeof alertMessage>;
