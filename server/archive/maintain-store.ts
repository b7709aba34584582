import { setTimeout as wait } from "node:timers/promises";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import type { Leadership } from "#server/platform/leadership.ts";
import type { Listener, NotificationHandler } from "#server/platform/listen-notify.ts";
import type { Logger } from "#server/platform/log.ts";
import { type ClaimDeps, claimStore, takeOver } from "./claim-store.ts";
import { MANIFEST_KEY } from "./manifest.ts";
import { objectsBelow, once } from "./put-run.ts";
import { ARCHIVE_CHANNEL, type RunRows } from "./run-rows.ts";
import { RUNS, runPathOf } from "./sweep.ts";

/** The two numbers of the advisory lock: any, and the same in every process. */
const SPACE = 1_718_773_096;
const STORE = 1;
const TURN_MS = 60_000;
/** How long a turn that is stopped may take. */
const CLOSE_MS = 3000;
/** Objects deleted at the same time. */
const AT_ONCE = 8;

export interface MaintainDeps extends ClaimDeps {
  lead(space: number, id: number): Promise<Leadership | undefined>;
}

/** What one turn did. */
export interface Maintained {
  /** Folders of runs whose objects were deleted. */
  removed: string[];
  /** Objects that were of no run. */
  leftBehind: number;
}

/**
 * Looks after the store of an archive, if no other process does: writes `manifest.json` for those that only read it, deletes
 * runs that were replaced ten minutes ago, and what writers that died left.
 *
 * @returns undefined where another process does it.
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

/** Only who leads writes it, so that it never goes back. */
async function writeMirror(rows: RunRows, blobs: BlobStore, signal: AbortSignal): Promise<void> {
  const there = await takeOver(rows, blobs, signal);
  const manifest = await rows.manifest();
  signal.throwIfAborted();
  if (manifest.revision > there)
    await blobs.put(MANIFEST_KEY, once(Buffer.from(JSON.stringify(manifest))), signal);
}

/** Objects that no row names and that are older than an hour: of a row that was lost with the database, or of other programs. */
async function removeLeftBehind(rows: RunRows, blobs: BlobStore, signal: AbortSignal): Promise<number> {
  const found: { key: string; modified: number }[] = [];
  for await (const { key, modified } of blobs.list(RUNS)) {
    signal.throwIfAborted();
    found.push({ key, modified });
  }
  // After the list: whatever is being written has had its row since before its first object.
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
  let running: Promise<void> | undefined;
  let isAskedAgain = false;

  async function maintain(): Promise<void> {
    try {
      const done = await maintainStore(deps, closing.signal);
      if (done && done.removed.length + done.leftBehind > 0)
        deps.log.info(done, "removed from the archive's store");
    } catch (error) {
      if (!closing.signal.aborted) deps.log.warn({ err: error }, "the archive's store was not maintained");
    }
  }
  async function run(): Promise<void> {
    do {
      isAskedAgain = false;
      await maintain();
    } while (isAskedAgain && !closing.signal.aborted);
  }
  function ask(): void {
    if (closing.signal.aborted) return;
    isAskedAgain = true;
    running ??= run().finally(() => {
      running = undefined;
    });
  }
  const listener = deps.listen(ARCHIVE_CHANNEL, { notified: ask, connected: ask });
  const timer = setInterval(ask, TURN_MS).unref();
  return {
    async close() {
      closing.abort();
      clearInterval(timer);
      await listener.close();
      // A store that is away may keep it waiting; what is not done is done by the next.
      await Promise.race([running, wait(CLOSE_MS, undefined, { ref: false })]);
    },
  };
}
