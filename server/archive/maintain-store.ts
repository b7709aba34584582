import { randomUUID } from "node:crypto";
import { setTimeout as wait } from "node:timers/promises";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { MARKER_KEY } from "#server/platform/blob-store.ts";
import { ConfigError } from "#server/platform/env.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import type { Logger } from "#server/platform/log.ts";
import { Poller } from "#server/platform/poller.ts";
import type { Leadership, Listener, NotificationHandler } from "#server/platform/session.ts";
import { RUNS, runPathOf } from "./folder-publication.ts";
import { MANIFEST_KEY, parseManifest } from "./manifest.ts";
import type { Manifest } from "./run.ts";
import { ARCHIVE_CHANNEL, type RunRows } from "./run-rows.ts";
import { objectsBelow, once } from "./store-archive.ts";

/** The two numbers of the advisory lock are arbitrary, but the same in every process. */
const SPACE = 1_718_773_096;
const STORE = 1;
const TURN_MS = 60_000;
/** How long a turn may take to stop. */
const CLOSE_MS = 3000;
/** Number of objects deleted at the same time. */
const AT_ONCE = 8;

export interface MaintainDeps extends ClaimDeps {
  lead(space: number, id: number): Promise<Leadership | undefined>;
}

/** Result of one turn. */
interface Maintained {
  /** Folders of runs whose objects were deleted. */
  removed: string[];
  /** Number of deleted objects that belonged to no run. */
  leftBehind: number;
}

/**
 * Maintains the store of an archive if no other process does: writes `manifest.json` for readers without the database,
 * deletes runs that were replaced ten minutes ago and what dead writers left behind.
 *
 * @returns undefined if another process maintains the store.
 */
export async function maintainStore(
  deps: MaintainDeps,
  signal?: AbortSignal,
): Promise<Maintained | undefined> {
  const lead = await deps.lead(SPACE, STORE);
  if (!lead) return undefined;
  try {
    const both = AbortSignal.any([lead.lost, ...(signal ? [signal] : [])]);
    await claimStore(deps, both);
    return await turn(deps, both);
  } finally {
    await lead.close();
  }
}

async function turn({ rows, blobs }: MaintainDeps, signal: AbortSignal): Promise<Maintained> {
  await writeMirror(rows, blobs, signal);
  const removed: string[] = [];
  for (const path of await rows.due()) {
    await remove(blobs, [...(await objectsBelow(blobs, path)).keys()], signal);
    await rows.forget(path);
    removed.push(path);
  }
  return {
    removed,
    leftBehind: (await rows.isListingDue()) ? await removeLeftBehind(rows, blobs, signal) : 0,
  };
}

function remove(blobs: BlobStore, keys: readonly string[], signal: AbortSignal): Promise<unknown> {
  return inParallel(AT_ONCE, keys, async (key) => {
    signal.throwIfAborted();
    await blobs.delete(key);
  });
}

/** Only the process that holds the lock writes the mirror, so that its revision never decreases. */
async function writeMirror(rows: RunRows, blobs: BlobStore, signal: AbortSignal): Promise<void> {
  const there = await takeOver(rows, blobs, signal);
  const manifest = await rows.manifest();
  signal.throwIfAborted();
  if (manifest.revision > there)
    await blobs.put(MANIFEST_KEY, once(Buffer.from(JSON.stringify(manifest))), signal);
}

/**
 * Removes objects that no row names and that are older than an hour: their row was lost with the database, or another
 * program put them there.
 */
async function removeLeftBehind(rows: RunRows, blobs: BlobStore, signal: AbortSignal): Promise<number> {
  const found: { key: string; modified: number }[] = [];
  for await (const { key, modified } of blobs.list(RUNS)) {
    signal.throwIfAborted();
    found.push({ key, modified });
  }
  // The rows are read after the objects are listed: a run that is being written has its row before its first object.
  const { paths, leftBefore } = await rows.folders();
  const left = found
    .filter(({ key, modified }) => modified < leftBefore && !paths.has(runPathOf(key)))
    .map(({ key }) => key);
  await remove(blobs, left, signal);
  return left.length;
}

export interface MaintenanceDeps extends MaintainDeps {
  listen(channel: string, handler: NotificationHandler): Listener;
  log: Pick<Logger, "info" | "warn">;
}

/** Maintains the store from time to time, and whenever something was published, until it is closed. */
export function keepMaintained(deps: MaintenanceDeps): { close(): Promise<void> } {
  const closing = new AbortController();
  const maintaining = new Poller({
    everyMs: TURN_MS,
    async work() {
      const done = await maintainStore(deps, closing.signal);
      if (done && done.removed.length + done.leftBehind > 0)
        deps.log.info(done, "removed from the archive's store");
    },
    onError: (err) => {
      if (!closing.signal.aborted) deps.log.warn({ err }, "the archive's store was not maintained");
    },
  });
  const ask = () => void maintaining.poll();
  const listener = deps.listen(ARCHIVE_CHANNEL, { notified: ask, connected: ask });
  maintaining.start();
  return {
    async close() {
      closing.abort();
      await listener.close();
      // An unavailable store may delay the end; the next process does what remains.
      await Promise.race([maintaining.close(), wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}

/** The row of `setting` with the id that the marker of the archive's store has. */
const ROW = "archive_store_id";

interface ClaimDeps {
  rows: RunRows;
  setting: PrismaClient["setting"];
  blobs: BlobStore;
  /** Names the store in messages. */
  where: string;
}

/**
 * Checks that this database has the catalog of a store. The first call binds the store to the database and takes over
 * the runs of its manifest.json, if it has one.
 *
 * @throws ConfigError if the store belongs to another database or lacks what the catalog lists; DamagedManifestError if
 *   the catalog is empty; UnavailableError.
 */
export async function claimStore(
  { rows, setting, blobs, where }: ClaimDeps,
  signal?: AbortSignal,
): Promise<void> {
  const read = async () => (await setting.findUnique({ where: { name: ROW } }))?.value;
  let id = await read();
  if (id === undefined) {
    // If several processes start for the first time together, one of them writes the row.
    await setting.createMany({ data: { name: ROW, value: randomUUID() }, skipDuplicates: true });
    id = (await read())!;
  }
  const bytes = await blobs.get(MARKER_KEY, signal);
  const found = bytes && Buffer.from(bytes).toString().trim();
  if (found === undefined) {
    const { runs } = await rows.manifest();
    if (runs.length > 0) throw new ConfigError(emptied(where, runs.length, id));
    await blobs.put(MARKER_KEY, once(Buffer.from(`${id}\n`)));
  } else if (found !== id) throw new ConfigError(ofAnother(where, found, id));
  await takeOver(rows, blobs, signal);
}

/**
 * Takes over the runs of a manifest.json that is newer than the catalog: it was pushed as a mirror, or published after
 * the copy from which this database was restored.
 *
 * @returns The revision of the store's manifest; 0 if it must be written again, because it is damaged and the catalog
 *   is not empty.
 */
async function takeOver(rows: RunRows, blobs: BlobStore, signal?: AbortSignal): Promise<number> {
  const bytes = await blobs.get(MANIFEST_KEY, signal);
  if (!bytes) return 0;
  let manifest: Manifest;
  try {
    manifest = parseManifest(bytes);
  } catch (error) {
    if ((await rows.revision()) === 0) throw error;
    return 0;
  }
  const { revision = 1 } = manifest;
  if (revision > (await rows.revision()))
    await rows.adopt({ ...manifest, revision }, await bytesOfRuns(blobs, signal));
  return revision;
}

/** Returns the bytes of the objects of each run in a store, by the run's path. */
async function bytesOfRuns(blobs: BlobStore, signal?: AbortSignal): Promise<Map<string, number>> {
  const sums = new Map<string, number>();
  for await (const { key, bytes } of blobs.list(RUNS)) {
    signal?.throwIfAborted();
    const path = runPathOf(key);
    sums.set(path, (sums.get(path) ?? 0) + bytes);
  }
  return sums;
}

function emptied(where: string, count: number, id: string): string {
  return (
    `${where} is not the archive of this database: it has no ${MARKER_KEY}, and the catalog lists ${count} runs. ` +
    `Where their objects were copied there on purpose, write ${id} into ${where}/${MARKER_KEY}.`
  );
}

function ofAnother(where: string, found: string, id: string): string {
  return (
    `${where} is the archive of another database: ${where}/${MARKER_KEY} says ${found || "nothing"}, and this database ${id}. ` +
    "All processes need the same DATABASE_URL and ARCHIVE_URL; another installation reads it as https://. Where that database " +
    `is lost, delete ${MARKER_KEY} there: the next start takes over the runs of ${MANIFEST_KEY}.`
  );
}
