import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BlobMissingError, type BlobStore } from "#server/platform/blob-store.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { makeFolder } from "#server/platform/files.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { lockForWriting, type Publication, sweepStaging, type WriterOptions } from "./folder-publication.ts";
import { contentOf, type Run } from "./run.ts";
import type { RunArchive } from "./run-archive.ts";
import { describeObjects, INDICES } from "./run-objects.ts";
import type { RunRows } from "./run-rows.ts";
import type { ChunkStore } from "./store.ts";
import { beginWriting } from "./writer.ts";

/** Size of the largest run that is written at once, bytes: a segment of the largest profile of feeds. */
const MAX_STAGED_BYTES = 4e9;
/** Interval between two heartbeats of a run that is being written, milliseconds. */
const TOUCH_MS = 60_000;

interface StoreArchiveDeps {
  rows: RunRows;
  /** The bucket with the objects of runs. */
  blobs: BlobStore;
  /** The same objects, for reading. */
  store: ChunkStore;
  /**
   * Folder in which a run is written before its objects are put into the store. Each disk has one such run at a time.
   */
  folder: string;
}

/**
 * Opens the archive of a bucket, whose catalog is in PostgreSQL. Any number of machines may write to it: the objects of
 * each run go to a folder of their own, and one transaction publishes the run when the store has all of them.
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
 * @param run The run as its folder has it. @param report Receives the number of bytes that were sent.
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
  // A database outage costs only a heartbeat.
  const touching = setInterval(() => void rows.touch(begun.path).catch(() => {}), TOUCH_MS).unref();
  try {
    const { bytes, sent } = await putRun(folder, begun.path, indices, blobs, new Map(), signal);
    signal?.throwIfAborted();
    const published = await rows.publish({ ...begun, objects }, bytes, same?.path);
    report?.(sent);
    return published;
  } catch (error) {
    // The next maintenance removes the objects, now or in an hour.
    await rows.giveUp(begun.path).catch(() => {});
    throw error;
  } finally {
    clearInterval(touching);
  }
}

/** The store has other bytes than were sent. */
export function differentObject(key: string): ProcessingError {
  return new ProcessingError(
    `The store returns another ${key} than it was sent: nothing was published, and the next attempt sends it again`,
  );
}

/** Number of objects sent at the same time. */
const AT_ONCE = 4;

/**
 * Puts the files of a run, and its packed indices, into a store. Each object is read back and compared.
 *
 * Throws ProcessingError where an object differs, UnavailableError.
 *
 * @param folder Folder with the files of the run.
 * @param path Path of the run in the store.
 * @param there Bytes of the objects that the store has, by key: those are compared, and sent only if they differ. The
 *   map is updated.
 * @returns Bytes of the objects, and how many of them were sent.
 */
export async function putRun(
  folder: string,
  path: string,
  indices: Uint8Array,
  store: BlobStore,
  there: Map<string, number>,
  signal?: AbortSignal,
): Promise<{ bytes: number; sent: number }> {
  const counts = { bytes: 0, sent: 0 };
  async function put(key: string, bytes: number, content: () => AsyncIterable<Uint8Array>) {
    signal?.throwIfAborted();
    counts.bytes += bytes;
    if (there.get(key) === bytes && (await isSame(store, key, content, signal))) return;
    await store.put(key, content(), signal);
    there.set(key, bytes);
    counts.sent += bytes;
    if (!(await isSame(store, key, content, signal))) throw differentObject(key);
  }
  await inParallel(AT_ONCE, await filesBelow(folder), async (file) =>
    put(keyOf(folder, path, file), (await stat(file)).size, () => createReadStream(file)),
  );
  await put(`${path}/${INDICES}`, indices.length, () => once(indices));
  return counts;
}

/**
 * Whether a store has all objects of a run, as far as their lengths tell.
 *
 * @param there Bytes of the objects that the store has, by key.
 */
export async function hasRun(
  folder: string,
  path: string,
  there: ReadonlyMap<string, number>,
): Promise<boolean> {
  for (const file of await filesBelow(folder))
    if (there.get(keyOf(folder, path, file)) !== (await stat(file)).size) return false;
  return there.has(`${path}/${INDICES}`);
}

/** Bytes of the objects below a prefix, by key. */
export async function objectsBelow(store: BlobStore, prefix: string): Promise<Map<string, number>> {
  const objects = new Map<string, number>();
  for await (const { key, bytes } of store.list(prefix)) objects.set(key, bytes);
  return objects;
}

export async function* once(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

const keyOf = (folder: string, path: string, file: string) =>
  `${path}/${relative(folder, file).split(sep).join("/")}`;

async function isSame(
  store: BlobStore,
  key: string,
  content: () => AsyncIterable<Uint8Array>,
  signal: AbortSignal | undefined,
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

async function filesBelow(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name))
    .sort();
}
