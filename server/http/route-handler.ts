import { randomUUID } from "node:crypto";
import { Readable } from "node:stream";
import { BodyTooLargeError } from "./errors.ts";
import type { ApiRequest, Reply } from "./exchange.ts";
import { targetOf } from "./target.ts";

/** A handler as the web and Next know it, over an operation or a whole router. */
export function toRouteHandler(
  answer: (request: ApiRequest) => Promise<Reply>,
): (request: Request) => Promise<Response> {
  return async (request) => {
    const asked = apiRequest(request);
    const reply = await answer(asked);
    const headers = new Headers({ ...reply.headers, "x-request-id": asked.id });
    return new Response(request.method === "HEAD" ? null : bodyOf(reply), { status: reply.status, headers });
  };
}

function apiRequest(request: Request): ApiRequest {
  const target = targetOf(request.url);
  return {
    method: request.method,
    path: target.path,
    params: {},
    query: new URLSearchParams(target.query),
    header: (name) => request.headers.get(name) ?? undefined,
    // A web Request does not tell who sent it.
    address: "unknown",
    id: randomUUID(),
    body: (limit) => readBody(request, limit),
    signal: request.signal,
  };
}

async function readBody(request: Request, limit: number): Promise<Uint8Array> {
  if (Number(request.headers.get("content-length") ?? 0) > limit) throw new BodyTooLargeError(limit);
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > limit) throw new BodyTooLargeError(limit);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks, length);
}

function bodyOf({ body }: Reply): BodyInit | null {
  if (body === null || typeof body === "string") return body;
  if (body instanceof Uint8Array) return body as Uint8Array<ArrayBuffer>;
  return Readable.toWeb(Readable.from(body, { objectMode: false })) as unknown as ReadableStream<Uint8Array>;
}
