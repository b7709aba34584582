import type { ObjectVersion } from "./answer.ts";

/** What is wanted of an object. */
export interface GetOptions {
  /** "unchanged" is the answer where the object still has this ETag, or is not younger (Unix seconds). */
  etag?: string;
  modifiedSince?: number;
  /** Only this version of the object; another one is a ReplacedError. */
  ifMatch?: ObjectVersion;
  /** Bytes `from` to before `to`; without `to` to the end of the object. */
  range?: { from: number; to?: number };
  /**
   * A path, where a whole file is written in one step; or a function that gets the bytes in order as they come, and whose
   * bytes they are. Into memory without it.
   */
  into?: string | ((bytes: Uint8Array, version: ObjectVersion) => void | Promise<void>);
  /** More is not accepted, neither as sent nor when decompressed. */
  maxBytes: number;
  /** Sent with the request: an authorization. Not to FEED_MIRROR, which is another host. */
  headers?: Readonly<Record<string, string>>;
  signal: AbortSignal;
}
