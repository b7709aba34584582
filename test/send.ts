import { gunzipSync } from "node:zlib";
import type { Limit } from "#lib/contract/limits.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/api-request.ts";
import type { ValidationIssue } from "#server/http/reply.ts";
import type { Router } from "#server/http/router.ts";
import { parseJsonBody } from "#server/http/validation.ts";
import { apiRouter } from "#server/operations/operations.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { parseTarget } from "#server/platform/request-target.ts";
import { checkedReply } from "./check-reply.ts";
import { testContext, testRequestContext } from "./http.ts";

let router: Router;

/** Connects the operations to which `ask` sends. */
export function connectContext(context: Context): void {
  router = apiRouter(context);
}

/**
 * Connects the operations with a constant weather clock.
 *
 * @param more Other parts that the operations under test need. @param limits Keys with a limit of their own.
 */
export function connectWeather(now: number, more: object = {}, limits?: Record<string, Limit>): void {
  const weather = { now: () => now };
  connectContext(testContext({ ...testRequestContext(limits), weather, ...more }));
}

/** Parts of a test request besides method and target. */
export interface Sent {
  /** Body, sent as JSON, bytes unchanged. */
  body?: unknown;
  /** Headers in addition to a valid key and the type of the body; undefined ones are not sent. */
  headers?: Record<string, string | undefined>;
  /** Address of the client. */
  address?: string;
}

/** Sends a request to the operations as the server does after it has read the head of a request. */
export async function ask(
  method: string,
  target: string,
  { body, headers, address = "127.0.0.1" }: Sent = {},
): Promise<Reply> {
  const { path, segments, query } = parseTarget(target);
  const all: Record<string, string | undefined> = {
    "x-api-key": "good-key",
    "content-type": "application/json",
    ...headers,
  };
  const aborter = new AbortController();
  const reply = await router.answer({
    method,
    path,
    segments,
    route: "none",
    params: {},
    query: new URLSearchParams(query),
    header: (name) => all[name],
    address,
    sender: address === "127.0.0.1" ? "program" : "elsewhere",
    id: "test",
    arrived: monotonicMs(),
    body: async () => bytesToSend(body),
    aborter,
    signal: aborter.signal,
    replyHeaders: {},
  });
  return checkedReply(
    method,
    target.split("?")[0]!,
    body instanceof Uint8Array ? parseJsonBody(body) : body,
    reply,
  );
}

function bytesToSend(body: unknown): Uint8Array {
  if (body instanceof Uint8Array) return body;
  return new TextEncoder().encode(body === undefined ? "" : JSON.stringify(body));
}

/** The bytes of a reply, decompressed. */
export async function bytesOf({ body, headers }: Pick<Reply, "body" | "headers">): Promise<Buffer> {
  const chunks: Uint8Array[] = [];
  const pieces = typeof body === "string" ? [Buffer.from(body)] : body instanceof Uint8Array ? [body] : body;
  for await (const chunk of pieces ?? []) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes;
}

export async function textOf(reply: Pick<Reply, "body" | "headers">): Promise<string> {
  return (await bytesOf(reply)).toString();
}

/** The issues of a 422: their location in the body or the query, and their text. */
export async function issuesOf(
  reply: Pick<Reply, "body" | "headers">,
): Promise<[loc: string, msg: string][]> {
  const { detail } = JSON.parse(await textOf(reply)) as { detail: ValidationIssue[] };
  return detail.map(({ loc, msg }) => [loc.slice(1).join("."), msg]);
}
