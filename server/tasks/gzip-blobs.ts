import { createHash } from "node:crypto";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip, createGzip } from "node:zlib";
import type { BlobStore } from "#server/platform/blob-store.ts";
import type { TaskLog } from "./task.ts";

type Pieces = Iterable<Uint8Array> | AsyncIterable<Uint8Array>;

/** Length and SHA-256 (hexadecimal) of the compressed bytes. */
export interface StoredBlob {
  bytes: number;
  hash: string;
}

/** Stored bytes differ from those that were written. */
export class BlobDamagedError extends Error {
  override readonly name = "BlobDamagedError";
  constructor(key: string) {
    super(`The blob ${key} is not what was written`);
  }
}

const CHUNK_BYTES = 64 * 1024;

/** Results are numbers as text: level 1 compresses them within a tenth of level 6, in a third of the time. */
const gzipOptions = { level: 1, chunkSize: CHUNK_BYTES };

/** Compresses bytes with gzip and stores them while they are produced. */
export function putGzip(
  blobs: BlobStore,
  key: string,
  pieces: Pieces,
  signal?: AbortSignal,
): Promise<StoredBlob> {
  return putHashed(blobs, key, through(createGzip(gzipOptions), pieces, signal), signal);
}

/** Stores bytes that are compressed already. */
export async function putHashed(
  blobs: BlobStore,
  key: string,
  pieces: Pieces,
  signal?: AbortSignal,
): Promise<StoredBlob> {
  const hash = createHash("sha256");
  let bytes = 0;
  const hashed = async function* () {
    for await (const chunk of pieces) {
      hash.update(chunk);
      bytes += chunk.length;
      yield chunk;
    }
  };
  await blobs.put(key, hashed(), signal);
  return { bytes, hash: hash.digest("hex") };
}

/**
 * Yields the compressed bytes of a blob.
 *
 * @throws BlobDamagedError before the last chunk, so that a reader never gets the whole of a damaged blob.
 */
export async function* readVerified(
  blobs: BlobStore,
  key: string,
  expectedHash: string,
): AsyncGenerator<Uint8Array, void, undefined> {
  const hash = createHash("sha256");
  let last: Uint8Array | undefined;
  for await (const chunk of blobs.read(key)) {
    hash.update(chunk);
    if (last) yield last;
    last = chunk;
  }
  if (hash.digest("hex") !== expectedHash) throw new BlobDamagedError(key);
  if (last) yield last;
}

/** Yields the uncompressed bytes of gzip. A reader that stops early closes the blob. */
export function gunzipped(packed: Pieces): AsyncGenerator<Buffer, void, undefined> {
  return through(createGunzip({ chunkSize: CHUNK_BYTES }), packed);
}

async function* through(
  transform: Transform,
  pieces: Pieces,
  signal?: AbortSignal,
): AsyncGenerator<Buffer, void, undefined> {
  // A failure reaches the reader, because it destroys the transform.
  pipeline(Readable.from(pieces, { objectMode: false }), transform, { signal }).catch(() => undefined);
  yield* transform;
}

/**
 * Deletes blobs that no row names any more. If the store fails they stay until the sweep of orphans (retention.ts),
 * because the change of the row is final in any case.
 */
export async function discardBlobs(
  blobs: Pick<BlobStore, "delete">,
  keys: readonly string[],
  log: Pick<TaskLog, "warn">,
): Promise<void> {
  try {
    for (const key of keys) await blobs.delete(key);
  } catch (error) {
    log.warn({ err: error, keys }, "blobs of a task could not be deleted; the next sweep deletes them");
  }
}
