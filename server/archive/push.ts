import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, readFile, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BlobMissingError, type BlobStore } from "#server/platform/blob-store.ts";
import { type Clock, realClock } from "#server/platform/clock.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { ifMissing } from "#server/platform/files.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { acquireLock } from "#server/platform/lock.ts";
import { describeObjects } from "./describe-objects.ts";
import { emptyManifest, MANIFEST_KEY, parseManifest, readManifest } from "./manifest.ts";
import type { Manifest, Run } from "./run.ts";
import { INDICES } from "./run-objects.ts";
import { RUNS, withinGrace } from "./sweep.ts";

/** Receives the progress of `pushArchive`. */
export interface PushReport {
  /** @param bytes Of the objects that were sent; those that an interrupted push had sent are compared only. */
  copied(run: Run, bytes: number, done: number, total: number): void;
  removed(path: string): void;
}

export interface PushCounts {
  runs: number;
  copied: number;
  removed: number;
  bytes: number;
}

/** What arrived at the store is not what was sent. */
export class DifferentObjectError extends ProcessingError {
  override readonly name = "DifferentObjectError";
  constructor(key: string) {
    super(`The store returns another ${key} than it was sent; start the command again`);
  }
}

/** Nothing is published here: an empty list would withdraw all that the store has. */
export class NothingToPushError extends ProcessingError {
  override readonly name = "NothingToPushError";
  constructor(root: string) {
    super(`${root} has no published runs: nothing is pushed`);
  }
}

/** The place to push to is the archive that is pushed. */
export class SameArchiveError extends ProcessingError {
  override readonly name = "SameArchiveError";
  constructor(root: string) {
    super(`The folder is the archive itself, ${root}: push to another one`);
  }
}

const LOCK = "push.lock";
/** Objects sent at the same time. */
const AT_ONCE = 4;
const LOCK_SILENCE_MS = 60_000;

/**
 * Copies what is published in a folder to a store: the objects of each run, each read back and compared before the manifest
 * names it, then the manifest. Runs that the store has whole are not sent again, so that an interrupted push goes on where it was.
 * Runs that are no longer published stay for ten minutes, for the answers that read them, and go with a later push.
 *
 * Throws UnavailableError, DamagedManifestError, NothingToPushError, SameArchiveError, DifferentObjectError, and LockedError
 * while another push of this folder runs.
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
    const objects = await objectsOf(store);
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
    const next: Manifest = { version: 1, runs, ...(replaced.length > 0 && { replaced }) };
    await lock.verify();
    const text = JSON.stringify(next);
    if (!before || Buffer.from(before).toString() !== text) {
      await store.put(MANIFEST_KEY, once(Buffer.from(text)), signal);
      const after = await store.get(MANIFEST_KEY, signal);
      if (!after || Buffer.from(after).toString() !== text) throw new DifferentObjectError(MANIFEST_KEY);
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
  if (manifest.runs.length === 0) throw new NothingToPushError(root);
  return manifest;
}

/** A push into the archive itself would remove what a writer has begun. Nothing else has the same lock in it. */
async function checkOther(root: string, store: BlobStore, signal: AbortSignal): Promise<void> {
  const found = await store.get(LOCK, signal);
  if (found && Buffer.compare(found, await readFile(join(root, LOCK))) === 0)
    throw new SameArchiveError(root);
}

/** Whether the store has all objects of a run that its manifest names, as far as a list of them tells. */
async function isThere(root: string, run: Run, objects: ReadonlyMap<string, number>): Promise<boolean> {
  for (const file of await filesBelow(join(root, run.path)).catch(ifMissing([])))
    if (objects.get(keyOf(root, file)) !== (await stat(file)).size) return false;
  return objects.has(`${run.path}/${INDICES}`);
}

const keyOf = (root: string, file: string) => relative(root, file).split(sep).join("/");

/** Bytes of the objects that the store has of runs, by key. */
async function objectsOf(store: BlobStore): Promise<Map<string, number>> {
  const objects = new Map<string, number>();
  for await (const { key, bytes } of store.list()) if (key.startsWith(`${RUNS}/`)) objects.set(key, bytes);
  return objects;
}

async function isNewest(root: string, manifest: Manifest): Promise<boolean> {
  const paths = ({ runs }: Manifest) => runs.map(({ path }) => path).join("\n");
  return paths(await readManifest(root)) === paths(manifest);
}

/** Adds to `pushed` the runs that it lacks, with what the manifest of a store says of them. Runs that are gone are left out. */
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
      const described = await describeObjects(root, run);
      const bytes = await copyRun(root, run, described.indices, store, objects, signal);
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

/** @returns Bytes that were sent. */
async function copyRun(
  root: string,
  run: Run,
  indices: Uint8Array,
  store: BlobStore,
  objects: Map<string, number>,
  signal: AbortSignal,
): Promise<number> {
  let sent = 0;
  async function copy(key: string, bytes: number, content: () => AsyncIterable<Uint8Array>) {
    signal.throwIfAborted();
    if (objects.get(key) === bytes && (await isSame(store, key, content, signal))) return;
    await store.put(key, content(), signal);
    objects.set(key, bytes);
    sent += bytes;
    if (!(await isSame(store, key, content, signal))) throw new DifferentObjectError(key);
  }
  await inParallel(AT_ONCE, await filesBelow(join(root, run.path)), async (file) =>
    copy(keyOf(root, file), (await stat(file)).size, () => createReadStream(file)),
  );
  await copy(`${run.path}/${INDICES}`, indices.length, () => once(indices));
  return sent;
}

async function isSame(
  store: BlobStore,
  key: string,
  content: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): Promise<boolean> {
  const stored = hashOf(store.read(key, signal)).catch((error) => {
    if (error instanceof BlobMissingError) return undefined;
    throw error;
  });
  const [one, other] = await Promise.all([hashOf(content()), stored]);
  return one === other;
}

async function hashOf(pieces: AsyncIterable<Uint8Array>): Promise<string> {
  const hash: Hash = createHash("sha256");
  for await (const piece of pieces) hash.update(piece);
  return hash.digest("hex");
}

async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}

/** Removes the objects of runs that are not kept: of those that were replaced, and of what a push that was stopped has sent. */
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
    const path = key.split("/").slice(0, 2).join("/");
    if (kept.has(path)) continue;
    signal.throwIfAborted();
    await store.delete(key);
    if (!gone.has(path)) report.removed(path);
    gone.add(path);
  }
  counts.removed += gone.size;
}
