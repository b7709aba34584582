import { z } from "zod";
import { type OutputName, variable, variableNames } from "#lib/catalog/variables.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { areaBox } from "./files.ts";
import { latitude, longitude, modelName, pointMeta, taskOptions, utcInstant } from "./point.ts";

/**
 * Limits of requests. `samples` counts values, one per place and step; above `sync` the request must be a
 * task. `member_samples` counts the values of all members of an ensemble likewise. `places` limits the places of a box.
 */
export const workabilityLimits = {
  samples: { sync: 10_000, async: 200_000 },
  member_samples: { sync: 50_000, async: 1_000_000 },
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
      `Greatest distance between the places that are used, degrees; there are at most ${workabilityLimits.places} places`,
    ),
});

const value = z.number().min(-10_000).max(10_000);

const limit = z
  .strictObject({
    quantity: z.enum(workQuantities).describe("Field of POST /MetOcean; limits are in its unit"),
    max: value.optional().describe("Greatest accepted value"),
    min: value.optional().describe("Least accepted value"),
    levels: z
      .array(value)
      .min(1)
      .max(workabilityLimits.levels)
      .optional()
      .describe("Levels of the exceedance table; default: round values"),
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
      .describe("A point or a box; in a box an hour is within limits if all its places are"),
    from: utcInstant.describe("Start of the period, UTC, from 3 years in the past on"),
    to: utcInstant.describe("End of the period, UTC, at most 10 days in the future"),
    step_hours: z
      .union([1, 2, 3, 6].map((hours) => z.literal(hours)))
      .default(1)
      .describe("Length of a step, hours; the value at the start of a step stands for all of it"),
    limits: z
      .array(limit)
      .min(1)
      .max(workabilityLimits.quantities)
      .describe(
        "Limits, which must all be kept at the same time; a quantity with neither max nor min is only in the exceedance table",
      ),
    window_hours: z
      .number()
      .positive()
      .max(workabilityLimits.window_hours)
      .default(12)
      .describe("Duration of an operation, hours"),
    wind_height: z
      .number()
      .min(10)
      .max(100)
      .default(10)
      .describe("Height of the wind, metres above the surface; gusts are at 10 m"),
    ensemble: modelName
      .optional()
      .meta({ example: "gefs" })
      .describe(
        "Name of an ensemble, such as gefs: meta.windows and meta.ensemble also count its members within the limits, from now on",
      ),
    ...taskOptions,
  })
  .superRefine(({ from, to, step_hours, limits }, context) => {
    const issue = (path: string, message: string) =>
      context.addIssue({ code: "custom", message, path: [path] });
    if (parseInstant(to) - parseInstant(from) < step_hours * HOUR_S)
      issue("to", "to should be at least one step after from");
    if (new Set(limits.map(({ quantity }) => quantity)).size < limits.length)
      issue("limits", "Each quantity should be listed only once, with its max and min");
    if (limits.every(({ max, min }) => max === undefined && min === undefined))
      issue("limits", "At least one quantity should have max or min");
  });

export type WorkabilityRequest = z.infer<typeof workabilityRequest>;

const hours = (about: string) => z.number().describe(about);
const known = (about: string) => z.number().nullable().describe(`${about}; null if no value is known`);

const statistics = z.object({
  quantity: z.enum(workQuantities),
  hours: hours("Hours of the row"),
  missing_hours: hours("Hours without a value, in a box at any of its places"),
  mean: known(
    "Mean of the known hours; in a box of the greatest value of its places, or of the least if only min is given",
  ),
  least: known("Least value"),
  most: known("Greatest value"),
  p50: known("Median"),
  p90: known("90th percentile, linear between ranks"),
  p95: known("95th percentile"),
  p99: known("99th percentile"),
  exceeded: z
    .array(z.number().nullable())
    .describe("Share of the known hours above each of the levels of meta.limits"),
});

const row = z.object({
  month: z.int().min(1).max(12).nullable().describe("Calendar month, UTC; null: all months together"),
  years: z.int().describe("Number of years that have hours in the month"),
  hours: hours("Requested hours"),
  missing_hours: hours(
    "Hours in which a value is missing and no known value is beyond a limit; they belong to no share",
  ),
  within_hours: hours("Hours in which all limits are kept"),
  within_share: known("Share of the hours within limits, among those that are not missing"),
  lowest_share: known("within_share of the worst single month"),
  highest_share: known("within_share of the best single month"),
  windows: z.int().describe("Number of windows that begin in the month"),
  mean_window_hours: known("Mean length of these windows, hours"),
  longest_window_hours: known("Greatest length of these windows, hours"),
  window_hours: hours("Hours of the month that are within windows, whenever these began"),
  window_share: known("Share of the hours within windows, among those that are not missing"),
  mean_wait_hours: known(
    "Mean wait from an hour of the month to the next possible start of an operation, hours; waits that end after the series are left out",
  ),
  longest_wait_hours: known("Longest wait, hours, including waits that end after the series"),
  wait_is_lower_bound: z.boolean().describe("true if the longest wait ends after the series"),
  quantities: z.array(statistics).describe("Quantities in the order of the request"),
});

export type WorkabilityReplyRow = z.infer<typeof row>;

const memberCounts = z.object({
  keep: z.int().describe("How many members are within the limits"),
  break: z.int().describe("How many members are not"),
  not_known: z.int().describe("How many members have no values for a part of it, and are not beyond a limit"),
});

/** Most windows of an answer. */
export const MAX_WINDOWS = 200;

const workabilityMeta = z.object({
  method: z.string().describe("The method as text"),
  limits: z.array(
    z.object({
      quantity: z.enum(workQuantities),
      title: z.string(),
      unit: z.string(),
      max: z.number().nullable(),
      min: z.number().nullable(),
      levels: z.array(z.number()).describe("Levels of the exceedance table, ascending"),
      places_without: z
        .int()
        .describe("Number of places that have no value of the quantity, such as land; they are left out"),
    }),
  ),
  window_hours: z.number(),
  step_hours: z.number(),
  from: z.string(),
  to: z.string().describe("End of the last whole step"),
  places: z.array(z.object({ latitude: z.number(), longitude: z.number() })),
  windows: z
    .array(
      z.object({
        from: z.string(),
        to: z.string(),
        hours: z.number(),
        is_cut: z
          .boolean()
          .describe(
            "true if the window may be longer, because missing data or an end of the series is next to it",
          ),
        members: memberCounts
          .optional()
          .describe(
            "Members of the ensemble during the whole window; absent for windows that begin before now",
          ),
      }),
    )
    .describe(`The first ${MAX_WINDOWS} windows, in the order of time`),
  longest_wait: z
    .object({
      from: z.string(),
      to: z.string(),
      hours: z.number(),
      is_lower_bound: z
        .boolean()
        .describe("true if no operation could begin before the rest of the series was too short for one"),
      missing_hours: z.number().describe("Missing hours of the wait, in which an operation might have begun"),
    })
    .nullable()
    .describe("The longest wait; null if the series is shorter than an operation"),
  ensemble: z
    .object({
      ensemble: z.string(),
      members: z.array(z.int()).describe("Realization numbers of the members, 0 = control"),
      size: z.int().describe("How many members the publisher makes"),
      from: z.string().describe("First step that members are asked about"),
      with_window: memberCounts.describe(
        "How many members have a window of window_hours of their own, at any time from then on",
      ),
      unjudged: z
        .array(z.enum(workQuantities))
        .describe("Quantities with a limit that the ensemble does not have; their limits are left out"),
      caution: z.string().describe("What the counts are not"),
    })
    .optional()
    .describe("The members of the ensemble that the request names; absent if the period ends before now"),
  provenance: z.array(pointMeta.shape.provenance.element.omit({ valid_times: true })),
  knowledge: z.array(z.string()).describe("What the numbers do not know, as English sentences"),
});

export type WorkabilityMeta = z.infer<typeof workabilityMeta>;

/** Answer of POST /workability. */
export const workabilityResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(row).describe("A row for all months together, then one for each requested month"),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: workabilityMeta,
  }),
});
