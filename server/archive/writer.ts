import { createHash, randomUUID } from "node:crypto";
import { mkdir, rename, rm } from "node:fs/promises";
import { basename, dirname, join } from "node:path";
import type { FieldName } from "#lib/catalog/fields.ts";
import { coordinates, strided } from "#lib/field/grid.ts";
import { formatInstant } from "#lib/time.ts";
import { type Clock, realClock } from "#server/platform/clock.ts";
import { holdsSameFiles, makeFolder, syncFolder, syncTree, writeSynced } from "#server/platform/files.ts";
import { type ArrayForms, groupsOf, hasMaps, type WrittenField, writeFieldTo } from "./field-writer.ts";
import { writeFrames } from "./frame-writer.ts";
import { mapLevels } from "./layout.ts";
import { readManifest, writeManifest } from "./manifest.ts";
import type { PackingCounts } from "./packing.ts";
import { replaces } from "./replaces.ts";
import { type Manifest, type Run, runSchema } from "./run.ts";
import { RUNS, STAGING, sweep, withinGrace } from "./sweep.ts";
import { lockForWriting, type WriterLock } from "./writer-lock.ts";
import { coordinateArrays, groupMetadata, mapsGroup } from "./zarr-metadata.ts";

/** Description of a run before anything is written. */
export type NewRun = Omit<Run, "id" | "path" | "levels" | "fields" | "storedFrames">;

export interface WriterOptions {
  /** Waits for another writer to end instead of throwing `ArchiveBusyError`. */
  wait?: boolean;
  /** Aborts the wait. */
  signal?: AbortSignal;
  forms?: ArrayForms;
  clock?: Clock;
}

/** Begins a run in the archive of a folder, which is created if absent. One writer at a time. */
export async function beginRun(root: string, run: NewRun, options: WriterOptions = {}): Promise<RunWriter> {
  await makeFolder(root);
  const lock = await lockForWriting(root, options.wait ?? false, options.signal);
  try {
    const { clock = realClock } = options;
    await sweep(root, await readManifest(root), clock.now());
    const writer = new RunWriter(root, run, lock, clock, options.forms);
    await writer.makeFolders();
    return writer;
  } catch (error) {
    await lock.release();
    throw error;
  }
}

/** A run being written. Readers see nothing of it before it is published. */
export class RunWriter {
  private readonly root: string;
  private readonly run: NewRun;
  private readonly lock: WriterLock;
  private readonly clock: Clock;
  private readonly forms: ArrayForms | undefined;
  private readonly levels: number[];
  private readonly folder: string;
  private readonly written = new Map<FieldName, WrittenField & { comment?: string }>();
  private frames: string[] | undefined;
  private ended = false;

  constructor(root: string, run: NewRun, lock: WriterLock, clock: Clock, forms?: ArrayForms) {
    this.root = root;
    this.run = run;
    this.lock = lock;
    this.clock = clock;
    this.forms = forms;
    this.levels = mapLevels(run.grid);
    this.folder = join(root, STAGING, randomUUID());
  }

  async makeFolders(): Promise<void> {
    for (const group of groupsOf(this.levels, this.forms))
      await mkdir(join(this.folder, group), { recursive: true });
  }

  /**
   * Writes one field. Needs memory for a block of steps (160 MB at most), never for the run.
   *
   * A field that fails leaves nothing behind, and the run can continue without it; an abort ends the run.
   *
   * @param attributes `steps`: indices into the run's times to read; all of them if absent.
   * @param readStep Called once for each step, in order. Values in the catalog's unit, (rows, columns), south to north,
   *   NaN = missing; undefined if the step has no data at all. The array may be reused for the next step.
   * @returns How many values were stored, missing, or missing because they are outside int16.
   */
  async writeField(
    name: FieldName,
    attributes: { steps?: number[]; comment?: string },
    readStep: (timeIndex: number) => Promise<Float32Array | undefined>,
    signal?: AbortSignal,
  ): Promise<PackingCounts> {
    try {
      const { folder, levels, forms } = this;
      const target = { folder, levels, forms, grid: this.run.grid, timeCount: this.run.times.length };
      const written = await writeFieldTo(target, name, attributes, readStep, signal);
      this.written.set(name, { ...written, comment: attributes.comment });
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

  /**
   * Publishes the run for its dataset, source, reference time, grid and span: see `replaces`. Durable when it returns. If the
   * same content is already published and undamaged, nothing changes and that run is returned.
   */
  async publish(): Promise<Run> {
    try {
      const run = this.describe();
      const manifest = await readManifest(this.root);
      const same = manifest.runs.find(({ id }) => contentOf(id) === run.id);
      await this.writeGroups();
      if (same && (await holdsSameFiles(join(this.root, same.path), this.folder))) return same;
      let id = same ? nextOf(same.id) : run.id;
      // The folder of a replaced run with the same content may still be in use.
      while (manifest.replaced?.some(({ path }) => path === `${RUNS}/${id}`)) id = nextOf(id);
      return await this.add({ ...run, id, path: `${RUNS}/${id}` }, manifest);
    } finally {
      await this.abandon();
    }
  }

  /** Removes what was written. Does nothing after the end of the run. */
  async abandon(): Promise<void> {
    if (this.ended) return;
    this.ended = true;
    await rm(this.folder, { recursive: true, force: true });
    await this.lock.release();
  }

  /** Moves the run to its place and then, in one step, into the manifest. */
  private async add(run: Run, manifest: Manifest): Promise<Run> {
    await syncTree(this.folder);
    await this.lock.verify();
    await rename(this.folder, join(this.root, run.path));
    await syncFolder(join(this.root, RUNS));
    const now = this.clock.now();
    const others = manifest.runs.filter((other) => !replaces(run, other));
    const retired = manifest.runs.filter((other) => replaces(run, other));
    const replaced = [...withinGrace(manifest, now), ...retired.map(({ path }) => ({ path, at: now }))];
    const next: Manifest = {
      ...manifest,
      runs: [...others, run],
      replaced: replaced.length > 0 ? replaced : undefined,
    };
    try {
      await writeManifest(this.root, next);
    } catch (error) {
      // A full disk: the new run goes, unless the manifest names it already.
      await sweep(this.root, await readManifest(this.root), now);
      throw error;
    }
    await sweep(this.root, next, now);
    return run;
  }

  /** The run as it will be in the manifest; its id is derived from its entire content. */
  private describe(): Run {
    const { dataset, source, referenceTime, times } = this.run;
    const hash = createHash("sha256").update(JSON.stringify([this.run, this.levels]));
    const fields: Run["fields"] = {};
    for (const name of [...this.written.keys()].sort()) {
      const { steps, comment, files, metadata } = this.written.get(name)!;
      fields[name] = {
        ...(steps.length === times.length ? {} : { steps }),
        ...(hasMaps(this.forms, name) ? {} : { maps: false as const }),
        ...(comment === undefined ? {} : { comment }),
      };
      hash.update(JSON.stringify([name, fields[name], [...files], [...metadata]]));
    }
    const hour = formatInstant(referenceTime).replace(/[-:]/g, "").slice(0, 11);
    const id = `${dataset}.${source}.${hour}Z.${hash.digest("hex").slice(0, 16)}`;
    const { frames: storedFrames, levels } = this;
    return runSchema.parse({ ...this.run, id, path: `${RUNS}/${id}`, levels, fields, storedFrames });
  }

  /** Coordinates and group metadata. */
  private async writeGroups(): Promise<void> {
    for (const group of groupsOf(this.levels, this.forms)) {
      const stride = this.levels.find((level) => mapsGroup(level) === group) ?? 1;
      const arrays: Record<string, object> = {};
      const { latitude, longitude } = this.run.grid;
      const coordinateList = coordinateArrays(
        this.run.times,
        coordinates(strided(latitude, stride)),
        coordinates(strided(longitude, stride)),
      );
      for (const { name, metadata, values } of coordinateList) {
        await mkdir(join(this.folder, group, name, "c"), { recursive: true });
        await writeSynced(join(this.folder, group, name, "c", "0"), values);
        await writeSynced(join(this.folder, group, name, "zarr.json"), JSON.stringify(metadata));
        arrays[name] = metadata;
      }
      for (const [name, { metadata }] of this.written) {
        const array = metadata.get(group);
        if (array) arrays[name] = array;
      }
      const json = JSON.stringify(groupMetadata(this.run, arrays));
      await writeSynced(join(this.folder, group, "zarr.json"), json);
    }
  }
}

/** The part of an id that is derived from the content. A damaged run is succeeded by `-2`, so that no reader mixes both. */
function contentOf(id: string): string {
  return id.replace(/-\d+$/, "");
}

function nextOf(id: string): string {
  return `${contentOf(id)}-${Number(/-(\d+)$/.exec(id)?.[1] ?? 1) + 1}`;
}
