import { buffer } from "node:stream/consumers";
import { passageResponse } from "#lib/contract/passage-reply.ts";
import type { TaskKind } from "#lib/contract/task.ts";
import { workabilityResponse } from "#lib/contract/workability.ts";
import { passageFormats } from "#lib/passage/files.ts";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { storedMap, storedPoints } from "#lib/table/stored.ts";
import { workabilityCsv } from "#lib/workability/files.ts";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { isNoSpace, NoSpaceError, UnavailableError } from "#server/platform/errors.ts";
import { preferredEncoding } from "#server/platform/negotiation.ts";
import { nextTurn } from "#server/platform/next-turn.ts";
import { SharedRuns } from "#server/platform/shared-runs.ts";
import { convertedFile } from "./converted-files.ts";
import { gunzipped, putGzip, readVerified } from "./gzip-blobs.ts";

/** A conversion with at least this many points or values is large. */
const LARGE = 10_000_000;

/** Memory for a value of a map while it is converted, bytes. Large results are maps. */
const VALUE_BYTES = 2;

/**
 * Limits of the queue of conversions. Each owner has one running at a time, and owners take turns; one large conversion
 * runs at a time overall. A conversion may take minutes, so the number of waiting ones is limited per owner.
 */
export const conversionLimits = {
  running: 2,
  runningOfOwner: 1,
  waiting: 64,
  waitingOfOwner: 8,
  answerSeconds: 900,
  bytes: LARGE * VALUE_BYTES,
  bytesOfOwner: LARGE * VALUE_BYTES,
};

/** Retry-After, seconds. */
const NO_SPACE_RETRY_S = 60;

/**
 * Envelopes up to this size, bytes, are converted on the calling thread, which takes a few milliseconds, and are not
 * cached.
 */
const SMALL_BYTES = 64 * 1024;

/** Writes the blob `to` off the calling thread. @returns Its size, bytes. */
export type Convert = (conversion: Conversion, signal: AbortSignal) => Promise<number>;

/**
 * Records the size of a converted blob. Never rejects: the sweep deletes an unrecorded blob, which is then made again.
 */
export type CountConverted = (blob: { key: string; bytes: number }) => Promise<void>;

/** Gives each conversion its place. Owners take turns. */
export interface ConversionQueue {
  /**
   * @param job `bytes` is the memory of a large conversion, 0 for others.
   * @throws UnavailableError where too many wait; the signal's reason.
   */
  run<Result>(
    job: { owner: string; bytes: number; aborter: AbortController },
    work: () => Promise<Result>,
  ): Promise<Result>;
}

/** Properties of a request that decide how a converted result is sent. */
export interface ConversionRequest {
  method: string;
  header(name: string): string | undefined;
  signal: AbortSignal;
}

interface ConvertedReply {
  headers: Record<string, string>;
  body: Uint8Array | AsyncIterable<Uint8Array>;
}

/**
 * Converts stored envelopes to other formats. Each conversion runs once and writes a blob beside its source. Callers
 * that request it meanwhile share it, and it stops when nobody waits for it any more.
 */
export class Conversions {
  readonly #blobs: BlobStore;
  readonly #convert: Convert;
  readonly #queue: ConversionQueue;
  readonly #count: CountConverted;
  readonly #running = new SharedRuns<void>();

  constructor(blobs: BlobStore, convert: Convert, queue: ConversionQueue, count: CountConverted) {
    this.#blobs = blobs;
    this.#convert = convert;
    this.#queue = queue;
    this.#count = count;
  }

  /**
   * Returns a stored envelope in another format, ready to be sent. A blob is opened when the body is read.
   *
   * @param owner Owner of the envelope.
   * @param plain The envelope, if it is in memory.
   * @throws UnavailableError where too many wait or the disk is full; the signal's reason where the client left.
   */
  async reply(
    owner: string,
    source: StoredEnvelope,
    type: string,
    request: ConversionRequest,
    plain?: Uint8Array,
  ): Promise<ConvertedReply> {
    const headers = { "content-type": type };
    if (plain && plain.length <= SMALL_BYTES)
      return { headers, body: await buffer(inFormat(type, source, [plain])) };
    const file = convertedFile(source.file, type);
    let bytes = await this.#lengthOf(file);
    // A HEAD request is not worth a conversion.
    if (bytes === undefined && request.method === "HEAD") return { headers, body: nothing() };
    if (bytes === undefined) {
      await this.#converted(owner, { source, type, to: file }, request.signal);
      bytes = await this.#lengthOf(file);
    }
    const encoding = preferredEncoding(request.header("accept-encoding"), "gzip");
    if (encoding === "gzip")
      return {
        headers: { ...headers, "content-encoding": "gzip", vary: "X-API-Key, Accept, Accept-Encoding" },
        body: this.#blobs.read(file),
      };
    // With brotli the length would differ.
    const length = encoding === undefined && bytes !== undefined && { "content-length": String(bytes) };
    return { headers: { ...headers, ...length }, body: gunzipped(this.#blobs.read(file)) };
  }

  /** Uncompressed length of a blob, from the end of its gzip; undefined where there is no such blob. */
  async #lengthOf(file: string): Promise<number | undefined> {
    // The format stores the length modulo 4 GiB. The largest conversion, lines of JSON of 50 million values, is
    // smaller.
    const end = await this.#blobs.getRange(file, -4, 4);
    return end && Buffer.from(end).readUInt32LE(0);
  }

  async #converted(owner: string, conversion: Conversion, signal: AbortSignal): Promise<void> {
    try {
      await this.#running.run(conversion.to, (stop) => this.#run(owner, conversion, stop), signal);
    } catch (error) {
      if (error instanceof NoSpaceError) {
        const text = "There is no space for the result in this format at the moment";
        throw new UnavailableError(text, NO_SPACE_RETRY_S, { cause: error });
      }
      throw error;
    }
  }

  async #run(owner: string, conversion: Conversion, stop: AbortController): Promise<void> {
    const size = conversion.source.size ?? 0;
    const job = { owner, bytes: size > LARGE ? size * VALUE_BYTES : 0, aborter: stop };
    const bytes = await this.#queue.run(job, () => this.#convert(conversion, stop.signal));
    await this.#count({ key: conversion.to, bytes });
  }
}

async function* nothing(): AsyncGenerator<Uint8Array> {}

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
  /** Media type, one of `typesOfResult` other than JSON. */
  type: string;
  /** Key of the blob to write. */
  to: string;
}

/**
 * Writes a stored envelope in another format, as gzip. It needs memory for the values: two bytes for a value of a map,
 * eight for one of a point.
 *
 * @returns Size of the blob, bytes.
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

/**
 * Yields an envelope in another format. @param json Its decompressed bytes, which may follow the line of headers of a
 * stored answer.
 */
export async function* inFormat(
  type: string,
  { kind, size, synthetic }: Pick<StoredEnvelope, "kind" | "size" | "synthetic">,
  json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  if (kind === "MetOcean") {
    yield* pointFormats[type as keyof typeof pointFormats](await storedPoints(json, size, synthetic));
  } else if (kind === "workability") {
    const { results: rows, meta } = workabilityResponse.parse(await storedEnvelope(json)).result;
    yield* workabilityCsv({ rows, meta, synthetic });
  } else if (kind === "passages/evaluate" || kind === "passages/optimise") {
    const { results: plans, meta } = passageResponse.parse(await storedEnvelope(json)).result;
    yield* passageFormats[type as keyof typeof passageFormats]({ plans, meta, synthetic });
  } else {
    const { field, origin } = await storedMap(json, synthetic);
    yield* mapFormats[type as keyof typeof mapFormats](field, origin);
  }
}

/** Reads an answer completely, which is possible because its rows are limited. */
async function storedEnvelope(json: AsyncIterable<Uint8Array> | Iterable<Uint8Array>): Promise<unknown> {
  const parts: Uint8Array[] = [];
  for await (const part of json) parts.push(part);
  // In a stored answer the envelope is one line among others.
  const lines = Buffer.concat(parts).toString("utf8").split("\n");
  const envelope = lines.find((line) => line.startsWith('{"task_id"'));
  return JSON.parse(envelope ?? "null");
}

/** Yields to the event loop between pieces, so that the thread receives the message that stops a conversion. */
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
