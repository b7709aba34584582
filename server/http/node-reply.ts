import type { IncomingMessage, ServerResponse } from "node:http";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import {
  chosenEncoding,
  compress,
  compressor,
  type Encoding,
  isCompressible,
  MIN_BYTES,
} from "./compression.ts";
import type { Reply, StreamedBody } from "./exchange.ts";
import { expectsContinue } from "./node-request.ts";

/** A body that was refused is read this far after the reply, so that the client sees the reply; then it is cut. */
const MAX_DRAINED_BYTES = 64 * 1024 * 1024;
const MAX_DRAINED_MS = 30_000;

/**
 * Writes a reply: compressed where the client takes it and the operation did not do so itself, HEAD without its body.
 *
 * @returns When the last byte was handed over. Rejects when a streamed body fails: the connection is then cut, so that
 *   the client does not take half an answer for a whole one.
 */
export async function sendReply(
  incoming: IncomingMessage,
  response: ServerResponse,
  reply: Reply,
): Promise<void> {
  if (response.destroyed) return;
  const headers: Record<string, string | number> = { ...reply.headers };
  const encoding = encodingFor(incoming, reply, headers);
  // The client still waits for leave to send its body, and the next request would be taken for that body.
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
    !isCompressible(reply.headers["content-type"])
  )
    return undefined;
  if (reply.headers["cache-control"]?.includes("no-transform")) return undefined;
  const vary = headers.vary;
  headers.vary = vary ? `${vary}, Accept-Encoding` : "Accept-Encoding";
  const length =
    typeof body === "string" || body instanceof Uint8Array ? body.length : Number.POSITIVE_INFINITY;
  if (length < MIN_BYTES) return undefined;
  const header = incoming.headers["accept-encoding"];
  const isPacked = typeof body === "object" && "gzip" in body && body.gzip !== undefined;
  const accepted = Array.isArray(header) ? header.join(",") : header;
  const encoding = chosenEncoding(accepted, isPacked ? "gzip" : undefined);
  if (encoding) {
    headers["content-encoding"] = encoding;
    // The bytes differ by encoding: the tag now names the content, not its bytes.
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
    response.writeHead(status, listed(headers)).end();
    return;
  }
  let bytes: string | Uint8Array = body;
  if (encoding) {
    const packed = compress(typeof body === "string" ? Buffer.from(body) : body, encoding);
    bytes = packed instanceof Promise ? await packed : packed;
    if (response.destroyed) return;
  }
  headers["content-length"] = typeof bytes === "string" ? Buffer.byteLength(bytes) : bytes.length;
  response.writeHead(status, listed(headers));
  if (incoming.method === "HEAD") response.end();
  else response.end(bytes);
}

async function sendStream(
  incoming: IncomingMessage,
  response: ServerResponse,
  status: number,
  headers: Record<string, string | number>,
  body: StreamedBody,
  encoding: Encoding | undefined,
): Promise<void> {
  response.writeHead(status, listed(headers));
  if (incoming.method === "HEAD") {
    response.end();
    await body[Symbol.asyncIterator]().return?.();
    return;
  }
  const packed = encoding === "gzip" ? body.gzip?.() : undefined;
  const source = Readable.from(packed ?? body, { objectMode: false });
  if (encoding && !packed) await pipeline(source, compressor(encoding), response);
  else await pipeline(source, response);
}

/** Names and values in turn: node writes a list as it is, and looks every name of an object up. */
function listed(headers: Record<string, string | number>): string[] {
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
