import { rename, rm } from "node:fs/promises";
import { join } from "node:path";
import { type Clock, realClock } from "#server/platform/clock.ts";
import { holdsSameFiles, makeFolder, namesIn, syncFolder, syncTree } from "#server/platform/files.ts";
import { acquireLock, type Lock, LockedError } from "#server/platform/lock.ts";
import { ArchiveBusyError } from "./errors.ts";
import { MANIFEST_KEY, readManifest, writeManifest } from "./manifest.ts";
import { contentOf, type Manifest, nextOf, type Run, replaces } from "./run.ts";

export interface WriterOptions {
  /** Waits for another writer to end instead of throwing `ArchiveBusyError`. */
  wait?: boolean;
  /** Aborts the wait. */
  signal?: AbortSignal;
  clock?: Clock;
}

/** Turns a written run into a published one. A publication starts by taking the right to write to the disk. */
export interface Publication {
  /**
   * Publishes what lies in a folder, for its dataset, source, reference time, grid and span: see `replaces`. The run is
   * durable when the call returns. If the same content is already published and undamaged, nothing changes and that run
   * is returned.
   *
   * @param run Has the id of its content and the path derived from it; the published run may have another id and path.
   */
  publish(folder: string, run: Run, signal?: AbortSignal): Promise<Run>;
  /** Returns the right to write. */
  end(): Promise<void>;
}

/** Takes the right to write to the archive of a folder, whose manifest is what is published. */
export async function beginInFolder(root: string, options: WriterOptions): Promise<Publication> {
  await makeFolder(root);
  const { wait = false, signal, clock = realClock } = options;
  const lock = await lockForWriting(root, wait, signal);
  try {
    await sweep(root, await readManifest(root), clock.now());
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    async publish(folder, run) {
      const manifest = await readManifest(root);
      const same = manifest.runs.find(({ id }) => contentOf(id) === run.id);
      if (same && (await holdsSameFiles(join(root, same.path), folder))) return same;
      let id = same ? nextOf(same.id) : run.id;
      // The folder of a replaced run with the same content may still be in use.
      while (manifest.replaced?.some(({ path }) => path === `${RUNS}/${id}`)) id = nextOf(id);
      return add(root, lock, folder, { ...run, id, path: `${RUNS}/${id}` }, manifest, clock.now());
    },
    end: () => lock.release(),
  };
}

/** Moves the run to its place and then, in one step, into the manifest. */
async function add(
  root: string,
  lock: WriterLock,
  folder: string,
  run: Run,
  manifest: Manifest,
  now: number,
): Promise<Run> {
  await syncTree(folder);
  await lock.verify();
  await rename(folder, join(root, run.path));
  await syncFolder(join(root, RUNS));
  const others = manifest.runs.filter((other) => !replaces(run, other));
  const retired = manifest.runs.filter((other) => replaces(run, other));
  const replaced = [...withinGrace(manifest, now), ...retired.map(({ path }) => ({ path, at: now }))];
  const next: Manifest = {
    ...manifest,
    runs: [...others, run],
    replaced: replaced.length > 0 ? replaced : undefined,
  };
  try {
    await writeManifest(root, next);
  } catch (error) {
    // The disk may be full: the sweep removes the new run unless the manifest names it already.
    await sweep(root, await readManifest(root), now);
    throw error;
  }
  await sweep(root, next, now);
  return run;
}

/** Folders of published runs, and of runs being written. */
export const RUNS = "runs";
export const STAGING = "staging";

/** Returns the folder of the run that an object belongs to. */
export const runPathOf = (key: string) => key.split("/").slice(0, 2).join("/");

/** A replaced run stays this long, seconds: longer than any answer that started from the previous manifest. */
export const GRACE_S = 600;

/**
 * Returns the replaced runs of a manifest whose folders must stay. A time in the future means that the clock was set
 * back.
 */
export function withinGrace({ replaced = [] }: Manifest, now: number) {
  return replaced.filter(({ at }) => Math.abs(now - at) < GRACE_S);
}

/**
 * Removes what the manifest does not name: runs that were replaced more than ten minutes ago, and the leftovers of a writer
 * that died. Only the owner of the writer lock may sweep.
 *
 * @param now Unix seconds.
 */
async function sweep(root: string, manifest: Manifest, now: number): Promise<void> {
  const kept = new Set([...manifest.runs, ...withinGrace(manifest, now)].map(({ path }) => path));
  await sweepStaging(root);
  for (const name of await namesIn(join(root, RUNS)))
    if (!kept.has(`${RUNS}/${name}`)) await rm(join(root, RUNS, name), { recursive: true, force: true });
  for (const name of await namesIn(root))
    if (name.startsWith(`${MANIFEST_KEY}.`)) await rm(join(root, name), { force: true });
}

/** Removes what a dead writer has written. Only the owner of the writer lock may call this. */
export async function sweepStaging(root: string): Promise<void> {
  for (const name of await namesIn(join(root, STAGING)))
    await rm(join(root, STAGING, name), { recursive: true, force: true });
}

/**
 * Removes runs from the manifest, in one step. Their folders stay as long as those of replaced runs, for answers under
 * way.
 *
 * @param unwanted Selects the runs to remove from the published ones, while nobody else writes.
 * @returns The runs that were removed.
 */
export async function removeRuns(
  root: string,
  unwanted: (runs: readonly Run[]) => ReadonlySet<Run>,
  { clock = realClock, signal }: { clock?: Clock; signal?: AbortSignal } = {},
): Promise<Run[]> {
  const lock = await lockForWriting(root, true, signal);
  try {
    const manifest = await readManifest(root);
    const gone = unwanted(manifest.runs);
    const now = clock.now();
    if (gone.size === 0) {
      await sweep(root, manifest, now);
      return [];
    }
    const replaced = [...withinGrace(manifest, now), ...[...gone].map(({ path }) => ({ path, at: now }))];
    const next = { ...manifest, runs: manifest.runs.filter((run) => !gone.has(run)), replaced };
    await lock.verify();
    await writeManifest(root, next);
    await sweep(root, next, now);
    return [...gone];
  } finally {
    await lock.release();
  }
}

/** A writer of another container or machine counts as dead after this long without a heartbeat. */
const SILENCE_MS = 60_000;

/** The right to write to an archive; `verify` and `lockForWriting` throw ArchiveBusyError. */
type WriterLock = Lock;

/**
 * Takes the right to write to an archive, which one process has at a time.
 *
 * @param wait Waits for the holder to end, until `signal` aborts, instead of throwing ArchiveBusyError.
 */
export async function lockForWriting(root: string, wait: boolean, signal?: AbortSignal): Promise<WriterLock> {
  const options = { wait, signal, silenceMs: SILENCE_MS };
  const lock = await acquireLock(join(root, "writer.lock"), options).catch(asBusy);
  return { verify: () => lock.verify().catch(asBusy), release: () => lock.release() };
}

function asBusy(error: unknown): never {
  throw error instanceof LockedError ? new ArchiveBusyError(error.holder) : error;
}
