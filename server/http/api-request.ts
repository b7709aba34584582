import type { Limit } from "#lib/contract/limits.ts";
import type { Origin } from "#lib/table/table.ts";

/** Route of a path that no operation has. */
export const NO_ROUTE = "none";

/** Origin of a request: a program or a page in a browser of this machine, without a proxy in between, or elsewhere. */
export type Sender = "program" | "page" | "elsewhere";

/** The part of a request that gives its headers. */
export type Headed = Pick<ApiRequest, "header">;

/**
 * The parts of a request that an operation sees.
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
  /** Id of the request for logs and the `X-Request-Id` header. */
  id: string;
  /** Time at which the whole request had arrived, including its body if that is read. Monotonic clock, milliseconds. */
  arrived: number;
  /**
   * Reads the whole body.
   *
   * @param limit Bytes; rejects with an `HttpError` of 413 beyond.
   */
  body(limit: number): Promise<Uint8Array>;
  /** Aborts when the client disconnects, or the time limit of the answer is over. */
  aborter: AbortController;
  signal: AbortSignal;
  /** Headers of every reply to the request, including errors: those of its rate limit once it is counted. */
  replyHeaders: Record<string, string>;
}

/** Sender of a request: the owner of its key, or a visitor. */
export interface Caller {
  /** Id under which requests are counted. */
  id: string;
  /** Public part of its key, for lists and logs. */
  prefix: string;
  /** Owner of tasks; several keys may have one owner. */
  owner: string;
  email?: string;
  /** Applies to every group of operations if present. */
  limit?: Limit;
  /** Whether the caller is a visitor without a key, who never owns anything. */
  isGuest?: true;
}

/** A body that is produced while it is sent. Either form is read at most once. */
export interface StreamedBody extends AsyncIterable<Uint8Array> {
  /** Returns the body as a gzip stream; present if that costs less than compressing it. */
  gzip?(): AsyncIterable<Uint8Array>;
  /** Aborts to disconnect a reader that is too slow. */
  signal?: AbortSignal;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array | StreamedBody | null;
  /**
   * Returns the same answer as JSON, which is stored under an Idempotency-Key if the body is another format or a
   * stream.
   */
  asJson?(): AsyncIterable<Uint8Array>;
  /** Origin of the numbers, which other formats state; it is stored beside the answer. */
  provenance?: Origin["provenance"];
  /** The answer is repeated as it was sent, because it cannot be converted into other formats. */
  asSent?: true;
  /** Whether the next attempt may have another answer, so that the reply is not stored. */
  transient?: boolean;
}

/** An operation as the router calls it. The router turns what it throws into a reply. */
export type Operation = (request: ApiRequest) => Promise<Reply>;

/** The part of a logger that the pipeline writes to. */
export interface RequestLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
