import { z } from "zod";
import { variableNames } from "#lib/catalog/variables.ts";
import { conditions, pointRequest, utcInstant } from "./point.ts";

/** Most points of one request, most runs of one, and how many where none are named: those of a day, each 6 h apart. */
export const pointRunsLimits = { points: 1000, runs: 8, default_runs: 5 } as const;

const { points, variables, wind_height } = pointRequest(pointRunsLimits.points).shape;

/** Body of POST /MetOcean/runs. */
export const pointRunsRequest = z.object({
  points,
  variables,
  wind_height,
  last_runs: z
    .int()
    .min(1)
    .max(pointRunsLimits.runs)
    .default(pointRunsLimits.default_runs)
    .describe("how many runs of each variable, the newest among them"),
  reference_times: z
    .array(utcInstant)
    .min(1)
    .max(pointRunsLimits.runs)
    .optional()
    .describe("base times of the runs, in place of last_runs"),
});

export type PointRunsRequest = z.infer<typeof pointRunsRequest>;

/** The run of a base time that has a variable. */
const runOfVariable = z.object({
  variable: z.enum(variableNames),
  source: z.string(),
  model: z.string(),
  runs: z.array(z.string()).describe("identifiers of the immutable runs: a cycle may be published in parts"),
  points: z.int().describe("how many of the points it reaches"),
  newest_points: z.int().describe("how many of them POST /MetOcean answers from it"),
  notes: z.array(z.string()).optional(),
});

const pointRun = z.object({
  reference_time: z.string().describe("base time of the run, UTC"),
  variables: z.array(runOfVariable),
  results: z
    .array(
      z.object({
        coordinates: z.object({ latitude: z.number(), longitude: z.number(), timestamp: z.string() }),
        conditions,
      }),
    )
    .describe("as of POST /MetOcean, from this run alone; null where it has no value"),
});

/** Why a run, or a variable in all of them, is not in the answer. */
const missingRun = z.object({
  variable: z.enum(variableNames),
  reference_time: z.string().nullable(),
  reason: z.enum(["static", "past", "out_of_archive", "out_of_domain", "not_in_archive", "fewer"]),
  message: z.string().describe("in words"),
});

/** Answer of POST /MetOcean/runs. */
export const pointRunsResponse = z.object({
  task_id: z.string(),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(pointRun).describe("newest first"),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: z.object({ missing: z.array(missingRun) }),
  }),
});

export type PointRunsResponse = z.infer<typeof pointRunsResponse>;
export type PointRun = z.infer<typeof pointRun>;
export type MissingRun = z.infer<typeof missingRun>;
