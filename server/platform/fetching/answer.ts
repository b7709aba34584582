import type { IncomingHttpHeaders } from "node:http";
import { retryTime } from "./backoff.ts";
import {
  BrokenError,
  type FetchError,
  HostFailedError,
  RedirectedError,
  RefusedError,
  ReplacedError,
  ThrottledError,
} from "./errors.ts";

/** Which of the objects that an address has had. */
export interface ObjectVersion {
  /** As the host wrote it, with quotes. */
  etag?: string;
  /** Unix seconds. */
  lastModified?: number;
  /** Bytes of the whole object. */
  total?: number;
}

/** Whether two answers are surely of one object. Without an ETag, time and length say it. */
export function sameVersion(one: ObjectVersion, other: ObjectVersion): boolean {
  if (one.total !== undefined && other.total !== undefined && one.total !== other.total) return false;
  if (one.etag !== undefined && other.etag !== undefined) return one.etag === other.etag;
  return (
    one.lastModified !== undefined && one.lastModified === other.lastModified && one.total === other.total
  );
}

/** Whether later answers can be compared with it. */
export function isBound({ etag, lastModified, total }: ObjectVersion): boolean {
  return etag !== undefined || (lastModified !== undefined && total !== undefined);
}

/** The header that asks for one version, where it has one: a weak ETag never matches. */
export function ifMatchHeader(version: ObjectVersion | undefined): { "if-match"?: string } {
  const etag = version?.etag;
  return etag === undefined || etag.startsWith("W/") ? {} : { "if-match": etag };
}

/** What an answer with a body announces. */
export interface Announced extends ObjectVersion {
  /** Bytes of the body; undefined where it comes in chunks, whose end marks it as whole. */
  length: number | undefined;
  /** The body is compressed on the way. */
  gzip: boolean;
}

export interface Asked {
  host: string;
  path: string;
  /** Last byte excluded; open without it. */
  range?: { from: number; to?: number };
  throttledBy: readonly number[];
  /** Unix seconds. */
  now: number;
}

/**
 * Says what the status of an answer means.
 *
 * @returns Undefined for an answer that has the object's bytes.
 * @throws FetchError
 */
export function outcomeOf(
  asked: Asked,
  status: number,
  headers: IncomingHttpHeaders,
): "unchanged" | "absent" | undefined {
  if (status === 304) return "unchanged";
  if (asked.throttledBy.includes(status) || status === 429 || status === 503)
    throw new ThrottledError(asked.host, status, retryTime(headers["retry-after"], asked.now));
  if (status === 404 || status === 410) return "absent";
  if (status === 200 || status === 206) return undefined;
  throw errorOf(asked, status, headers);
}

function errorOf({ host, path }: Asked, status: number, headers: IncomingHttpHeaders): FetchError {
  if (status >= 300 && status < 400) return new RedirectedError(host, path, headers.location);
  if (status === 412) return new ReplacedError(host, path);
  if (status === 416) return new BrokenError(host, path, "it is shorter than expected (status 416)");
  if (status === 408 || status >= 500) return new HostFailedError(host, `fails with status ${status}`);
  return new RefusedError(host, status, path);
}

/**
 * Reads what a 200 or 206 announces and compares it with what was asked for.
 *
 * @throws BrokenError
 */
export function announcedBy(asked: Asked, status: number, headers: IncomingHttpHeaders): Announced {
  const broken = (what: string) => new BrokenError(asked.host, asked.path, what);
  const length = headers["content-length"] === undefined ? undefined : Number(headers["content-length"]);
  if (length === undefined && headers["transfer-encoding"] !== "chunked")
    throw broken("it does not say how long it is");
  const encoding = encodingOf(headers);
  const gzip = encoding === "gzip" || encoding === "x-gzip";
  if (!gzip && encoding !== "identity") throw broken(`its encoding is ${encoding.slice(0, 40)}`);
  const modified = Date.parse(headers["last-modified"] ?? "");
  const version: ObjectVersion = {
    etag: headers.etag,
    lastModified: Number.isNaN(modified) ? undefined : modified / 1000,
  };
  if (asked.range === undefined) {
    if (status !== 200) throw broken("only a part of it was sent");
    return { ...version, total: gzip ? undefined : length, length, gzip };
  }
  if (status !== 206) throw broken("it was sent whole, though a part was asked for");
  if (gzip) throw broken("a part of it was sent compressed");
  const { from, to } = asked.range;
  const [first, last, total] = readContentRange(headers["content-range"]);
  if (first === undefined || last === undefined || total === undefined || last >= total)
    throw broken("the part that was sent is not named");
  if (to !== undefined && to > total) throw broken(`it has only ${total} bytes`);
  if (first !== from || last !== (to ?? total) - 1)
    throw broken(`bytes ${first} to ${last} were sent, not ${from} to ${(to ?? total) - 1}`);
  if (length !== undefined && length !== last - first + 1)
    throw broken(`${length} bytes were announced for a part of ${last - first + 1}`);
  return { ...version, total, length: last - first + 1, gzip: false };
}

/** How a body is compressed; `identity` where it is not. */
export function encodingOf(headers: IncomingHttpHeaders): string {
  // Some S3 stores repeat how the object was uploaded; its bytes are plain.
  return (headers["content-encoding"] ?? "identity").replace("aws-chunked", "identity");
}

function readContentRange(header: string | undefined): number[] {
  return (/^bytes (\d{1,15})-(\d{1,15})\/(\d{1,15})$/.exec(header ?? "") ?? []).slice(1).map(Number);
}
