import { randomUUID } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { type BlobStore, MARKER_KEY } from "#server/platform/blob-store.ts";
import { type Clock, realClock } from "#server/platform/clock.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { ifMissing, replaceFile } from "#server/platform/files.ts";
import { acquireLock } from "#server/platform/lock.ts";
import { RUNS, runPathOf, withinGrace } from "./folder-publication.ts";
import { emptyManifest, MANIFEST_KEY, parseManifest, readManifest } from "./manifest.ts";
import { type Manifest, type Run, replaces } from "./run.ts";
import { describeObjects } from "./run-objects.ts";
import type { RunRows } from "./run-rows.ts";
import { differentObject, hasRun, objectsBelow, once, publishInStore, putRun } from "./store-archive.ts";

/** Receives the progress of `pushArchive`. */
interface PushReport {
  /** @param bytes Bytes of the objects that were sent; objects that an interrupted push had sent are only compared. */
  copied(run: Run, bytes: number, done: number, total: number): void;
  removed(path: string): void;
}

export interface PushCounts {
  runs: number;
  copied: number;
  removed: number;
  bytes: number;
}

/** The target is the archive of an installation. */
const OWNED =
  "An installation has its archive there, which a copy would withdraw; with its ARCHIVE_URL and DATABASE_URL, archive push without a URL publishes in it";
/** The objects there were pushed from another archive, or a push of another archive is under way. */
const OF_ANOTHER = `Another archive is pushed there, whose runs this one would withdraw; delete ${MANIFEST_KEY} there if it is to be replaced`;

const LOCK = "push.lock";
/** File of the pushed archive with the id that its copies name as their origin. */
const ORIGIN = "push.id";
const LOCK_SILENCE_MS = 60_000;

/**
 * Copies what is published in a folder to a store: the objects of each run, each read back and compared before the
 * manifest names it, then the manifest. Runs that the store has whole are not sent again, so that an interrupted push
 * resumes. Runs that are no longer published stay for ten minutes, for the answers that read them, and a later push
 * removes them.
 *
 * Throws UnavailableError, DamagedManifestError, ProcessingError, and LockedError while another push of this folder
 * runs.
 */
export async function pushArchive(
  root: string,
  store: BlobStore,
  report: PushReport,
  signal: AbortSignal,
  { clock = realClock }: { clock?: Clock } = {},
): Promise<PushCounts> {
  await publishedIn(root);
  const lock = await acquireLock(join(root, LOCK), { wait: false, silenceMs: LOCK_SILENCE_MS });
  try {
    const counts: PushCounts = { runs: 0, copied: 0, removed: 0, bytes: 0 };
    await checkOther(root, store, signal);
    const before = await store.get(MANIFEST_KEY, signal);
    const there = before ? parseManifest(before) : emptyManifest;
    const origin = await originOf(root);
    if ((there.origin ?? origin) !== origin) throw new ProcessingError(OF_ANOTHER);
    const objects = await objectsBelow(store, RUNS);
    const pushed = new Map<string, Run>();
    for (const run of there.runs)
      if (run.objects && (await isThere(root, run, objects))) pushed.set(run.path, run);
    let manifest: Manifest;
    do {
      manifest = await publishedIn(root);
      await copyRuns(root, manifest, store, objects, pushed, counts, report, signal);
      // A run that was replaced meanwhile may have been removed before it was copied.
    } while (manifest.runs.some(({ path }) => !pushed.has(path)) || !(await isNewest(root, manifest)));

    const runs = manifest.runs.map(({ path }) => pushed.get(path)!);
    const now = clock.now();
    const kept = new Set(runs.map(({ path }) => path));
    const retired = there.runs.filter(({ path }) => !kept.has(path)).map(({ path }) => ({ path, at: now }));
    const replaced = [...withinGrace(there, now).filter(({ path }) => !kept.has(path)), ...retired];
    const { revision } = there;
    const next: Manifest = { version: 1, origin, revision, runs, ...(replaced.length > 0 && { replaced }) };
    await lock.verify();
    if (!before || Buffer.from(before).toString() !== JSON.stringify(next)) {
      const later = Math.max(Math.floor(now * 1000), (revision ?? 0) + 1);
      const text = JSON.stringify({ ...next, revision: later });
      const meanwhile = await store.get(MANIFEST_KEY, signal);
      if (Buffer.compare(meanwhile ?? NOTHING, before ?? NOTHING) !== 0)
        throw new ProcessingError(OF_ANOTHER);
      await store.put(MANIFEST_KEY, once(Buffer.from(text)), signal);
      const after = await store.get(MANIFEST_KEY, signal);
      if (!after || Buffer.from(after).toString() !== text) throw differentObject(MANIFEST_KEY);
    }
    for (const { path } of replaced) kept.add(path);
    await removeOthers(store, objects, kept, counts, report, signal);
    return { ...counts, runs: runs.length };
  } finally {
    await lock.release();
  }
}

async function publishedIn(root: string): Promise<Manifest> {
  const manifest = await readManifest(root);
  // Pushing an empty list would withdraw every run of the store.
  if (manifest.runs.length === 0)
    throw new ProcessingError(`${root} has no published runs: nothing is pushed`);
  return manifest;
}

const NOTHING = Buffer.alloc(0);

/** Returns the id that copies of an archive name as their origin. Only the holder of the lock calls this. */
async function originOf(root: string): Promise<string> {
  const file = join(root, ORIGIN);
  const known = (await readFile(file, "utf8").catch(ifMissing(undefined)))?.trim();
  if (known) return known;
  const made = randomUUID();
  await replaceFile(file, `${made}\n`);
  return made;
}

/**
 * Refuses a push into the archive itself, which would remove what a writer has begun. Only the archive itself contains
 * the same lock.
 */
async function checkOther(root: string, store: BlobStore, signal: AbortSignal): Promise<void> {
  const found = await store.get(LOCK, signal);
  if (found && Buffer.compare(found, await readFile(join(root, LOCK))) === 0)
    throw new ProcessingError(`The folder is the archive itself, ${root}: push to another one`);
  if (await store.get(MARKER_KEY, signal)) throw new ProcessingError(OWNED);
}

/** Whether the store has a run that its manifest names. */
async function isThere(root: string, { path }: Run, objects: ReadonlyMap<string, number>): Promise<boolean> {
  return hasRun(join(root, path), path, objects).catch(ifMissing(false));
}

async function isNewest(root: string, manifest: Manifest): Promise<boolean> {
  const paths = ({ runs }: Manifest) => runs.map(({ path }) => path).join("\n");
  return paths(await readManifest(root)) === paths(manifest);
}

/**
 * Copies the runs that `pushed` lacks and adds them to it, as the manifest of a store describes them. Runs that are
 * gone are left out.
 */
async function copyRuns(
  root: string,
  { runs }: Manifest,
  store: BlobStore,
  objects: Map<string, number>,
  pushed: Map<string, Run>,
  counts: PushCounts,
  report: PushReport,
  signal: AbortSignal,
): Promise<void> {
  const missing = runs.filter(({ path }) => !pushed.has(path));
  for (const [done, run] of missing.entries()) {
    try {
      const folder = join(root, run.path);
      const described = await describeObjects(folder, run);
      const { sent: bytes } = await putRun(folder, run.path, described.indices, store, objects, signal);
      pushed.set(run.path, { ...run, objects: described.objects });
      counts.copied++;
      counts.bytes += bytes;
      report.copied(run, bytes, done + 1, missing.length);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== "ENOENT") throw error;
      const { runs: now } = await readManifest(root);
      if (now.some(({ path }) => path === run.path)) throw error;
    }
  }
}

/** Removes the objects of all other runs: of replaced runs, and of runs that a stopped push has sent. */
async function removeOthers(
  store: BlobStore,
  objects: ReadonlyMap<string, number>,
  kept: ReadonlySet<string>,
  counts: PushCounts,
  report: PushReport,
  signal: AbortSignal,
): Promise<void> {
  const gone = new Set<string>();
  for (const key of objects.keys()) {
    const path = runPathOf(key);
    if (kept.has(path)) continue;
    signal.throwIfAborted();
    await store.delete(key);
    if (!gone.has(path)) report.removed(path);
    gone.add(path);
  }
  counts.removed += gone.size;
}

interface PublishReport extends Pick<PushReport, "copied"> {
  /** Receives a run that was not published, with the reason in words for the operator. */
  left(run: Run, reason: string): void;
}

/**
 * Publishes the runs of a folder in the archive of a bucket, beside those already there. A run of which the bucket has
 * a longer form stays as it is. A call after an interrupted one continues with the remaining runs.
 *
 * Throws UnavailableError, DamagedManifestError, ProcessingError.
 */
export async function publishArchive(
  root: string,
  rows: RunRows,
  blobs: BlobStore,
  report: PublishReport,
  signal: AbortSignal,
): Promise<PushCounts> {
  const { runs } = await publishedIn(root);
  const counts: PushCounts = { runs: 0, copied: 0, removed: 0, bytes: 0 };
  for (const [done, run] of runs.entries()) {
    signal.throwIfAborted();
    const published = (await rows.manifest()).runs;
    const longer = published.find((other) => replaces(other, run) && other.times.length > run.times.length);
    if (longer) {
      report.left(run, `${longer.id} has more of it`);
      continue;
    }
    const known = new Set(published.map(({ id }) => id));
    let sent = 0;
    const { id } = await publishInStore(join(root, run.path), run, rows, blobs, signal, (bytes) => {
      sent = bytes;
    });
    if (known.has(id)) continue;
    counts.copied++;
    counts.bytes += sent;
    report.copied(run, sent, done + 1, runs.length);
  }
  counts.runs = (await rows.manifest()).runs.length;
  return counts;
}
