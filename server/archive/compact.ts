import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { FILL, type FieldName, fields } from "#lib/catalog/fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { freeBytes } from "#server/platform/files.ts";
import { directoryStore } from "./directory-store.ts";
import { DamagedChunkError } from "./errors.ts";
import { readManifest } from "./manifest.ts";
import { readMapStep } from "./map-step.ts";
import { openArray } from "./open-arrays.ts";
import type { WriterOptions } from "./publication.ts";
import { type Run, stepsWith } from "./run.ts";
import { type ChunkStore, ObjectMissingError } from "./store.ts";
import { beginRun, type RunWriter } from "./writer.ts";
import { pointsGroup } from "./zarr-metadata.ts";

/** Receives the progress of `compactArchive`, in this order for each run. */
export interface CompactReport {
  /** @param part A field, or the map frames. */
  writing(run: Run, part: string, done: number, total: number): void;
  /** Sizes of the run, bytes. */
  compacted(run: Run, before: number, after: number): void;
  /** A run that was left as it is, and why, for the operator. */
  left(run: Run, reason: string): void;
}

/** What became of the runs of an archive. */
export interface CompactCounts {
  compacted: number;
  /** Runs that had the present form already. */
  unchanged: number;
  left: number;
}

export interface CompactOptions extends Pick<WriterOptions, "clock"> {
  /** Of the disk of a folder. */
  freeBytes?: (folder: string) => Promise<number>;
}

/**
 * Rewrites runs of older versions in the present form, one after the other: each is published whole in place of the one
 * before it, with the same numbers in the steps of the catalog, or stays as it was. Interrupted, it goes on with the runs that are left.
 */
export async function compactArchive(
  root: string,
  report: CompactReport,
  signal: AbortSignal,
  options: CompactOptions = {},
): Promise<CompactCounts> {
  const counts = { compacted: 0, unchanged: 0, left: 0 };
  const store = directoryStore(root);
  for (const run of (await readManifest(root)).runs) {
    signal.throwIfAborted();
    try {
      if (await hasPresentForm(store, run)) {
        counts.unchanged++;
        continue;
      }
      const before = await folderBytes(join(root, run.path));
      const free = await (options.freeBytes ?? freeBytes)(root);
      if (free < before) {
        report.left(
          run,
          `it needs ${formatBytes(before)} of disk until it is replaced, and ${formatBytes(free)} are free`,
        );
        counts.left++;
        continue;
      }
      const written = await rewrite(root, store, run, report, signal, options);
      if (!written) continue;
      report.compacted(run, before, await folderBytes(join(root, written.path)));
      counts.compacted++;
    } catch (error) {
      if (!(error instanceof DamagedChunkError || error instanceof ObjectMissingError)) throw error;
      report.left(run, error.message);
      counts.left++;
    } finally {
      store.release();
    }
  }
  return counts;
}

async function hasPresentForm(store: ChunkStore, run: Run): Promise<boolean> {
  if (!run.storedFrames) return false;
  for (const [name, { maps }] of Object.entries(run.fields)) {
    const { codec, repacking } = await openArray(store, run, pointsGroup, name as FieldName);
    if (maps !== false || codec !== "planes" || repacking) return false;
  }
  return true;
}

/** @returns undefined if the run was replaced before this process had the right to write. */
async function rewrite(
  root: string,
  store: ChunkStore,
  run: Run,
  report: CompactReport,
  signal: AbortSignal,
  { clock }: CompactOptions,
): Promise<Run | undefined> {
  const { id, path: _path, levels: _levels, fields: stored, storedFrames: _frames, ...origin } = run;
  const writer = await beginRun(root, origin, { ...(clock && { clock }), wait: true, signal });
  try {
    if (!(await readManifest(root)).runs.some((other) => other.id === id)) return undefined;
    const names = Object.keys(stored) as FieldName[];
    const parts = names.length + 1;
    for (const [done, name] of names.entries()) {
      report.writing(run, name, done, parts);
      await copyField(writer, store, run, name, signal);
    }
    report.writing(run, "map frames", names.length, parts);
    await writer.writeFrames(signal);
    signal.throwIfAborted();
    return await writer.publish();
  } finally {
    await writer.abandon();
  }
}

async function copyField(
  writer: RunWriter,
  store: ChunkStore,
  run: Run,
  name: FieldName,
  signal: AbortSignal,
): Promise<void> {
  const { scale, offset } = fields[name];
  const { comment } = run.fields[name] ?? {};
  const values = new Float32Array(run.grid.latitude.count * run.grid.longitude.count);
  const readStep = async (time: number) => {
    const { values: step } = await readMapStep(store, run, name, time, 1, signal);
    // A float32 is exact to a hundredth of the scale, so that the same int16 is stored again.
    for (let i = 0; i < step.length; i++)
      values[i] = step[i] === FILL ? Number.NaN : step[i]! * scale + offset;
    return values;
  };
  const steps = stepsWith(run, [name]);
  await writer.writeField(name, { steps, ...(comment === undefined ? {} : { comment }) }, readStep, signal);
}

async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isFile()) bytes += (await stat(join(entry.parentPath, entry.name))).size;
  return bytes;
}
