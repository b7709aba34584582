import { z } from "zod";
import { type OutputName, variable, variableNames } from "#lib/catalog/variables.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { areaBox } from "./files.ts";
import { latitude, longitude, pointMeta, taskOptions, utcInstant } from "./point.ts";

/**
 * Limits of requests. `samples` counts values, one per place and step; above `sync` the request must be a
 * task. `places` limits the places of a box.
 */
export const workabilityLimits = {
  samples: { sync: 10_000, async: 200_000 },
  places: 100,
  quantities: 10,
  levels: 24,
  window_hours: 720,
} as const;

type WorkQuantity = Exclude<OutputName, `${string}_Direction` | "Bathymetry">;

/** Quantities that can have a limit; a direction has no greatest value. */
export const workQuantities = variableNames.flatMap((name) =>
  variable(name).static
    ? []
    : variable(name).outputs.flatMap(({ is, point }) => (is === "value" || is === "speed" ? [point] : [])),
) as [WorkQuantity, ...WorkQuantity[]];

const point = z.object({ type: z.literal("point"), latitude, longitude });

const box = areaBox.extend({
  spacing_deg: z
    .number()
    .min(0.05)
    .max(10)
    .default(0.5)
    .describe(
      `greatest distance of the places that are looked at; at most ${workabilityLimits.places} of them`,
    ),
});

const value = z.number().min(-10_000).max(10_000);

const limit = z
  .strictObject({
    quantity: z.enum(workQuantities).describe("as POST /MetOcean calls it, and in its unit"),
    max: value.optional().describe("greatest accepted value"),
    min: value.optional().describe("least accepted value"),
    levels: z
      .array(value)
      .min(1)
      .max(workabilityLimits.levels)
      .optional()
      .describe("of the exceedance table; round ones where left out"),
  })
  .refine(({ max, min }) => max === undefined || min === undefined || min <= max, {
    error: "min should not be greater than max",
    path: ["min"],
  });

/** Body of POST /workability. */
export const workabilityRequest = z
  .object({
    area: z
      .discriminatedUnion("type", [point, box])
      .describe("in a box an hour is within limits where all its places are"),
    from: utcInstant.describe("first instant, from 3 years in the past"),
    to: utcInstant.describe("end, until 10 days in the future"),
    step_hours: z
      .union([1, 2, 3, 6].map((hours) => z.literal(hours)))
      .default(1)
      .describe("the value at its begin holds for a whole step"),
    limits: z
      .array(limit)
      .min(1)
      .max(workabilityLimits.quantities)
      .describe("all of them hold together; a quantity with neither max nor min is only in the table"),
    window_hours: z
      .number()
      .positive()
      .max(workabilityLimits.window_hours)
      .default(12)
      .describe("how long an operation takes"),
    wind_height: z
      .number()
      .min(10)
      .max(100)
      .default(10)
      .describe("metres above the surface; gusts are at 10 m"),
    ...taskOptions,
  })
  .superRefine(({ from, to, step_hours, limits }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", message, path: [path] });
    if (parseInstant(to) - parseInstant(from) < step_hours * HOUR_S)
      issue("to", "The end should be at least a step after the start");
    if (new Set(limits.map(({ quantity }) => quantity)).size < limits.length)
      issue("limits", "Each quantity should be there once, with max and min");
    if (limits.every(({ max, min }) => max === undefined && min === undefined))
      issue("limits", "At least one quantity should have max or min");
  });

export type WorkabilityRequest = z.infer<typeof workabilityRequest>;

const hours = (about: string) => z.number().describe(about);
const known = (about: string) => z.number().nullable().describe(`${about}; null where nothing is known`);

const statistics = z.object({
  quantity: z.enum(workQuantities),
  hours: hours("of the row"),
  missing_hours: hours("without a value, of a box at some place"),
  mean: known("of the known hours; of a box of its greatest value, where only min is given of its least"),
  least: known("least value"),
  most: known("greatest value"),
  p50: known("median"),
  p90: known("90th percentile, linear between ranks"),
  p95: known("95th percentile"),
  p99: known("99th percentile"),
  exceeded: z.array(z.number().nullable()).describe("share of known hours above each of meta.limits' levels"),
});

const row = z.object({
  month: z.int().min(1).max(12).nullable().describe("calendar month, UTC; null: all of them"),
  years: z.int().describe("how many years have hours in it"),
  hours: hours("asked for"),
  missing_hours: hours("no known value is beyond a limit, and some value is missing; in no share"),
  within_hours: hours("all limits are kept"),
  within_share: known("of the hours that are not missing"),
  lowest_share: known("within_share of the worst single month"),
  highest_share: known("within_share of the best single month"),
  windows: z.int().describe("begun in the month"),
  mean_window_hours: known("their mean length"),
  longest_window_hours: known("their greatest length"),
  window_hours: hours("within windows, whenever they began"),
  window_share: known("the same of the hours that are not missing"),
  mean_wait_hours: known(
    "from any hour of the month to the next possible begin of an operation, where the series has it",
  ),
  longest_wait_hours: known("the longest of these, and of those whose end the series does not have"),
  wait_is_lower_bound: z.boolean().describe("the series does not have the end of the longest wait"),
  quantities: z.array(statistics).describe("in the order of the request"),
});

export type WorkabilityReplyRow = z.infer<typeof row>;

/** Most windows of an answer. */
export const MAX_WINDOWS = 200;

const workabilityMeta = z.object({
  method: z.string().describe("in words"),
  limits: z.array(
    z.object({
      quantity: z.enum(workQuantities),
      title: z.string(),
      unit: z.string(),
      max: z.number().nullable(),
      min: z.number().nullable(),
      levels: z.array(z.number()).describe("of the exceedance table, ascending"),
      places_without: z
        .int()
        .describe("places that have none of its values, such as land: they are left out"),
    }),
  ),
  window_hours: z.number(),
  step_hours: z.number(),
  from: z.string(),
  to: z.string().describe("end of the last whole step"),
  places: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
  windows: z
    .array(
      z.object({
        from: z.string(),
        to: z.string(),
        hours: z.number(),
        is_cut: z.boolean().describe("it may be longer: missing data or an end of the series is beside it"),
      }),
    )
    .describe(`the first ${MAX_WINDOWS}, in the order of time`),
  longest_wait: z
    .object({
      from: z.string(),
      to: z.string(),
      hours: z.number(),
      is_lower_bound: z
        .boolean()
        .describe("no operation could begin before the series was too short for one"),
      missing_hours: z.number().describe("of it; an operation might have begun in them"),
    })
    .nullable()
    .describe("null where the series is shorter than an operation"),
  provenance: z.array(pointMeta.shape.provenance.element.omit({ valid_times: true })),
  knowledge: z.array(z.string()).describe("what the numbers do not know, in words"),
});

export type WorkabilityMeta = z.infer<typeof workabilityMeta>;

/** Answer of POST /workability. */
export const workabilityResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(row).describe("all months together, then each month that was asked for"),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: workabilityMeta,
  }),
});
