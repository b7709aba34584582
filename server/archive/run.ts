import { sameGrid } from "@open-metocean/geo/grid";
import { z } from "zod";
import { datasetNames } from "#lib/catalog/datasets.ts";
import type { SourceOrder } from "#lib/catalog/source-order.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { chunkCodecNames } from "./blosc.ts";

/** The limit is a hundred times the index of a 0.25° forecast. An index is read as a whole. */
const LONGEST_INDEX_BYTES = 2 ** 26;

const shape = z.tuple([z.int().positive(), z.int().positive(), z.int().positive()]);

/**
 * Describes the objects of a run, which a reader must know before it can request a chunk. `archive push` adds this to
 * the manifest of a store, so that the first value at a new place takes two requests, one after the other: index,
 * chunk.
 */
export const runObjectsSchema = z.object({
  /** The points layout: the content of a field's zarr.json, and the range of its packed index in `INDICES`, bytes. */
  points: z.record(
    z.string(),
    z.object({
      shape,
      chunk: shape,
      members: z.object({ count: z.int().positive(), places: z.int().positive() }).optional(),
      codec: z.enum(chunkCodecNames),
      scale: z.number(),
      offset: z.number(),
      index: z.object({ offset: z.int().nonnegative(), length: z.int().positive().max(LONGEST_INDEX_BYTES) }),
    }),
  ),
  /** Bytes of the files of frames, by their keys below the folder of the run: their indices are at the end. */
  frames: z.record(z.string(), z.int().positive()),
});

export type RunObjects = z.infer<typeof runObjectsSchema>;

const axis = z.object({ start: z.number(), step: z.number().positive(), count: z.int().positive() });

/** One stored field of a run, as far as it differs from the catalog. */
const storedField = z.object({
  /** Indices into the run's times at which the field has data; all of them if absent. */
  steps: z.array(z.int().nonnegative()).optional(),
  /** A note on its origin: a fallback parameter, an averaging window. */
  comment: z.string().optional(),
  /** It has the values of each member, in an array (time, realization, latitude, longitude). */
  members: z.literal(true).optional(),
});

/** One published run: immutable, one grid, one time axis. */
export const runSchema = z.object({
  /** Globally unique: different content has a different id. Used in paths and URLs. */
  id: z.string().regex(/^[A-Za-z0-9._-]+$/),
  dataset: z.enum(datasetNames),
  /** Ingest source: gfs, gfswave, cmems … */
  source: z.string(),
  /** Model and resolution for people: "GFS 0.25°". */
  model: z.string(),
  /** The source with which it answers as one model, such as the atmosphere of its waves; added in memory as the rhythm is. */
  system: z.string().optional(),
  /** Base time of the run, Unix seconds. */
  referenceTime: z.int(),
  /** Folder in the store. */
  path: z.string(),
  grid: z.object({
    latitude: axis,
    longitude: axis,
    /** See `Grid`. */
    outline: z
      .array(z.tuple([z.number(), z.number()]).readonly())
      .readonly()
      .optional(),
  }),
  /** Valid times, ascending, Unix seconds; one entry, 0, for static fields. */
  times: z.array(z.int()),
  /** How long the last step stays valid after its own time, seconds. */
  holds: z.int().nonnegative().optional(),
  /**
   * Hours between base times, and hours until a run is complete. Stored for a source of the operator's own; that of a
   * publisher is added in memory.
   */
  rhythm: z.object({ every: z.number(), delay: z.number() }).optional(),
  /** The line that the licence asks for; stored and added as the rhythm is. */
  credit: z.string().optional(),
  /** Strides of the levels of whole steps against the native grid, 1 first: [1, 2, 4]. */
  levels: z.array(z.int().positive()),
  fields: z.record(z.string(), storedField),
  /**
   * Variables whose map frames were written with the run, each with its checksum, and fields whose whole steps were written
   * in the same form; others are made of the points layout on request.
   */
  storedFrames: z.array(z.string()).optional(),
  /**
   * Whole steps are arrays of the maps layout. Only the demo world has it, because it computes each step separately.
   */
  maps: z.literal(true).optional(),
  /** The run is made of the shortest leads of many runs, so it is no single forecast. */
  condensed: z.literal(true).optional(),
  /**
   * Present in a run of an ensemble. Its fields are those of the catalog with members, and statistics of the members (see
   * `statistics` of the catalog) without; a run may lack either.
   */
  ensemble: z
    .object({
      /** CF realization numbers of the members that the numbers stand on, ascending; 0 is the control. */
      members: z.array(z.int().nonnegative()).min(1),
      /** How many members its publisher makes, of which some may be missing or late. */
      size: z.int().positive(),
    })
    .optional(),
  /** Position in `ensemble.members` of the one member that answers, in memory only; see `manifestOfMember`. */
  member: z.int().nonnegative().optional(),
  /** Present in the manifest of a store that is read over a network. */
  objects: runObjectsSchema.optional(),
  /** The numbers are invented, not a forecast. */
  provenance: z.literal("synthetic").optional(),
});

export type Run = z.infer<typeof runSchema>;

/** The archive's table of contents: what it names is published, and nothing else. */
export const manifestSchema = z.object({
  version: z.literal(1),
  /** Present in an archive that is read over a network; it grows with each change. */
  revision: z.int().nonnegative().optional(),
  /** Present in a pushed copy: the id of the archive that was copied. */
  origin: z.string().optional(),
  runs: z.array(runSchema),
  /** Folders of runs that were replaced, and when (Unix seconds). See `sweep`. */
  replaced: z.array(z.object({ path: z.string(), at: z.number() })).optional(),
});

export type Manifest = z.infer<typeof manifestSchema> & {
  /** Preference among several sources that answer, in memory only; without it the newest run answers. */
  sourceOrder?: SourceOrder;
  /** Earlier forecasts, which answer only requests for their own base time; in memory only. They are not in `runs`. */
  earlier?: Run[];
  /** Runs of ensembles, which answer only requests for an ensemble; in memory only. They are not in `runs`. */
  ensembles?: EnsembleRun[];
};

/** A run of an ensemble. */
export type EnsembleRun = Run & Required<Pick<Run, "ensemble">>;

export const isEnsemble = (run: Run): run is EnsembleRun => run.ensemble !== undefined;

/** Whether the runs of a manifest are synthetic. A manifest never mixes real and synthetic runs, so the first one tells. */
export function isSynthetic({ runs }: Manifest): boolean {
  return runs[0]?.provenance === "synthetic";
}

/** Indices into a run's times at which all these fields have data; undefined if the run lacks one of them. */
export function stepsWith(
  run: Pick<Run, "times" | "fields">,
  names: readonly StoredName[],
): number[] | undefined {
  let steps = run.times.map((_, index) => index);
  for (const name of names) {
    const stored = run.fields[name];
    if (!stored) return undefined;
    const has = stored.steps && new Set(stored.steps);
    if (has) steps = steps.filter((step) => has.has(step));
  }
  return steps;
}

/** The part of an id that is derived from the content. A damaged run is succeeded by `-2`, so that no reader mixes both. */
export function contentOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

/** The id of another run with the same content. */
export function nextOf(id: string): string {
  return `${contentOf(id)}-${Number(/-(\d+)$/.exec(id)?.[1] ?? 1) + 1}`;
}

/**
 * Whether a run replaces another of its dataset, source, reference time and grid: one that begins with the same step, or
 * whose steps lie within its own span.
 *
 * A run of an ensemble replaces another one of its cycle as well: it has members that were late.
 *
 * A cycle that still grows is a sequence of runs, each of which begins with the last step of the one before: its segments.
 * A longer form of a segment replaces the shorter one, the whole cycle replaces all of them, and two segments, which share
 * one step, leave each other alone.
 */
export function replaces(run: Run, other: Run): boolean {
  if (run.dataset !== other.dataset || run.source !== other.source) return false;
  if (isEnsemble(run) !== isEnsemble(other)) return false;
  if (run.referenceTime !== other.referenceTime || !sameGrid(run.grid, other.grid)) return false;
  return other.times[0] === run.times[0] || (other.times[0]! > run.times[0]! && lastOf(other) <= lastOf(run));
}

function lastOf({ times }: Run): number {
  return times[times.length - 1]!;
}
