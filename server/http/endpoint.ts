import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Idempotency } from "#lib/contract/task.ts";
import type { ApiRequest, Operation, Reply } from "./api-request.ts";
import { authenticate, countAddress } from "./authenticate.ts";
import { invalid, replyToError } from "./errors.ts";
import { answerOnce, idempotencyOf } from "./idempotency.ts";
import type { KeyRecord } from "./keys.ts";
import type { RateGroup } from "./rate-limit.ts";
import type { ValidationIssue } from "./reply.ts";
import type { RequestContext } from "./request-context.ts";
import { checkerOf, queryObject, readJson } from "./validation.ts";

/** An operation of which only the context is missing. */
export type Endpoint<Context> = (context: Context) => Operation;

export interface BodyRules<Schema extends z.ZodType> {
  schema: Schema;
  limitBytes: number;
  group: RateGroup;
  /** Rules that need the clock; `now` is the weather's, Unix seconds. */
  validate?: (body: z.output<Schema>, now: number) => ValidationIssue[];
}

/** What the handler of a POST gets. */
export interface RequestJob<Body, Context> {
  body: Body;
  caller: KeyRecord;
  context: Context;
  /** Weather clock when the request was accepted, Unix seconds. */
  now: number;
  signal: AbortSignal;
  taskId: string;
  request: ApiRequest;
  /** The body as it was sent. */
  bytes: Uint8Array;
  idempotency?: Idempotency;
}

export interface ReadRules<Schema extends z.ZodType> {
  group: RateGroup;
  query: Schema;
}

/** What the handler of a GET with a key gets. */
export interface ReadRequest<Query, Context> {
  query: Query;
  caller: KeyRecord;
  context: Context;
  request: ApiRequest;
}

/** POST of JSON with a key. Checks in the order 403, 401, 429, 415, 413, 422. */
export function bodyEndpoint<Schema extends z.ZodType, Context extends RequestContext>(
  rules: BodyRules<Schema>,
  handle: (job: RequestJob<z.output<Schema>, Context>) => Promise<Reply>,
): Endpoint<Context> {
  const check = checkerOf(rules.schema, "body");
  return authenticated(rules.group, async (request, context: Context, caller) => {
    const { body, bytes } = await readJson(request, rules.limitBytes, check);
    const now = context.weather.now();
    const issues = rules.validate?.(body, now) ?? [];
    if (issues.length > 0) throw invalid(...issues);
    const idempotency = context.answers && idempotencyOf(request, bytes);
    const taskId = randomUUID();
    const { signal } = request;
    const job = { body, caller, context, now, signal, taskId, request, bytes, idempotency };
    if (!context.answers || !idempotency) return handle(job);
    return answerOnce(context.answers, caller.owner, taskId, idempotency, () => handle(job));
  });
}

/** GET, or another method without a body, with a key. Checks in the order 403, 401, 429, 422. */
export function readEndpoint<Schema extends z.ZodType, Context extends RequestContext>(
  rules: ReadRules<Schema>,
  handle: (read: ReadRequest<z.output<Schema>, Context>) => Reply | Promise<Reply>,
): Endpoint<Context> {
  const check = checkerOf(rules.query, "query");
  return authenticated(rules.group, async (request, context: Context, caller) => {
    const query = check(queryObject(request.query));
    if (!query.ok) throw invalid(...query.issues);
    return handle({ query: query.value, caller, context, request });
  });
}

/** GET without a key, counted for the address of the caller. */
export function countedEndpoint<Context extends RequestContext>(
  group: RateGroup,
  handle: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
): Endpoint<Context> {
  return openEndpoint(async (request, context: Context) => {
    const headers = await countAddress(request, context, group);
    return withHeaders(headers, async () => handle(request, context), request, context);
  });
}

/** GET without a key. Every failure becomes a reply. */
export function openEndpoint<Context extends RequestContext>(
  handle: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
): Endpoint<Context> {
  return (context) => async (request) => {
    try {
      return await handle(request, context);
    } catch (error) {
      return replyToError(error, request, context.log);
    }
  };
}

function authenticated<Context extends RequestContext>(
  group: RateGroup,
  handle: (request: ApiRequest, context: Context, caller: KeyRecord) => Promise<Reply>,
): Endpoint<Context> {
  return openEndpoint(async (request, context: Context) => {
    const { caller, headers } = await authenticate(request, context, group);
    return withHeaders(headers, () => handle(request, context, caller), request, context);
  });
}

/** Adds headers to whatever is answered, errors included. */
async function withHeaders(
  headers: Record<string, string>,
  answer: () => Promise<Reply>,
  request: ApiRequest,
  { log }: RequestContext,
): Promise<Reply> {
  const reply = await answer().catch((error: unknown) => replyToError(error, request, log));
  return { ...reply, headers: { ...reply.headers, ...headers } };
}
