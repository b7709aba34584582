import { passageResponse } from "#lib/contract/passage-reply.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import { type PassageAnswer, passageFormats } from "#lib/passage/files.ts";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { storedMap, storedPoints } from "#lib/table/stored.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { isNoSpace, NoSpaceError } from "#server/platform/errors.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { gunzipped, putGzip, readVerified } from "./gzip-blobs.ts";

/** A SUCCESS envelope in the blob store, as gzip. */
export interface StoredEnvelope {
  file: string;
  /** SHA-256 of the compressed bytes, where it is known. */
  hash?: string;
  kind: TaskKind;
  /** Number of points or of values, where it is known. */
  size?: number;
  synthetic: boolean;
}

export interface Conversion {
  source: StoredEnvelope;
  /** One of `typesOfResult`, but not JSON. */
  type: string;
  /** Key of the blob to write. */
  to: string;
}

/**
 * Writes a stored envelope in another format, as gzip. Takes memory for its numbers: two bytes for a value of a map, eight
 * for one of a point.
 *
 * @returns Its bytes.
 * @throws NoSpaceError
 */
export async function convertStored(
  blobs: BlobStore,
  { source, type, to }: Conversion,
  signal: AbortSignal,
): Promise<number> {
  const { file, hash } = source;
  const packed = hash === undefined ? blobs.read(file, signal) : readVerified(blobs, file, hash);
  const json = interruptible(gunzipped(packed), signal);
  try {
    const { bytes } = await putGzip(blobs, to, interruptible(inFormat(type, source, json), signal), signal);
    return bytes;
  } catch (error) {
    // The code of a system error does not cross the boundary of a thread.
    throw isNoSpace(error) ? new NoSpaceError() : error;
  }
}

/** An envelope in another format. @param json Its bytes, decompressed; the line of headers of a kept answer may precede. */
export async function* inFormat(
  type: string,
  { kind, size, synthetic }: Pick<StoredEnvelope, "kind" | "size" | "synthetic">,
  json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (kind === "MetOcean") {
    yield* pointFormats[type as keyof typeof pointFormats](await storedPoints(json, size, synthetic));
  } else if (kind === "passages/evaluate" || kind === "passages/optimise") {
    const answer = await storedPassages(json, synthetic);
    yield* passageFormats[type as keyof typeof passageFormats](answer);
  } else {
    const { field, origin } = await storedMap(json, synthetic);
    yield* mapFormats[type as keyof typeof mapFormats](field, origin);
  }
}

/** A stored answer of passages: its rows are bounded, so that it is read as a whole. */
async function storedPassages(
  json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
  synthetic: boolean,
): Promise<PassageAnswer> {
  const parts: Uint8Array[] = [];
  for await (const part of json) parts.push(part);
  // Of a kept answer the envelope is one line among others.
  const lines = Buffer.concat(parts).toString("utf8").split("\n");
  const envelope = lines.find((line) => line.startsWith('{"task_id"'));
  const { results, meta } = passageResponse.parse(JSON.parse(envelope ?? "null")).result;
  return { plans: results, meta, synthetic };
}

/** Between two pieces the thread receives messages, such as the one that stops a conversion. */
async function* interruptible(
  pieces: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  for await (const piece of pieces) {
    yield piece;
    await nextTurn();
    signal.throwIfAborted();
  }
}
