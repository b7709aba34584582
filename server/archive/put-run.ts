import { createHash, type Hash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join, relative, sep } from "node:path";
import { BlobMissingError, type BlobStore } from "#server/platform/blob-store.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { inParallel } from "#server/platform/in-parallel.ts";
import { INDICES } from "./run-objects.ts";

/** What arrived at the store is not what was sent. */
export class DifferentObjectError extends ProcessingError {
  override readonly name = "DifferentObjectError";
  constructor(key: string) {
    super(
      `The store returns another ${key} than it was sent: nothing was published, and the next attempt sends it again`,
    );
  }
}

/** Objects sent at the same time. */
const AT_ONCE = 4;

/**
 * Puts the files of a run, and its packed indices, into a store. Each object is read back and compared.
 *
 * Throws DifferentObjectError, UnavailableError.
 *
 * @param folder With the files of the run.
 * @param path Of the run in the store.
 * @param there Bytes of the objects that the store has, by key: those are compared, and sent only where they differ. Is
 *   brought up to date.
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
    if (!(await isSame(store, key, content, signal))) throw new DifferentObjectError(key);
  }
  await inParallel(AT_ONCE, await filesBelow(folder), async (file) =>
    put(keyOf(folder, path, file), (await stat(file)).size, () => createReadStream(file)),
  );
  await put(`${path}/${INDICES}`, indices.length, () => once(indices));
  return counts;
}

/** Whether a store has all objects of a run, as far as their lengths tell. @param there As of `putRun`. */
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
