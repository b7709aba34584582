import { z } from "zod";
import { BEST, MAX_MODELS, MODEL_NAME } from "#lib/catalog/source-order.ts";
import { type VariableName, variable, variableNames } from "#lib/catalog/variables.ts";
import { readDecimal } from "#lib/decimal.ts";
import { parseInstant } from "#lib/time.ts";
import { formatNames } from "./media-types.ts";

/** Most points of one request: above `sync` it must be a task, above `async` it must be split. */
export const pointLimits = { sync: 10_000, async: 200_000 } as const;

/**
 * Most points of one request of a visitor without a key, each counted once for each model: the panel asks for the
 * up to 265 hours of its chart from up to eight models, and for 720 places when it looks for the nearest sea.
 */
export const guestPointLimit = 2200;

/**
 * `YYYY-MM-DDThh:mm:ssZ`, an instant that exists. It stays a string so that the answer can repeat it
 * unchanged.
 */
export const utcInstant = z
  .string()
  .refine((text) => !Number.isNaN(parseInstant(text)), {
    error: "Input should be a UTC time of the form YYYY-MM-DDThh:mm:ssZ",
    params: { type: "datetime_parsing" },
  })
  .meta({ format: "date-time", example: "2026-01-01T00:00:00Z" });

/** A label: text that every database and file format can store. */
export const taskName = z
  .string()
  .max(200)
  .refine((text) => !text.includes("\0") && text.isWellFormed(), {
    error: "Input should be text without NUL or lone surrogates",
    params: { type: "string_unicode" },
  });

/** Fields of a request that can be a task. */
export const taskOptions = {
  async: z.boolean().default(false).describe("true makes a task, whose result is at /task/{task_id}"),
  task_name: taskName.optional(),
  receive_mail: z
    .boolean()
    .default(false)
    .describe("true sends one e-mail to the owner of the key when the task ends"),
};

export const latitude = z.number().min(-90).max(90).describe("Degrees north");
export const longitude = z.number().min(-180).max(180).describe("Degrees east, from −180 to 180");

const point = z.object({
  latitude,
  longitude,
  timestamp: utcInstant.describe("UTC, from 3 years in the past to 10 days in the future"),
});

export const modelName = z.string().regex(MODEL_NAME, {
  error: "Input should be the name of a model: letters, digits, '-', '_' and '.'",
});

/** The models of a request that is answered by each of them. */
export const modelNames = z.array(modelName).min(1).max(MAX_MODELS);

const aboutModels =
  "Names of models, such as gfs: each answers the whole request alone, and its values are null where it has none. best takes each " +
  "value from the source that stands first for its variable, as an answer without models does";

/** Models of a request. */
export const modelList = modelNames.optional().describe(aboutModels);

/** Body of POST /MetOcean and POST /MetOcean/async. */
export const pointRequest = (maxPoints: number) =>
  z.object({
    points: z
      .array(point)
      .min(1)
      .max(maxPoints, { error: tooManyPoints(maxPoints) }),
    variables: z.array(z.enum(variableNames)).min(1),
    wind_height: z
      .number()
      .min(10)
      .max(100)
      .default(10)
      .describe("Height of the wind, metres above the surface"),
    models: modelList,
    task_name: taskName.optional(),
    receive_mail: z
      .boolean()
      .default(false)
      .describe("true sends one e-mail to the owner of the key when the task ends"),
    include_meta: z
      .boolean()
      .default(false)
      .describe("true adds result.meta, which states the source of each number"),
  });

function tooManyPoints(max: number): string {
  const instead =
    max === pointLimits.sync
      ? `send up to ${pointLimits.async} to /MetOcean/async`
      : "send the rest in another request";
  return `List should have at most ${max} items: ${instead}`;
}

export type PointRequest = z.infer<ReturnType<typeof pointRequest>>;

/** Number of results of a request: one for each point, and for each model that it names. */
export function resultCount({
  points,
  models = [],
}: Pick<PointRequest, "models"> & { points: { length: number } }): number {
  return points.length * Math.max(1, new Set(models).size);
}

/** Reasons why values are null. */
const nullReasons = ["land", "ice", "out_of_archive", "out_of_domain", "missing"] as const;

export type NullReason = (typeof nullReasons)[number];

/** The run that answered some of the points for one variable, and the steps used. */
const provenance = z.object({
  variable: z.enum(variableNames),
  dataset: z.string(),
  source: z.string(),
  model: z.string(),
  run: z.string().describe("Identifier of the run, which never changes"),
  reference_time: z.string().nullable(),
  age_s: z
    .int()
    .optional()
    .describe(
      "Age of a forecast: seconds from its base time to now, or to the last time that it answered if that is past",
    ),
  notice: z
    .string()
    .optional()
    .describe("Notice that the forecast is old, as text; absent for other forecasts"),
  valid_times: z.array(z.string()).describe("Times of the steps between which the values are interpolated"),
  points: z.int().describe("Number of points that the run answered"),
  answer: z
    .string()
    .optional()
    .describe("Model of the request that the run answers for; absent where none is named"),
  grid_step: z
    .number()
    .optional()
    .describe("Step of the run's grid, degrees; present where models are named"),
  step_h: z
    .number()
    .optional()
    .describe("Hours between the steps of the run at the requested times; present where models are named"),
  credit: z.string().optional().describe("Attribution that the licence of the data asks for"),
  wind_method: z.enum(["levels", "power_law", "10m"]).optional(),
  wind_height: z.number().optional().describe("Height of the wind, metres above the surface"),
  notes: z.array(z.string()).optional(),
});

/**
 * A tidal stream station farther away than this says nothing about a place, because the stream beyond the
 * next headland is different. Kilometres.
 */
export const NEAR_STREAM_KM = 10;

export const pointMeta = z.object({
  provenance: z.array(provenance),
  nulls: z
    .array(
      z.object({ variable: z.enum(variableNames), reason: z.enum(nullReasons), points: z.array(z.int()) }),
    )
    .describe(
      "Points without a value, by variable and reason; a point is its position in the request, from 0",
    ),
  streams: z
    .array(z.object({ station: z.string(), points: z.array(z.int()) }))
    .optional()
    .describe(
      `Tidal stream stations (GET /tides/{station}) within ${NEAR_STREAM_KM} km along a great circle of points whose current was requested. The current in conditions is that of a model`,
    ),
});

export type PointMeta = z.infer<typeof pointMeta>;

/** `conditions` of one point: the fields of the requested variables. */
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
  results: z
    .array(
      z.object({
        coordinates: z.object({
          latitude: z.number(),
          longitude: z.number(),
          timestamp: z.string(),
          model: z.string().optional().describe("Model of the request; absent where none is named"),
        }),
        conditions,
      }),
    )
    .describe(
      "In the order of the points; with several models all points of the first model, then of the next",
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

/**
 * Most points and most runs of one request, and the number of runs when none are named: those of one day, 6 h
 * apart.
 */
export const pointRunsLimits = { points: 1000, runs: 8, default_runs: 5 } as const;

const { points, variables, wind_height } = pointRequest(pointRunsLimits.points).shape;

/** Body of POST /MetOcean/runs. */
export const pointRunsRequest = z.object({
  points,
  variables,
  wind_height,
  model: modelName
    .optional()
    .describe(
      "Name of the model whose runs answer, such as gfs; by default those of the source that answers now",
    ),
  last_runs: z
    .int()
    .min(1)
    .max(pointRunsLimits.runs)
    .default(pointRunsLimits.default_runs)
    .describe("Number of runs of each variable, including the newest"),
  reference_times: z
    .array(utcInstant)
    .min(1)
    .max(pointRunsLimits.runs)
    .optional()
    .describe("Base times of the runs, instead of last_runs"),
});

export type PointRunsRequest = z.infer<typeof pointRunsRequest>;

/** The run with a given base time that has a variable. */
const runOfVariable = z.object({
  variable: z.enum(variableNames),
  source: z.string(),
  model: z.string(),
  runs: z.array(z.string()).describe("Identifiers of the runs; a cycle may be published as several runs"),
  points: z.int().describe("Number of points that the run covers"),
  newest_points: z.int().describe("Number of these points that POST /MetOcean answers from this run"),
  notes: z.array(z.string()).optional(),
});

const pointRun = z.object({
  reference_time: z.string().describe("Base time of the run, UTC"),
  variables: z.array(runOfVariable),
  results: z
    .array(
      z.object({
        coordinates: z.object({ latitude: z.number(), longitude: z.number(), timestamp: z.string() }),
        conditions,
      }),
    )
    .describe("Results in the form of POST /MetOcean, from this run alone; null where it has no value"),
});

/** Why a run, or one variable in all runs, is not in the answer. */
const missingRun = z.object({
  variable: z.enum(variableNames),
  reference_time: z.string().nullable(),
  reason: z.enum(["static", "past", "out_of_archive", "out_of_domain", "not_in_archive", "fewer"]),
  message: z.string().describe("The reason as an English sentence"),
});

/** Answer of POST /MetOcean/runs. */
export const pointRunsResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(pointRun).describe("Runs, newest first"),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: z.object({ missing: z.array(missingRun) }),
  }),
});

export type PointRunsResponse = z.infer<typeof pointRunsResponse>;
export type PointRun = z.infer<typeof pointRun>;
export type MissingRun = z.infer<typeof missingRun>;

/** Variables of GET /point when the query names none. */
export const everydayVariables = [
  "wind",
  "gust",
  "wave",
  "current",
  "pressure",
  "temp",
] as const satisfies readonly VariableName[];

/** Media type of a summary in plain words, available for a single place only. */
export const PLAIN_WORDS = "text/plain";

const { json, csv, ndjson, arrow, netcdf, geojson, xlsx } = formatNames;

/** Names that `f` uses for the formats of one place. */
export const pointFormatNames = {
  json,
  csv,
  text: PLAIN_WORDS,
  ndjson,
  arrow,
  netcdf,
  geojson,
  xlsx,
} as const;

type FormatName = keyof typeof pointFormatNames;

/** A number in a query. @param example Shown in the API reference. */
export const decimal = (min: number, max: number, example: number) =>
  z
    .string()
    .transform((text, context) => {
      const number = readDecimal(text);
      if (!Number.isNaN(number)) return number;
      context.addIssue({
        code: "custom",
        message: "Input should be a valid number",
        params: { type: "float_parsing" },
      });
      return z.NEVER;
    })
    .pipe(z.number().min(min).max(max))
    .meta({ type: "number", minimum: min, maximum: max, example });

const names = z
  .string()
  .transform((text) => text.split(",").map((name) => name.trim()))
  .pipe(z.array(z.enum(variableNames)).min(1))
  .meta({ type: "string", example: "wind,gust" });

/** Query of GET /point. */
export const pointQuery = z.object({
  lat: decimal(-90, 90, 48.5).describe("Degrees north"),
  lon: decimal(-180, 180, -5.2).describe("Degrees east, from −180 to 180"),
  time: utcInstant
    .optional()
    .describe(
      "UTC, from 3 years in the past to 10 days in the future; default: the full hour nearest to now",
    ),
  variables: names
    .default([...everydayVariables])
    .describe(`Names of variables, separated by commas; default: ${everydayVariables.join(",")}`),
  wind_height: decimal(10, 100, 10).default(10).describe("Height of the wind, metres above the surface"),
  models: z
    .string()
    .transform((text) => text.split(",").map((name) => name.trim()))
    .pipe(modelNames)
    .optional()
    .meta({ type: "string", example: BEST })
    .describe(`Separated by commas. ${aboutModels}`),
  f: z
    .enum(Object.keys(pointFormatNames) as [FormatName, ...FormatName[]])
    .optional()
    .describe(
      "Format of the answer; takes precedence over the header Accept. text is one line of plain English",
    ),
});

/** A number that arrives as the text of a query. */
export const queryNumber = <Schema extends z.ZodType<unknown, number>>(schema: Schema) =>
  z.preprocess((text) => (typeof text === "string" ? readDecimal(text) : text), schema);
