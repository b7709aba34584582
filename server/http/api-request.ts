import type { Limit } from "#lib/contract/limits.ts";
import type { Origin } from "#lib/table/table.ts";

/** Route of a path that no operation has. */
export const NO_ROUTE = "none";

/**
 * Where a request comes from: through no proxy from this machine, by a program or by a page in its browser, or from elsewhere.
 */
export type Sender = "program" | "page" | "elsewhere";

/** A request of which only the headers are read. */
export type Headed = Pick<ApiRequest, "header">;

/**
 * What an operation sees of a request.
 *
 * A subset of the web's Request: the custom server makes it from Node's own objects (five times cheaper than WHATWG
 * ones), the Next route handlers from a real Request.
 */
export interface ApiRequest {
  method: string;
  /** Decoded pathname, without a trailing slash. */
  path: string;
  /** The parts of the path between its slashes, each decoded. */
  segments: readonly string[];
  /** Pattern of the path, `/task/:task_id`: what a log says of it, since a path may be a secret that opens something. */
  route: string;
  /** Path parameters by name: `{ task_id: "…" }`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  /** @param name In lower case. */
  header(name: string): string | undefined;
  /** Address of the client, after trusted proxies. */
  address: string;
  sender: Sender;
  /** For logs and the `X-Request-Id` header. */
  id: string;
  /** When it was there as a whole: its headers, and its body where that is read. Monotonic clock, milliseconds. */
  arrived: number;
  /**
   * Reads the whole body.
   *
   * @param limit Bytes; rejects with an `HttpError` of 413 beyond.
   */
  body(limit: number): Promise<Uint8Array>;
  /** Aborted when the client disconnects, or the time of its answer is over. */
  aborter: AbortController;
  /** The aborter's. */
  signal: AbortSignal;
  /** Headers of every reply to it, errors too: those of its rate limit, once it is counted. */
  replyHeaders: Record<string, string>;
}

/** Who sends a request: the owner of its key, or a visitor. */
export interface Caller {
  /** What its requests are counted for. */
  id: string;
  /** Public part of its key, for lists and logs. */
  prefix: string;
  /** Owner of tasks; several keys may have one owner. */
  owner: string;
  email?: string;
  /** Applies to every group of operations where present. */
  limit?: Limit;
  /** A visitor without a key: never an owner of anything. */
  isGuest?: true;
}

/** A body that is produced while it is sent. Either form is read at most once. */
export interface StreamedBody extends AsyncIterable<Uint8Array> {
  /** The same as a gzip stream, where that costs less than compressing it. */
  gzip?(): AsyncIterable<Uint8Array>;
  /** Aborts to disconnect a reader that is too slow. */
  signal?: AbortSignal;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array | StreamedBody | null;
  /** The same answer as JSON, which is stored under an Idempotency-Key where the body is another format or a stream. */
  asJson?(): AsyncIterable<Uint8Array>;
  /** Where its numbers come from, which other formats state: stored beside the answer. */
  provenance?: Origin["provenance"];
  /** The same request may be answered otherwise at the next attempt: the reply is not stored. */
  transient?: boolean;
}

/** An operation as the router calls it, which makes a reply of what it throws. */
export type Operation = (request: ApiRequest) => Promise<Reply>;

/** The part of a logger that the pipeline writes to. */
export interface RequestLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
