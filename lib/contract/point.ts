import { z } from "zod";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { parseInstant } from "#lib/time.ts";

/** Most points of one request: above `sync` a task is needed, above `async` several requests. */
export const pointLimits = { sync: 10_000, async: 200_000 } as const;

/** Points of one request of a visitor without a key: the panel asks for 720 where it looks for the nearest sea. */
export const guestPointLimit = 1000;

/** `YYYY-MM-DDThh:mm:ssZ`, an instant that exists. Stays a string, so that it is echoed unchanged. */
export const utcInstant = z
  .string()
  .refine((text) => !Number.isNaN(parseInstant(text)), {
    error: "Input should be a UTC time of the form YYYY-MM-DDThh:mm:ssZ",
    params: { type: "datetime_parsing" },
  })
  .meta({ format: "date-time", example: "2026-01-01T00:00:00Z" });

/** A label: text that any database and any file can store. */
export const taskName = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), {
    error: "Input should be text without NUL or lone surrogates",
    params: { type: "string_unicode" },
  });

const point = z.object({
  latitude: z.number().min(-90).max(90).describe("degrees north"),
  longitude: z.number().min(-180).max(180).describe("degrees east, in the −180..180 convention"),
  timestamp: utcInstant.describe("from 3 years in the past to 10 days in the future"),
});

/** Body of POST /MetOcean and POST /MetOcean/async. */
export const pointRequest = (maxPoints: number) =>
  z.object({
    points: z
      .array(point)
      .min(1)
      .max(maxPoints, { error: tooManyPoints(maxPoints) }),
    variables: z.array(z.enum(variableNames)).min(1),
    wind_height: z.number().min(10).max(100).default(10).describe("metres above the surface"),
    task_name: taskName.optional(),
    receive_mail: z.boolean().default(false).describe("one mail to the owner of the key when the task ends"),
    include_meta: z.boolean().default(false).describe("adds result.meta: where each number comes from"),
  });

function tooManyPoints(max: number): string {
  const instead =
    max < pointLimits.async
      ? `send up to ${pointLimits.async} to /MetOcean/async`
      : "send the rest in another request";
  return `List should have at most ${max} items: ${instead}`;
}

export type PointRequest = z.infer<ReturnType<typeof pointRequest>>;

/** Why values are null. */
export const nullReasons = ["land", "ice", "out_of_archive", "out_of_domain", "missing"] as const;

export type NullReason = (typeof nullReasons)[number];

/** The run that answered some of the points for one variable, and the steps that it answered from. */
const provenance = z.object({
  variable: z.enum(variableNames),
  dataset: z.string(),
  source: z.string(),
  model: z.string(),
  run: z.string().describe("identifier of the immutable run"),
  reference_time: z.string().nullable(),
  age_s: z
    .int()
    .optional()
    .describe(
      "of a forecast: seconds from its base time to now, or to the last time that it answered where that is past",
    ),
  notice: z.string().optional().describe("of a forecast that is old, in words"),
  valid_times: z.array(z.string()).describe("steps that the values are interpolated between"),
  points: z.int().describe("how many points it answered"),
  wind_method: z.enum(["levels", "power_law", "10m"]).optional(),
  wind_height: z.number().optional().describe("height of the wind, metres above the surface"),
  notes: z.array(z.string()).optional(),
});

export const pointMeta = z.object({
  provenance: z.array(provenance),
  nulls: z
    .array(
      z.object({ variable: z.enum(variableNames), reason: z.enum(nullReasons), points: z.array(z.int()) }),
    )
    .describe("points (their positions in the request) without a value, by variable and reason"),
});

export type PointMeta = z.infer<typeof pointMeta>;

/** `conditions` of one point: the fields of the variables asked for. */
export const conditions = z.object(
  Object.fromEntries(
    variableNames.flatMap((name) =>
      variable(name).outputs.map((output) => [
        output.point,
        z.number().nullable().optional().describe(`${output.title}, ${output.unit}`),
      ]),
    ),
  ),
);

const pointResults = z.object({
  results: z.array(
    z.object({
      coordinates: z.object({ latitude: z.number(), longitude: z.number(), timestamp: z.string() }),
      conditions,
    }),
  ),
  execution_time: z.string().meta({ example: "0.123 seconds" }),
  meta: pointMeta.optional(),
});

/** Answer of POST /MetOcean. */
export const pointResponse = z.object({
  task_id: z.array(z.string()).length(1),
  status: z.literal("SUCCESS"),
  result: pointResults,
});

export type PointResponse = z.infer<typeof pointResponse>;

/** Answer to a valid request that failed. */
export const failureResponse = z.object({
  task_id: z.string(),
  status: z.literal("FAILURE"),
  error: z.string(),
});

export type FailureResponse = z.infer<typeof failureResponse>;
