import { z } from "zod";
import { storedPercentiles } from "#lib/catalog/ensemble.ts";
import { variable, variableNames } from "#lib/catalog/variables.ts";
import { modelName, pointRequest } from "./point.ts";

/** Most points of one request, percentiles, and thresholds. */
export const ensembleLimits = { points: 1000, percentiles: 20, thresholds: 20 } as const;

/** Names of response fields that are numbers of which members can be more or less: all but directions. */
export const countedOutputs = variableNames.flatMap((name) =>
  variable(name).outputs.flatMap(({ is, point }) => (is === "value" || is === "speed" ? [point] : [])),
) as [string, ...string[]];

const { points, variables, wind_height } = pointRequest(ensembleLimits.points).shape;

export const ensembleThreshold = z.object({
  output: z.enum(countedOutputs).describe("Response field, such as Winds_10m_Intensity"),
  over: z.number().describe("Members are counted whose value is greater, in the unit of the field"),
});

/** Name of an ensemble in requests. */
export const ensembleName = modelName
  .optional()
  .describe("Name of an ensemble, such as gefs; default: the first that has all requested variables");

const percentiles = z
  .array(z.number().min(0).max(100))
  .max(ensembleLimits.percentiles)
  .describe("Percentiles of the members, linear between them (numpy's default, type 7)");

const thresholds = z
  .array(ensembleThreshold)
  .max(ensembleLimits.thresholds)
  .default([])
  .describe("Limits for which members are counted");

/** Statistics of a box that need no number of their own. */
const boxStatistics = ["members", "control", "mean", "spread"] as const;

/** The statistics that a box asks of an ensemble. */
export const boxEnsemble = z
  .object({
    name: ensembleName,
    statistics: z
      .array(z.enum(boxStatistics))
      .default(["members", "mean", "spread"])
      .describe(
        "Statistics, each a field such as Winds_10m_Intensity_mean; members is how many members have a value",
      ),
    percentiles: percentiles.default([]),
    thresholds,
    members: z
      .boolean()
      .default(false)
      .describe(
        "true answers with each member in place of statistics: results has one for each, which coordinates.member names",
      ),
  })
  .describe("Answers from an ensemble, with statistics of its members or with the members");

export type BoxEnsemble = z.infer<typeof boxEnsemble>;

/** Body of POST /MetOcean/ensemble. */
export const ensembleRequest = z.object({
  points,
  variables,
  wind_height,
  ensemble: ensembleName,
  percentiles: percentiles.default([...storedPercentiles]),
  thresholds,
  members: z
    .boolean()
    .default(false)
    .describe("true adds the value of each member, in the order of meta.members"),
});

/**
 * Most points of one request of a visitor without a key: the up to 265 hours of the chart of the panel.
 */
export const guestEnsemblePoints = 265;

export type EnsembleRequest = z.infer<typeof ensembleRequest>;

const number = z.number().nullable();

/** Distribution of one response field at one point. */
export const distribution = z.object({
  members: z.int().describe("How many members the numbers stand on: those that have a value here"),
  control: number.describe(
    "Value of the control, the member that starts from the unperturbed analysis; null if the run has no control, or no members",
  ),
  mean: number.describe("Mean of the members; of a direction the direction of their mean vector"),
  spread: number.optional().describe("Standard deviation of the members (n − 1); directions have none"),
  percentiles: z
    .array(number)
    .optional()
    .describe("In the order of the request; null if the run keeps no members and not this percentile"),
  over: z
    .array(
      z.object({
        over: z.number(),
        members: z.int().nullable().describe("How many members are greater"),
        percent: number.describe("The share of members, not a calibrated probability"),
      }),
    )
    .optional()
    .describe("For each threshold of this field, in the order of the request"),
  values: z.array(number).optional().describe("Value of each member, in the order of meta.members"),
});

export type Distribution = z.infer<typeof distribution>;

/** The run of an ensemble that answered some points for a variable. */
export const ensembleProvenance = z.object({
  variable: z.enum(variableNames),
  ensemble: z.string(),
  source: z.string(),
  model: z.string(),
  run: z.string().describe("Identifier of the run, which never changes"),
  reference_time: z.string(),
  age_s: z.int(),
  notice: z.string().optional().describe("Notice that the forecast is old, as text"),
  members: z.array(z.int()).describe("Realization numbers of the members of the run, 0 = control"),
  size: z.int().describe("How many members the publisher makes; fewer are here if some are missing or late"),
  from: z
    .enum(["members", "statistics"])
    .describe(
      "members: the numbers are computed from members at the place and time; statistics: stored statistics of the " +
        "nodes around are interpolated, because the run keeps no members",
    ),
  valid_times: z.array(z.string()).describe("Times of the steps between which the values are interpolated"),
  points: z.int().describe("Number of points that the run answered"),
  grid_step: z.number().describe("Step of the run's grid, degrees"),
  step_h: z.number().describe("Hours between the steps of the run at the requested times"),
  wind_method: z.enum(["levels", "power_law", "10m"]).optional(),
  wind_height: z.number().optional().describe("Height of the wind, metres above the surface"),
  credit: z.string().optional().describe("Attribution that the licence of the data asks for"),
  notes: z.array(z.string()).optional(),
});

/** Answer of POST /MetOcean/ensemble. */
export const ensembleResponse = z.object({
  task_id: z.array(z.string()).length(1),
  status: z.literal("SUCCESS"),
  result: z.object({
    results: z.array(
      z.object({
        coordinates: z.object({ latitude: z.number(), longitude: z.number(), timestamp: z.string() }),
        conditions: z
          .record(z.string(), distribution.nullable())
          .describe("By response field; null where the ensemble has no value"),
      }),
    ),
    execution_time: z.string().meta({ example: "0.123 seconds" }),
    meta: z.object({
      ensembles: z.array(ensembleProvenance),
      members: z
        .array(z.int())
        .describe("Realization numbers of the members of all these runs, ascending: the order of values"),
      nulls: z
        .array(
          z.object({
            variable: z.enum(variableNames),
            reason: z.enum(["out_of_archive", "out_of_domain", "missing"]),
            points: z.array(z.int()),
          }),
        )
        .describe("Points for which no member has a value, by variable and reason, from 0"),
      caution: z
        .string()
        .describe("What the numbers are not: shares of raw members are not calibrated probabilities"),
      synthetic: z.literal(true).optional().describe("The data are invented by the demo world"),
    }),
  }),
});

export type EnsembleResponse = z.infer<typeof ensembleResponse>;
