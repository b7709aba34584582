import { z } from "zod";
import { utcInstant } from "./point.ts";

const axis = z.object({ start: z.number(), step: z.number().positive(), count: z.int().positive() });
const grid = z.object({ latitude: axis, longitude: axis });

/** A run that the map can draw a variable from. */
const drawableRun = z.object({
  dataset: z.string(),
  run: z.string().describe("Identifier of the run, which never changes"),
  source: z.string(),
  model: z.string().describe("Model and resolution, as text"),
  reference_time: utcInstant,
  condensed: z
    .literal(true)
    .optional()
    .describe("The run was made from the shortest lead times of many runs"),
  ensemble: z
    .object({ name: z.string(), members: z.array(z.int()), size: z.int() })
    .optional()
    .describe(
      "The ensemble of a statistic, the realization numbers of the members that its numbers stand on, and how many the publisher makes",
    ),
  rhythm: z
    .object({ every: z.number(), delay: z.number() })
    .optional()
    .describe("Hours between the runs of the source, and hours until a run is complete"),
  from: utcInstant.describe("First time for which this run answers"),
  to: utcInstant.describe("Last time for which this run answers"),
  times: z.array(utcInstant).min(1).describe("Valid times of the steps, ascending"),
  frames: z
    .string()
    .describe(
      "Signed path below which the frames of the run can be read without a key for one to three hours",
    ),
  levels: z
    .array(
      z.object({
        level: z.string(),
        grid,
        chunk: z
          .object({ rows: z.int().positive(), columns: z.int().positive() })
          .describe("Rows and columns of a frame; if a frame is the whole grid, its only chunk is named all"),
      }),
    )
    .min(1)
    .describe("Resolutions, finest first; level n has every n-th row and column of the native grid"),
  planes: z.array(z.object({ name: z.string(), unit: z.string(), scale: z.number(), offset: z.number() })),
});

export type DrawableRun = z.infer<typeof drawableRun>;

const archiveSpan = z.object({ dataset: z.string(), from: utcInstant, to: utcInstant });

/** A span of time without a gap that a calendar would show between runs of a dataset. Both ends are included. */
export type ArchiveSpan = z.infer<typeof archiveSpan>;

/**
 * Answer of GET /2DMetOcean/manifest: the runs that the map can draw.
 *
 * Runs are in order of preference: the first whose `from`..`to` contains an instant answers for it.
 */
export const fieldManifest = z.object({
  variable: z.string(),
  now: utcInstant,
  runs: z.array(drawableRun),
  fixed: z
    .literal(true)
    .optional()
    .describe(
      "The variable does not change with time: the only step of a run, 1970-01-01T00:00:00Z, answers for any time",
    ),
  models: z
    .array(z.object({ name: z.string(), title: z.string().describe("Model and resolution, as text") }))
    .optional()
    .describe("Models that forecast the variable, in order of preference, where there are several"),
  ensembles: z
    .array(
      z.object({
        name: z.string(),
        title: z.string().describe("Model and resolution, as text"),
        members: z.int().describe("Members of the newest run"),
        size: z.int().describe("How many members the publisher makes"),
        keeps_members: z
          .boolean()
          .describe(
            "The members of the variable are kept, as passages and watches need them, and not only statistics",
          ),
        statistics: z.array(z.string()).describe("Statistics of the variable that the map can draw, by name"),
      }),
    )
    .optional()
    .describe("Ensembles that forecast the variable; absent if there are none"),
  awaited: z.literal(true).optional().describe("There are no runs yet, and a feed is fetching the first one"),
  archive: z
    .array(archiveSpan)
    .optional()
    .describe(
      "Present if requested: spans of time for which each dataset has runs; gaps of up to six hours are ignored",
    ),
  synthetic: z.literal(true).optional().describe("The data are invented by the demo world"),
});

export type FieldManifest = z.infer<typeof fieldManifest>;
