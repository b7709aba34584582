import { randomUUID } from "node:crypto";
import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable, type Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import { monotonicMs } from "#server/platform/clock.ts";
import { type Encoding, preferredEncoding } from "#server/platform/negotiation.ts";
import type { RequestTarget } from "#server/platform/request-target.ts";
import { type ApiRequest, NO_ROUTE, type Reply, type Sender, type StreamedBody } from "./api-request.ts";
import { clientAddress, senderOf } from "./client-address.ts";
import { dropBody, isStream } from "./reply.ts";
import { type BodyMemory, expectsContinue, readBody } from "./request-body.ts";

/** Implements ApiRequest over Node's own objects; properties that few operations need are created on first use. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
  readonly segments: readonly string[];
  route = NO_ROUTE;
  params: Readonly<Record<string, string>> = {};
  replyHeaders: Record<string, string> = {};
  readonly id: string;
  readonly address: string;
  arrived = monotonicMs();
  readonly #target: RequestTarget;
  readonly #incoming: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #bodies: BodyMemory;
  #query: URLSearchParams | undefined;
  #aborter: AbortController | undefined;

  constructor(
    incoming: IncomingMessage,
    response: ServerResponse,
    target: RequestTarget,
    trustedProxies: number,
    bodies: BodyMemory,
  ) {
    this.method = incoming.method ?? "GET";
    this.path = target.path;
    this.segments = target.segments;
    this.#target = target;
    this.#incoming = incoming;
    this.#response = response;
    this.#bodies = bodies;
    this.id = requestIdOf(incoming.headers["x-request-id"]);
    this.address = clientAddress(incoming, trustedProxies);
  }

  get query(): URLSearchParams {
    this.#query ??= new URLSearchParams(this.#target.query);
    return this.#query;
  }

  header(name: string): string | undefined {
    return headerOf(this.#incoming, name);
  }

  get sender(): Sender {
    return senderOf(this.#incoming);
  }

  get aborter(): AbortController {
    if (this.#aborter) return this.#aborter;
    const aborter = new AbortController();
    const response = this.#response;
    const abort = () => {
      if (!response.writableFinished) aborter.abort();
    };
    if (response.closed || response.destroyed) abort();
    else response.once("close", abort);
    this.#aborter = aborter;
    return aborter;
  }

  get signal(): AbortSignal {
    return this.aborter.signal;
  }

  body(limit: number): Promise<Uint8Array> {
    return readBody(this.#incoming, this.#response, limit, this, this.#bodies);
  }
}

function headerOf({ headers }: IncomingMessage, name: string): string | undefined {
  const value = headers[name];
  return Array.isArray(value) ? value.join(", ") : value;
}

/** Gives the headers of a page request as an ApiRequest does. */
export function headersOf(incoming: IncomingMessage): Pick<ApiRequest, "header"> {
  return { header: (name) => headerOf(incoming, name) };
}

/** Returns the caller's own id if it is safe to log, otherwise a new one. */
export function requestIdOf(given: string | string[] | undefined): string {
  return typeof given === "string" && /^[\w.-]{8,64}$/.test(given) ? given : randomUUID();
}

/** Shorter bodies are not worth compressing. */
const MIN_BYTES = 1024;

/** Up to this size compressing on this thread is cheaper than handing the body to another. */
const MAX_SYNC_BYTES = 16 * 1024;

/** Media types worth compressing: our binary formats and images are compressed already. */
const TEXT = /^(?:text\/|image\/svg\+xml|application\/(?:[\w.-]+\+)?(?:json|xml|x-ndjson|javascript))/;

/** An unread body is drained this far after the reply, so that the client sees the reply; then the connection is cut. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;
const MAX_DRAINED_MS = 30_000;

/**
 * Writes a reply: compressed where the client accepts it and the operation did not compress it itself; HEAD without its
 * body.
 *
 * @param reply Its headers are completed in place.
 * @returns When the last byte was handed over. Rejects when a streamed body fails. After its first byte the connection is
 *   then cut, so that the client does not mistake half an answer for a complete one; before, nothing was sent.
 */
export async function sendReply(
  incoming: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  if (response.destroyed) return dropBody(reply.body);
  const { body, headers } = reply;
  const encoding = encodingFor(incoming, reply);
  // The client still waits for 100 Continue, so its next request would be read as the body of this one.
  if (!incoming.complete && expectsContinue(incoming)) headers.connection = "close";
  if (isStream(body)) await sendStream(incoming, response, reply, body, encoding);
  else await sendWhole(incoming, response, reply, body, encoding);
  if (!incoming.complete) drain(incoming);
}

/** Chooses how to compress a body, and completes the headers that state it. */
function encodingFor(incoming: IncomingMessage, { body, headers }: Reply): Encoding | undefined {
  const isText = TEXT.test(headers["content-type"] ?? "");
  if (body === null || !isText || headers["content-encoding"] !== undefined) return undefined;
  if (headers["cache-control"]?.includes("no-transform")) return undefined;
  headers.vary = headers.vary ? `${headers.vary}, Accept-Encoding` : "Accept-Encoding";
  if (!isStream(body) && body.length < MIN_BYTES) return undefined;
  const hasGzip = isStream(body) && body.gzip !== undefined;
  const encoding = preferredEncoding(headerOf(incoming, "accept-encoding"), hasGzip ? "gzip" : undefined);
  if (encoding) {
    headers["content-encoding"] = encoding;
    // The bytes differ by encoding, so the tag becomes weak.
    if (headers.etag?.startsWith('"')) headers.etag = `W/${headers.etag}`;
  }
  return encoding;
}

async function sendWhole(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, headers }: Reply,
  body: string | Uint8Array | null,
  encoding: Encoding | undefined,
): Promise<void> {
  if (body === null) {
    if (status !== 204 && status !== 304) headers["content-length"] = "0";
    response.writeHead(status, rawHeaders(headers)).end();
    return;
  }
  const bytes = encoding
    ? await compress(typeof body === "string" ? Buffer.from(body) : body, encoding)
    : body;
  if (response.destroyed) return;
  const length = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
  headers["content-length"] = String(length);
  response.writeHead(status, rawHeaders(headers));
  if (incoming.method === "HEAD") response.end();
  else if (typeof bytes !== "string") response.end(bytes);
  // ASCII text, which nearly all text is, is sent together with its headers and needs no encoding.
  else response.end(bytes, length === bytes.length ? "latin1" : "utf8");
}

async function sendStream(
  incoming: IncomingMessage,
  response: ServerResponse,
  { status, headers }: Reply,
  body: StreamedBody,
  encoding: Encoding | undefined,
): Promise<void> {
  if (incoming.method === "HEAD") {
    response.writeHead(status, rawHeaders(headers)).end();
    return dropBody(body);
  }
  const compressed = encoding === "gzip" ? body.gzip?.() : undefined;
  const source = Readable.from(compressed ?? body, { objectMode: false, signal: body.signal });
  // A failure before the first byte can still be answered as an error. Event streams are exempt: their first event may
  // be far off.
  if (headers["content-type"] !== "text/event-stream") await once(source, "readable");
  response.writeHead(status, rawHeaders(headers));
  if (encoding && !compressed) await pipeline(source, compressor(encoding), response);
  else await pipeline(source, response);
}

/** Returns alternating names and values: Node writes such a list unchanged, but looks up every name of an object. */
function rawHeaders(headers: Record<string, string>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, headers[name]!);
  return list;
}

function drain(incoming: IncomingMessage): void {
  let drained = 0;
  const timer = setTimeout(() => incoming.socket.destroy(), MAX_DRAINED_MS).unref();
  incoming.once("close", () => clearTimeout(timer));
  incoming.on("data", (chunk: Buffer) => {
    drained += chunk.length;
    if (drained > MAX_DRAINED_BYTES) incoming.socket.destroy();
  });
  incoming.resume();
}

// The levels are the cheapest ones: level 6 takes eight seconds for a large grid and gains little.
const gzipOptions = { level: 1 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipAsync = promisify<Uint8Array, object, Buffer>(gzip);
const brotliAsync = promisify<Uint8Array, object, Buffer>(brotliCompress);

/** Compresses a whole body; a large one on another thread. */
async function compress(body: Uint8Array, encoding: Encoding): Promise<Buffer> {
  if (encoding === "br")
    return body.length <= MAX_SYNC_BYTES
      ? brotliCompressSync(body, brotliOptions)
      : brotliAsync(body, brotliOptions);
  return body.length <= MAX_SYNC_BYTES ? gzipSync(body, gzipOptions) : gzipAsync(body, gzipOptions);
}

function compressor(encoding: Encoding): Transform {
  return encoding === "br" ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}
