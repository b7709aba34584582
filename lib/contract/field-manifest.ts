import { z } from "zod";
import { utcInstant } from "./point.ts";

const axis = z.object({ start: z.number(), step: z.number().positive(), count: z.int().positive() });
const grid = z.object({ latitude: axis, longitude: axis });

/** A run that the map can draw a variable from. */
const drawableRun = z.object({
  dataset: z.string(),
  run: z.string().describe("identifier of the immutable run"),
  source: z.string(),
  model: z.string().describe("model and resolution, for people"),
  reference_time: utcInstant,
  condensed: z.literal(true).optional().describe("it is made of the shortest leads of many runs"),
  rhythm: z
    .object({ every: z.number(), delay: z.number() })
    .optional()
    .describe("hours between runs of its source, and until one is whole"),
  from: utcInstant.describe("first instant that this run answers for"),
  to: utcInstant.describe("last instant that this run answers for"),
  times: z.array(utcInstant).min(1).describe("valid times of its steps, ascending"),
  frames: z.string().describe("path below which its frames are, for whoever has it, for some hours"),
  levels: z
    .array(
      z.object({
        level: z.string(),
        grid,
        chunk: z
          .object({ rows: z.int().positive(), columns: z.int().positive() })
          .describe("nodes of a frame; where that is the whole grid, its one chunk is called all"),
      }),
    )
    .min(1)
    .describe("resolutions, finest first; the level is the stride against the native grid"),
  planes: z.array(z.object({ name: z.string(), unit: z.string(), scale: z.number(), offset: z.number() })),
});

export type DrawableRun = z.infer<typeof drawableRun>;

const archiveSpan = z.object({ dataset: z.string(), from: utcInstant, to: utcInstant });

/** A span of time, both ends included, without a gap between runs of a dataset that a calendar would show. */
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
      "it does not change with time: the one step of a run, 1970-01-01T00:00:00Z, answers at any instant",
    ),
  awaited: z
    .literal(true)
    .optional()
    .describe("there are no runs yet: a feed that is on fetches the first one"),
  archive: z
    .array(archiveSpan)
    .optional()
    .describe(
      "on request: spans of time that each dataset has runs for, whatever the clock; gaps of up to six hours are left out",
    ),
  synthetic: z.literal(true).optional().describe("invented by the demo world"),
});

export type FieldManifest = z.infer<typeof fieldManifest>;
