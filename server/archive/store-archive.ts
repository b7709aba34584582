import type { BlobStore } from "#server/platform/blob-store.ts";
import { makeFolder } from "#server/platform/files.ts";
import { describeObjects } from "./describe-objects.ts";
import type { Publication, WriterOptions } from "./publication.ts";
import { hasRun, objectsBelow, putRun } from "./put-run.ts";
import type { Run } from "./run.ts";
import type { RunArchive } from "./run-archive.ts";
import { contentOf } from "./run-id.ts";
import type { RunRows } from "./run-rows.ts";
import type { ChunkStore } from "./store.ts";
import { sweepStaging } from "./sweep.ts";
import { beginWriting } from "./writer.ts";
import { lockForWriting } from "./writer-lock.ts";

/** The largest run that is written at once: a segment of the largest profile of feeds. Bytes. */
const MAX_STAGED_BYTES = 4e9;
/** How often what is being written says so. */
const TOUCH_MS = 60_000;

export interface StoreArchiveDeps {
  rows: RunRows;
  /** Where the objects of runs lie. */
  blobs: BlobStore;
  /** The same, to be read. */
  store: ChunkStore;
  /** A run is written here before its objects are put into the store. One at a time on each disk. */
  folder: string;
}

/**
 * The archive of a bucket, whose catalog is in PostgreSQL. Any number of machines write to it: objects go to folders of their
 * own, and a run is published by one transaction when the store has all of them.
 */
export function storeArchive({ rows, blobs, store, folder }: StoreArchiveDeps): RunArchive {
  return {
    manifest: () => rows.manifest(),
    store,
    begin: async (run, options = {}) =>
      beginWriting(folder, run, await beginInStore(folder, rows, blobs, options)),
    remove: (unwanted) => rows.remove(unwanted),
    usedBytes: () => rows.bytes(),
    folder,
    maxStagedBytes: MAX_STAGED_BYTES,
  };
}

async function beginInStore(
  root: string,
  rows: RunRows,
  blobs: BlobStore,
  { wait = false, signal }: WriterOptions,
): Promise<Publication> {
  await makeFolder(root);
  const lock = await lockForWriting(root, wait, signal);
  try {
    await sweepStaging(root);
  } catch (error) {
    await lock.release();
    throw error;
  }
  return {
    publish: (folder, run, stop) => publishInStore(folder, run, rows, blobs, stop),
    end: () => lock.release(),
  };
}

/**
 * Puts a run into the store and publishes it. See `Publication.publish`.
 *
 * @param run As its folder has it. @param report Told of the bytes that were sent.
 */
export async function publishInStore(
  folder: string,
  run: Run,
  rows: RunRows,
  blobs: BlobStore,
  signal?: AbortSignal,
  report?: (bytes: number) => void,
): Promise<Run> {
  const content = { ...run, id: contentOf(run.id) };
  const same = (await rows.manifest()).runs.find(({ id }) => contentOf(id) === content.id);
  if (same && (await hasRun(folder, same.path, await objectsBelow(blobs, same.path)))) return same;
  const { objects, indices } = await describeObjects(folder, run);
  const begun = await rows.begin(content);
  // A database that is away for a while costs one sign of life.
  const touching = setInterval(() => void rows.touch(begun.path).catch(() => {}), TOUCH_MS).unref();
  try {
    const { bytes, sent } = await putRun(folder, begun.path, indices, blobs, new Map(), signal);
    signal?.throwIfAborted();
    const published = await rows.publish({ ...begun, objects }, bytes, same?.path);
    report?.(sent);
    return published;
  } catch (error) {
    // Whoever sweeps removes its objects, now or in an hour.
    await rows.giveUp(begun.path).catch(() => {});
    throw error;
  } finally {
    clearInterval(touching);
  }
}
