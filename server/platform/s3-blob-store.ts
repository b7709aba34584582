import { Readable } from "node:stream";
import {
  DeleteObjectCommand,
  GetObjectCommand,
  type GetObjectCommandOutput,
  HeadObjectCommand,
  paginateListObjectsV2,
  S3Client,
} from "@aws-sdk/client-s3";
import { Upload } from "@aws-sdk/lib-storage";
import { BlobMissingError, type BlobStore, checkedKey, isBlobKey, type VersionedBlob } from "./blob-store.ts";
import type { S3Place } from "./blob-url.ts";
import { LateError, within } from "./deadline.ts";
import { NoSpaceError, StoreUnavailableError, UnavailableError } from "./errors.ts";

export interface S3BlobStore extends BlobStore {
  get(key: string, signal?: AbortSignal): Promise<Uint8Array | undefined>;
  getRange(
    key: string,
    offset: number,
    length: number,
    signal?: AbortSignal,
  ): Promise<Uint8Array | undefined>;
  /**
   * Returns the whole object with its ETag, "unchanged" if it still has the given one, or undefined if it does not
   * exist.
   */
  getChanged(
    key: string,
    etag: string | undefined,
    signal?: AbortSignal,
  ): Promise<VersionedBlob | "unchanged" | undefined>;
  /** Ends requests in flight, which throw StoreUnavailableError. */
  close(): void;
}

/** Time limits for a store, milliseconds. */
export interface S3Limits {
  /** Until the connection is open. */
  connectMs: number;
  /** Longest silence before the headers of an answer or within its body; then the request is sent again. */
  idleMs: number;
  /** For a blob or part that is read into memory, including all attempts, and for the answer to any other request. */
  wholeMs: number;
  /** For the body of one answer that is streamed; then the rest is requested again. */
  transferMs: number;
}

const LIMITS: S3Limits = { connectMs: 3000, idleMs: 10_000, wholeMs: 120_000, transferMs: 15 * 60_000 };
/** Sockets of one thread. Further requests wait. */
const MAX_SOCKETS = 64;
/** Attempts of the client at one request after 5xx, SlowDown or a broken connection, with jittered pauses. */
const ATTEMPTS = 4;
/** Attempts to continue a body that ended early, and the bytes that one must bring to count as progress. */
const BODY_ATTEMPTS = 4;
const WORTH_COUNTING = 64 * 1024;
/** Smallest part that every store accepts, except for the last one. A smaller blob is one request. */
const PART_BYTES = 8 * 2 ** 20;
const PARTS_AT_ONCE = 2;

/**
 * Stores blobs as objects of a bucket. Credentials and endpoint are found as Amazon's own programs find them
 * (`AWS_ACCESS_KEY_ID`, `AWS_ENDPOINT_URL_S3`, …).
 *
 * Lengths of bodies are checked, and a body that ends early is continued from its last byte. Conditional writes and
 * ranges from the end are not used, because stores differ in both.
 */
export function s3BlobStore(
  { bucket, prefix, region = "us-east-1", isPathStyle = false }: S3Place,
  { attempts = ATTEMPTS, limits = LIMITS }: { attempts?: number; limits?: S3Limits } = {},
): S3BlobStore {
  const client = new S3Client({
    region,
    forcePathStyle: isPathStyle,
    maxAttempts: attempts,
    // Many stores do not know the newer checksums, and our blobs carry checksums of their own.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: {
      connectionTimeout: limits.connectMs,
      socketTimeout: limits.idleMs,
      requestTimeout: limits.idleMs,
      throwOnRequestTimeout: true,
      httpAgent: { maxSockets: MAX_SOCKETS },
      httpsAgent: { maxSockets: MAX_SOCKETS },
    },
  });
  let isClosed = false;
  // The client itself limits only the time without a byte within a body, and retries where its sockets are destroyed.
  client.middlewareStack.add(
    (next, { commandName }) =>
      async (args) => {
        if (isClosed) throw new StoreUnavailableError("The object store was closed");
        const result = await next(args);
        const ms = commandName === "GetObjectCommand" ? limits.transferMs : limits.wholeMs;
        endBody((result.response as { body?: unknown }).body, ms);
        return result;
      },
    { step: "deserialize", priority: "low", name: "endsOfRequests" },
  );
  const at = (key: string) => ({ Bucket: bucket, Key: prefix + checkedKey(key) });

  /** @returns undefined where there is no such object. */
  async function opened(
    key: string,
    range: { from: number; to?: number; etag?: string } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<GetObjectCommandOutput | undefined> {
    const Range = range && `bytes=${range.from}-${range.to ?? ""}`;
    const input = { ...at(key), Range, IfMatch: range?.etag };
    try {
      const reply = await client.send(new GetObjectCommand(input), { abortSignal: signal });
      if (!range || isOfRange(reply, range)) return reply;
      (reply.Body as Readable).destroy();
      throw new StoreUnavailableError("The object store answers no ranges");
    } catch (error) {
      signal?.throwIfAborted();
      const failure = s3Failure(error);
      if (failure === "missing") return undefined;
      if (failure === "beyond") return nothing();
      throw failure;
    }
  }

  /** Yields the bytes of a body from an offset. After an early end the rest is requested. */
  async function* bytesOf(
    key: string,
    first: GetObjectCommandOutput,
    { from, to }: { from: number; to?: number },
    signal: AbortSignal | undefined,
  ): AsyncGenerator<Uint8Array> {
    const etag = first.ETag;
    let end = first.ContentLength === undefined ? to : from + first.ContentLength;
    let reply: GetObjectCommandOutput | undefined = first;
    for (let at = from, attempt = 1; ; attempt++) {
      let cause: unknown;
      const begun = at;
      try {
        for await (const bytes of reply.Body as Readable) {
          at += bytes.length;
          yield bytes;
        }
      } catch (error) {
        signal?.throwIfAborted();
        cause = error;
      }
      if (cause === undefined && (end === undefined || at === end)) return;
      if (at - begun >= WORTH_COUNTING) attempt = 0;
      else if (attempt >= BODY_ATTEMPTS) throw s3Error(cause ?? new Error("a body ended early"));
      reply = await opened(key, { from: at, to: end === undefined ? undefined : end - 1, etag }, signal);
      if (!reply) throw new BlobMissingError(key);
      end ??= reply.ContentLength === undefined ? undefined : at + reply.ContentLength;
    }
  }

  async function collected(
    key: string,
    range: { from: number; to?: number } | undefined,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array | undefined> {
    const reply = await opened(key, range, signal);
    return reply && Buffer.concat(await Array.fromAsync(bytesOf(key, reply, range ?? { from: 0 }, signal)));
  }

  /** @throws StoreUnavailableError where the store takes too long; the signal's reason. */
  async function inTime<Result>(
    signal: AbortSignal | undefined,
    work: (signal: AbortSignal) => Promise<Result>,
  ): Promise<Result> {
    try {
      return await within(limits.wholeMs, signal, work);
    } catch (error) {
      throw error instanceof LateError ? s3Error(error) : error;
    }
  }

  async function changed(
    key: string,
    etag: string | undefined,
    signal: AbortSignal,
  ): Promise<VersionedBlob | "unchanged" | undefined> {
    let first: GetObjectCommandOutput;
    try {
      first = await client.send(new GetObjectCommand({ ...at(key), IfNoneMatch: etag }), {
        abortSignal: signal,
      });
    } catch (error) {
      signal?.throwIfAborted();
      const { $metadata } = error as { $metadata?: { httpStatusCode?: number } };
      if (etag !== undefined && $metadata?.httpStatusCode === 304) return "unchanged";
      const failure = s3Failure(error);
      if (failure === "missing") return undefined;
      throw failure === "beyond" ? s3Error(error) : failure;
    }
    const bytes = Buffer.concat(await Array.fromAsync(bytesOf(key, first, { from: 0 }, signal)));
    // A store that does not support the condition sends the object again.
    if (etag !== undefined && first.ETag === etag) return "unchanged";
    return { bytes, version: first.ETag };
  }

  return {
    getChanged: (key, etag, signal) => inTime(signal, (both) => changed(key, etag, both)),

    get: (key, signal) => inTime(signal, (both) => collected(key, undefined, both)),

    async getRange(key, offset, length, signal) {
      if (length === 0) return new Uint8Array();
      return inTime(signal, async (both) => {
        const from = offset < 0 ? await fromEnd(key, offset, both) : offset;
        return from === undefined ? undefined : collected(key, { from, to: from + length - 1 }, both);
      });
    },

    async *read(key, signal) {
      const reply = await opened(key, undefined, signal);
      if (!reply) throw new BlobMissingError(key);
      yield* bytesOf(key, reply, { from: 0 }, signal);
    },

    async put(key, pieces, signal) {
      const params = { ...at(key), Body: Readable.from(pieces, { objectMode: false }) };
      const upload = new Upload({ client, params, partSize: PART_BYTES, queueSize: PARTS_AT_ONCE });
      const abort = () => void upload.abort();
      signal?.addEventListener("abort", abort, { once: true });
      let thrown: unknown;
      params.Body.once("error", (error) => {
        thrown = error;
      });
      try {
        signal?.throwIfAborted();
        await upload.done();
      } catch (error) {
        signal?.throwIfAborted();
        throw thrown ?? s3Error(error);
      } finally {
        params.Body.destroy();
        signal?.removeEventListener("abort", abort);
      }
    },

    async delete(key) {
      const input = at(key);
      await client.send(new DeleteObjectCommand(input)).catch((error) => {
        const failure = s3Failure(error);
        if (failure !== "missing") throw failure;
      });
    },

    async *list(below) {
      const Prefix = below === undefined ? prefix : `${prefix}${checkedKey(below)}/`;
      const pages = paginateListObjectsV2({ client }, { Bucket: bucket, Prefix });
      try {
        for await (const { Contents = [] } of pages) {
          for (const { Key = "", Size = 0, LastModified } of Contents) {
            const key = Key.slice(prefix.length);
            if (isBlobKey(key)) yield { key, bytes: Size, modified: (LastModified?.getTime() ?? 0) / 1000 };
          }
        }
      } catch (error) {
        throw s3Error(error);
      }
    },

    close() {
      isClosed = true;
      client.destroy();
    },
  };

  async function fromEnd(key: string, offset: number, signal: AbortSignal | undefined) {
    try {
      const { ContentLength = 0 } = await client.send(new HeadObjectCommand(at(key)), {
        abortSignal: signal,
      });
      return Math.max(0, ContentLength + offset);
    } catch (error) {
      signal?.throwIfAborted();
      const failure = s3Failure(error);
      if (failure === "missing") return undefined;
      throw failure;
    }
  }
}

/** Destroys a body that takes longer than allowed. */
function endBody(body: unknown, ms: number): void {
  if (!(body instanceof Readable)) return;
  const timer = setTimeout(() => body.destroy(new LateError(ms)), ms);
  body.once("close", () => clearTimeout(timer));
}

/** Whether a reply begins at the requested offset. Some stores and proxies send the whole object, which may be huge. */
function isOfRange(
  { ContentRange, ContentLength = Number.POSITIVE_INFINITY, $metadata }: GetObjectCommandOutput,
  { from, to = Number.POSITIVE_INFINITY }: { from: number; to?: number },
): boolean {
  if ($metadata.httpStatusCode === 206)
    return ContentRange === undefined || ContentRange.startsWith(`bytes ${from}-`);
  return from === 0 && ContentLength <= to + 1;
}

/** The reply to a range beyond the end. */
function nothing(): GetObjectCommandOutput {
  return { ContentLength: 0, Body: Readable.from([]), $metadata: {} } as unknown as GetObjectCommandOutput;
}

/** "missing": there is no such object; "beyond": the range begins after its end; otherwise the error for callers. */
export type FailureOf = "missing" | "beyond" | Error;

const MISSING = new Set(["NoSuchKey", "NotFound"]);
const FULL = new Set(["QuotaExceeded", "XMinioStorageFull", "InsufficientStorage", "EntityTooLarge"]);
/**
 * Errors, besides 401 and 403, that no retry solves: the operator has to act. The second and third mean another region.
 */
const REFUSED = new Set([
  "NoSuchBucket",
  "PermanentRedirect",
  "AuthorizationHeaderMalformed",
  "ExpiredToken",
]);

/** Translates an error of writing or listing, where "missing" and "beyond" are errors too. */
export function s3Error(error: unknown): Error {
  const failure = s3Failure(error);
  return failure instanceof Error ? failure : new StoreUnavailableError(undefined, { cause: error });
}

/** The failure that an error of the S3 client stands for. */
export function s3Failure(error: unknown): FailureOf {
  const { name = "", $metadata } = error as { name?: string; $metadata?: { httpStatusCode?: number } };
  const status = $metadata?.httpStatusCode;
  if (MISSING.has(name) || (status === 404 && name !== "NoSuchBucket")) return "missing";
  if (name === "InvalidRange" || status === 416) return "beyond";
  if (error instanceof UnavailableError || error instanceof TypeError) return error;
  if (FULL.has(name) || status === 507) return new NoSpaceError(undefined, { cause: error });
  if (name === "CredentialsProviderError")
    return new StoreUnavailableError("There are no credentials for the object store", { cause: error });
  const isRefused = REFUSED.has(name) || status === 401 || status === 403;
  const words = isRefused ? `The object store refuses this service (${name})` : undefined;
  return new StoreUnavailableError(words, { cause: error });
}
