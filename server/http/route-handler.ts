import { Readable } from "node:stream";
import { monotonicMs } from "#server/platform/clock.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { type ApiRequest, NO_ROUTE, type Reply } from "./api-request.ts";
import { requestIdOf } from "./node-exchange.ts";
import { bodyTooLarge } from "./reply.ts";

/** Turns an operation or a router into a handler of web requests, for Next. */
export function toRouteHandler(
  answer: (request: ApiRequest) => Promise<Reply>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const reply = await answer(apiRequest(request));
    const { status, headers } = reply;
    return new Response(request.method === "HEAD" ? null : bodyOf(reply), { status, headers });
  };
}

/**
 * Makes an ApiRequest without Accept-Encoding, because Next drops the Content-Encoding of a handler's reply and
 * compresses replies itself.
 */
function apiRequest(request: Request): ApiRequest {
  const target = parseTarget(request.url);
  const aborter = new AbortController();
  const abort = () => aborter.abort(request.signal.reason);
  if (request.signal.aborted) abort();
  else request.signal.addEventListener("abort", abort, { once: true });
  return {
    method: request.method,
    path: target.path,
    segments: target.segments,
    route: NO_ROUTE,
    params: {},
    query: new URLSearchParams(target.query),
    header: (name) => (name === "accept-encoding" ? undefined : (request.headers.get(name) ?? undefined)),
    // A web Request does not carry the address of its client.
    address: "unknown",
    sender: "elsewhere",
    id: requestIdOf(request.headers.get("x-request-id") ?? undefined),
    arrived: monotonicMs(),
    body: (limit) => readBody(request, limit),
    aborter,
    signal: aborter.signal,
    replyHeaders: {},
  };
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw bodyTooLarge(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw bodyTooLarge(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyOf({ body }: Reply): BodyInit | null {
  if (body === null || typeof body === "string") return body;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  return Readable.toWeb(
    Readable.from(body, { objectMode: false, signal: body.signal }),
  ) as unknown as ReadableStream<Uint8Array>;
}
