/**
 * What an operation sees of a request, and what it answers.
 *
 * A subset of the web's Request and Response: the custom server makes these from node's own objects (five times cheaper
 * than WHATWG ones), the Next route handlers from a real Request.
 */
export interface ApiRequest {
  method: string;
  /** Decoded pathname, without a trailing slash. */
  path: string;
  /** Path parameters, by the names of the route table: `{ task_id: "…" }`. */
  params: Readonly<Record<string, string>>;
  query: URLSearchParams;
  header(name: string): string | undefined;
  /** Address of the client, after trusted proxies. */
  address: string;
  /** For logs and the `X-Request-Id` header. */
  id: string;
  /**
   * Reads the whole body.
   *
   * @param limit Bytes; throws `BodyTooLargeError` beyond.
   */
  body(limit: number): Promise<Uint8Array>;
  /** Aborts when the client goes away or the server stops waiting. */
  signal: AbortSignal;
}

/** A body that is made while it is sent. Either form is read once at most. */
export interface StreamedBody extends AsyncIterable<Uint8Array> {
  /** The same as a gzip stream, where that costs less than to compress it. */
  gzip?(): AsyncIterable<Uint8Array>;
}

export interface Reply {
  status: number;
  /** Names in lower case. */
  headers: Record<string, string>;
  body: string | Uint8Array | StreamedBody | null;
}

/** An operation as the dispatcher and the Next routes mount it. Never throws: every failure is a reply. */
export type Operation = (request: ApiRequest) => Promise<Reply>;
