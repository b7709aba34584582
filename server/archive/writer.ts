import { createHash, randomUUID } from "node:crypto";
import { mkdir, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import { coordinates } from "@open-metocean/geo/grid";
import { type EnsembleQuantity, statistics } from "#lib/catalog/ensemble.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import type { StoredName } from "#lib/catalog/stored-names.ts";
import { statisticsOfSteps } from "#lib/ensemble/step-statistics.ts";
import { formatInstant } from "#lib/time.ts";
import { writeSynced } from "#server/platform/files.ts";
import {
  type FieldBeingWritten,
  layoutOf,
  openField,
  type PackingCounts,
  type WrittenField,
  writeFieldTo,
} from "./field-writer.ts";
import { beginInFolder, type Publication, RUNS, STAGING, type WriterOptions } from "./folder-publication.ts";
import { writeFrames } from "./frame-writer.ts";
import { mapLevels } from "./layout.ts";
import { type Run, runSchema } from "./run.ts";
import { coordinateArrays, groupMetadata, pointsGroup } from "./zarr-metadata.ts";

/** Description of a run before anything is written. */
export type NewRun = Omit<Run, "id" | "path" | "levels" | "fields" | "storedFrames">;

/** Begins a run in the archive of a folder, which is created if absent. One writer at a time. */
export async function beginRun(root: string, run: NewRun, options: WriterOptions = {}): Promise<RunWriter> {
  return beginWriting(root, run, await beginInFolder(root, options));
}

/** @param root The run is written in a folder below this one; its disk has one run being written at a time. */
export async function beginWriting(root: string, run: NewRun, publication: Publication): Promise<RunWriter> {
  try {
    const writer = new RunWriter(root, run, publication);
    await writer.makeFolder();
    return writer;
  } catch (error) {
    await publication.end();
    throw error;
  }
}

/** `steps`: indices into the run's times to read; all of them if absent. */
interface FieldAttributes {
  steps?: number[] | undefined;
  comment?: string | undefined;
}

type ReadStep = (timeIndex: number) => Promise<Float32Array | undefined>;

/** A run being written. Readers see no part of the run before it is published. */
export class RunWriter {
  private readonly run: NewRun;
  private readonly publication: Publication;
  private readonly levels: number[];
  private readonly folder: string;
  private readonly written = new Map<StoredName, WrittenField & { comment?: string; members?: true }>();
  private frames: string[] | undefined;
  private ended = false;

  constructor(root: string, run: NewRun, publication: Publication) {
    this.run = run;
    this.publication = publication;
    this.levels = mapLevels(run.grid);
    this.folder = join(root, STAGING, randomUUID());
  }

  async makeFolder(): Promise<void> {
    await mkdir(join(this.folder, pointsGroup), { recursive: true });
  }

  /**
   * Writes one field, or a statistic of an ensemble. Needs memory for a block of steps (160 MB at most), never for the run.
   *
   * A field that fails leaves nothing behind, and the run can continue without it; an abort ends the run.
   *
   * @param readStep Called once for each step, in order. Values in the catalog's unit, (rows, columns), south to north,
   *   NaN = missing; undefined if the step has no data at all. The array may be reused for the next step.
   * @returns How many values were stored, missing, or missing because they are outside int16.
   */
  async writeField(
    name: StoredName,
    attributes: FieldAttributes,
    readStep: ReadStep,
    signal?: AbortSignal,
  ): Promise<PackingCounts> {
    return this.write(name, attributes, readStep, signal);
  }

  /**
   * Writes the values that each member of an ensemble has of a field, as `writeField` does otherwise. Needs memory for the
   * int16 of two steps of all members.
   *
   * @param readStep As that of `writeField`; (members, rows, columns), in the order of `ensemble.members` of the run.
   */
  async writeMembers(
    name: FieldName,
    attributes: FieldAttributes,
    readStep: ReadStep,
    signal?: AbortSignal,
  ): Promise<PackingCounts> {
    const { ensemble } = this.run;
    if (!ensemble) throw new RangeError(`${name}: a run that is of no ensemble has no members`);
    return this.write(name, attributes, readStep, signal, ensemble.members.length);
  }

  /**
   * Writes the statistics of the members of an ensemble for a quantity. Needs memory for a block of steps of all of them
   * (160 MB at most), and what `statisticsOfSteps` needs.
   *
   * @param readStep As that of `writeField`; (members, rows, columns), in any order of members, which all steps have. NaN =
   *   the member has no value.
   * @returns The names of what was written. A statistic that no step has is left out, as shares within a span longer than
   *   the run.
   */
  async writeStatistics(
    quantity: EnsembleQuantity,
    attributes: FieldAttributes,
    readStep: ReadStep,
    signal?: AbortSignal,
  ): Promise<StoredName[]> {
    const { ensemble, grid, times } = this.run;
    if (!ensemble) throw new RangeError(`${quantity.name}: a run that is of no ensemble has no statistics`);
    const { steps = [...times.keys()], comment } = attributes;
    const nodes = grid.latitude.count * grid.longitude.count;
    const wanted = statistics.filter((statistic) => statistic.quantity === quantity);
    const layout = layoutOf(grid, times.length, undefined, wanted.length);
    const target = { folder: this.folder, layout };
    const computing = statisticsOfSteps(wanted, times, ensemble.members.length, nodes);
    const opened = new Map<StoredName, FieldBeingWritten>();
    try {
      for (const { name } of wanted) opened.set(name, await openField(target, name, comment));
      for (const time of times.keys()) {
        signal?.throwIfAborted();
        const members = steps.includes(time) ? await readStep(time) : undefined;
        for (const { statistic, step, values } of computing.add(members))
          await opened.get(statistic.name)!.add(step, values);
      }
      signal?.throwIfAborted();
      const ended = new Map<StoredName, WrittenField>();
      for (const [name, field] of opened) {
        const written = await field.end();
        if (written.steps.length > 0) ended.set(name, written);
        else await field.abandon();
      }
      for (const [name, written] of ended) this.written.set(name, { ...written, comment });
      return [...ended.keys()];
    } catch (error) {
      for (const field of opened.values()) await field.abandon();
      if (signal?.aborted) await this.abandon();
      throw error;
    }
  }

  private async write(
    name: StoredName,
    attributes: FieldAttributes,
    readStep: ReadStep,
    signal: AbortSignal | undefined,
    members?: number,
  ): Promise<PackingCounts> {
    try {
      const { grid, times } = this.run;
      const target = { folder: this.folder, layout: layoutOf(grid, times.length, members) };
      const written = await writeFieldTo(target, name, attributes, readStep, signal);
      this.written.set(name, {
        ...written,
        comment: attributes.comment,
        ...(members !== undefined && { members: true }),
      });
      return written.counts;
    } catch (error) {
      if (signal?.aborted) await this.abandon();
      throw error;
    }
  }

  /** Writes the whole steps of the fields that were written, as map frames: see `writeFrames`. */
  async writeFrames(signal?: AbortSignal): Promise<void> {
    try {
      const staged = { ...this.describe(), path: basename(this.folder) };
      this.frames = await writeFrames(dirname(this.folder), staged, signal);
    } catch (error) {
      await this.abandon();
      throw error;
    }
  }

  /** See `Publication.publish`. */
  async publish(signal?: AbortSignal): Promise<Run> {
    try {
      await this.writeGroup();
      return await this.publication.publish(this.folder, this.describe(), signal);
    } finally {
      await this.abandon();
    }
  }

  /** Removes the files of the run. Does nothing after the run has ended. */
  async abandon(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await rm(this.folder, { recursive: true, force: true });
    await this.publication.end();
  }

  /** The run as it will be in the manifest; its id is derived from its entire content. */
  private describe(): Run {
    const { dataset, source, referenceTime, times } = this.run;
    const hash = createHash("sha256").update(JSON.stringify([this.run, this.levels]));
    const fields: Run["fields"] = {};
    for (const name of [...this.written.keys()].sort()) {
      const { steps, comment, members, file, metadata } = this.written.get(name)!;
      fields[name] = {
        ...(steps.length === times.length ? {} : { steps }),
        ...(comment === undefined ? {} : { comment }),
        ...(members && { members }),
      };
      hash.update(JSON.stringify([name, fields[name], file, metadata]));
    }
    const hour = formatInstant(referenceTime).replace(/[-:]/g, "").slice(0, 11);
    const id = `${dataset}.${source}.${hour}Z.${hash.digest("hex").slice(0, 16)}`;
    const { frames: storedFrames, levels } = this;
    return runSchema.parse({ ...this.run, id, path: `${RUNS}/${id}`, levels, fields, storedFrames });
  }

  /** Coordinates and group metadata. */
  private async writeGroup(): Promise<void> {
    const group = join(this.folder, pointsGroup);
    const arrays: Record<string, object> = {};
    const { latitude, longitude } = this.run.grid;
    const axes = coordinateArrays(
      this.run.times,
      coordinates(latitude),
      coordinates(longitude),
      [...this.written.values()].some(({ members }) => members) ? this.run.ensemble?.members : undefined,
    );
    for (const { name, metadata, values } of axes) {
      await mkdir(join(group, name, "c"), { recursive: true });
      await writeSynced(join(group, name, "c", "0"), values);
      await writeSynced(join(group, name, "zarr.json"), JSON.stringify(metadata));
      arrays[name] = metadata;
    }
    for (const [name, { metadata }] of this.written) arrays[name] = metadata;
    await writeSynced(join(group, "zarr.json"), JSON.stringify(groupMetadata(this.run, arrays)));
  }
}
