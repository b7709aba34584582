import { z } from "zod";
import { datasetNames } from "#lib/catalog/datasets.ts";

const axis = z.object({ start: z.number(), step: z.number().positive(), count: z.int().positive() });

/** What one stored field of a run is, as far as it differs from the catalog. */
const storedField = z.object({
  /** Indices into the run's times at which the field has data; all of them where absent. */
  steps: z.array(z.int().nonnegative()).optional(),
  /** What a reader should know of its origin: a fallback parameter, an averaging window. */
  comment: z.string().optional(),
});

/** One published run: immutable, one grid, one time axis. */
export const runSchema = z.object({
  /** Unique for ever: another content has another id. Used in paths and URLs: [A-Za-z0-9._-]. */
  id: z.string().regex(/^[A-Za-z0-9._-]+$/),
  dataset: z.enum(datasetNames),
  /** Which ingest source made it: gfs, gfswave, cmems … */
  source: z.string(),
  /** Model and resolution for people: "GFS 0.25°". */
  model: z.string(),
  /** Base time of the run, Unix seconds. */
  referenceTime: z.int(),
  /** Folder in the store. */
  path: z.string(),
  grid: z.object({ latitude: axis, longitude: axis }),
  /** Valid times, ascending, Unix seconds; one entry, 0, for a fixed field. */
  times: z.array(z.int()),
  /** How long the last step stays valid after its own time, seconds. */
  holds: z.int().nonnegative().optional(),
  /** Strides of the levels of the maps layout against the native grid, 1 first: [1, 2, 4]. */
  levels: z.array(z.int().positive()),
  fields: z.record(z.string(), storedField),
  /** Variables of which map frames were written with the run; those of others are made when they are asked for. */
  frames: z.array(z.string()).optional(),
});

export type Run = z.infer<typeof runSchema>;

/** The archive's table of contents. It alone says what is published. */
export const manifestSchema = z.object({
  version: z.literal(1),
  runs: z.array(runSchema),
  /** All of it is invented: the demo world. */
  synthetic: z.literal(true).optional(),
});

export type Manifest = z.infer<typeof manifestSchema>;
