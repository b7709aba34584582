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
import { type ApiRequest, NO_ROUTE, type Reply, type StreamedBody } from "./api-request.ts";
import { clientAddress, isLocal } from "./client-address.ts";
import { dropBody } from "./reply.ts";
import { type BodyMemory, expectsContinue, readBody } from "./request-body.ts";

/** An ApiRequest over Node's own objects; what few operations need is created on first use. */
export class NodeRequest implements ApiRequest {
  readonly method: string;
  readonly path: string;
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

  get isLocal(): boolean {
    return isLocal(this.#incoming);
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

/** The headers of a request for a page, as an ApiRequest gives them. */
export function headersOf(incoming: IncomingMessage): Pick<ApiRequest, "header"> {
  return { header: (name) => headerOf(incoming, name) };
}

/** The caller's own id where it is safe to log, else a new one. */
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
  const headers: Record<string, string | number> = reply.headers;
  const encoding = encodingFor(incoming, reply, headers);
  // The client still waits for 100 Continue, and its next request would be read as that body.
  if (!incoming.complete && expectsContinue(incoming)) headers.connection = "close";
  const { body } = reply;

  if (body === null || typeof body === "string" || body instanceof Uint8Array) {
    await sendWhole(incoming, response, reply.status, headers, body, encoding);
  } else {
    await sendStream(incoming, response, reply.status, headers, body, encoding);
  }
  if (!incoming.complete) drain(incoming);
}

function encodingFor(
  incoming: IncomingMessage,
  reply: Reply,
  headers: Record<string, string | number>,
): Encoding | undefined {
  const { body } = reply;
  if (
    body === null ||
    headers["content-encoding"] !== undefined ||
    !TEXT.test(reply.headers["content-type"] ?? "")
  )
    return undefined;
  if (reply.headers["cache-control"]?.includes("no-transform")) return undefined;
  const vary = headers.vary;
  headers.vary = vary ? `${vary}, Accept-Encoding` : "Accept-Encoding";
  const length =
    typeof body === "string" || body instanceof Uint8Array ? body.length : Number.POSITIVE_INFINITY;
  if (length < MIN_BYTES) return undefined;
  const header = incoming.headers["accept-encoding"];
  const hasGzip = typeof body === "object" && "gzip" in body && body.gzip !== undefined;
  const accepted = Array.isArray(header) ? header.join(",") : header;
  const encoding = preferredEncoding(accepted, hasGzip ? "gzip" : undefined);
  if (encoding) {
    headers["content-encoding"] = encoding;
    // The bytes differ by encoding, so the tag becomes weak.
    if (typeof headers.etag === "string" && headers.etag.startsWith('"')) headers.etag = `W/${headers.etag}`;
  }
  return encoding;
}

async function sendWhole(
  incoming: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: string | Uint8Array | null,
  encoding: Encoding | undefined,
): Promise<void> {
  if (body === null) {
    if (status !== 204 && status !== 304) headers["content-length"] = 0;
    response.writeHead(status, rawHeaders(headers)).end();
    return;
  }
  let bytes: string | Uint8Array = body;
  if (encoding) {
    const compressed = compress(typeof body === "string" ? Buffer.from(body) : body, encoding);
    bytes = compressed instanceof Promise ? await compressed : compressed;
    if (response.destroyed) return;
  }
  const length = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
  headers["content-length"] = length;
  response.writeHead(status, rawHeaders(headers));
  if (incoming.method === "HEAD") response.end();
  else if (typeof bytes !== "string") response.end(bytes);
  // Text of ASCII, as nearly all of it is, is sent with its headers as it is: nothing has to be encoded.
  else response.end(bytes, length === bytes.length ? "latin1" : "utf8");
}

async function sendStream(
  incoming: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: StreamedBody,
  encoding: Encoding | undefined,
): Promise<void> {
  if (incoming.method === "HEAD") {
    response.writeHead(status, rawHeaders(headers)).end();
    return dropBody(body);
  }
  const compressed = encoding === "gzip" ? body.gzip?.() : undefined;
  const source = Readable.from(compressed ?? body, { objectMode: false, signal: body.signal });
  // What fails before the first byte can still be answered as an error. The first event of a stream may be far off.
  if (headers["content-type"] !== "text/event-stream") await once(source, "readable");
  response.writeHead(status, rawHeaders(headers));
  if (encoding && !compressed) await pipeline(source, compressor(encoding), response);
  else await pipeline(source, response);
}

/** Alternating names and values: Node writes such a list as it is, but looks up every name of an object. */
function rawHeaders(headers: Record<string, string | number>): string[] {
  const list: string[] = [];
  for (const name in headers) list.push(name, String(headers[name]));
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

// The cheapest levels: level 6 takes eight seconds for a large grid and gains little.
const gzipOptions = { level: 1 };
const brotliOptions = { params: { [constants.BROTLI_PARAM_QUALITY]: 1 } };

const gzipAsync = promisify<Uint8Array, object, Buffer>(gzip);
const brotliAsync = promisify<Uint8Array, object, Buffer>(brotliCompress);

/** Compresses a whole body; a large one on another thread. */
function compress(body: Uint8Array, encoding: Encoding): Buffer | Promise<Buffer> {
  if (body.length <= MAX_SYNC_BYTES) {
    return encoding === "br" ? brotliCompressSync(body, brotliOptions) : gzipSync(body, gzipOptions);
  }
  return encoding === "br" ? brotliAsync(body, brotliOptions) : gzipAsync(body, gzipOptions);
}

function compressor(encoding: Encoding): Transform {
  return encoding === "br" ? createBrotliCompress(brotliOptions) : createGzip(gzipOptions);
}
