import { randomUUID } from "node:crypto";
import type { z } from "zod";
import type { Idempotency } from "#lib/contract/task.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { preferredType } from "./accept.ts";
import { type Authentication, authenticate, countAddress } from "./authenticate.ts";
import { readJson } from "./body.ts";
import { failureValue, isWritten, type Results, successBody, successValue } from "./envelope.ts";
import {
  detailReply,
  HttpError,
  invalidReply,
  jsonReply,
  replyToError,
  type ValidationIssue,
} from "./errors.ts";
import type { ApiRequest, Operation, Reply } from "./exchange.ts";
import { answerOnce, idempotencyOf } from "./idempotency.ts";
import type { KeyRecord } from "./keys.ts";
import type { RateGroup } from "./rate-limit.ts";
import type { RequestContext } from "./request-context.ts";
import { checkerOf, queryObject } from "./validation.ts";

/** What the work of a task sees. */
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

/** What the work of a task returns; the wrapper adds task_id, status and execution_time. */
export interface Answer {
  results: Results;
  meta?: unknown;
  /** The numbers are invented: said in a header of the reply. */
  synthetic?: boolean;
}

/** Writes an answer in another format than JSON. */
export type AnswerFormat<Result extends Answer> = (answer: Result, taskId: string) => Reply["body"];

export interface BodyRules<Schema extends z.ZodType> {
  schema: Schema;
  limitBytes: number;
  group: RateGroup;
  /** Rules that need the clock; `now` is the weather's, Unix seconds. */
  validate?: (body: z.output<Schema>, now: number) => ValidationIssue[];
}

export interface TaskRules<Schema extends z.ZodType, Result extends Answer> extends BodyRules<Schema> {
  /** Point answers write their task_id as a list of one. */
  taskIdAsList?: boolean;
  /** Other formats, by media type, that `Accept` may ask for. */
  formats?: Readonly<Record<string, AnswerFormat<Result>>>;
}

export interface ReadRules<Schema extends z.ZodType> {
  group: RateGroup;
  query: Schema;
}

/** What the work of a read sees. */
export interface Reading<Query, Context> {
  query: Query;
  caller: KeyRecord;
  context: Context;
  request: ApiRequest;
}

/**
 * The wrappers of one house. Each makes an operation that checks in the order 403, 401, 429, 415, 413, 422, and turns
 * every failure into a reply.
 *
 * @param house Called once a request, so that operations can be mounted before the house is open.
 */
export function endpointsOf<Context extends RequestContext>(house: () => Context) {
  return {
    /** POST of JSON that is answered at once with a SUCCESS or FAILURE envelope. */
    taskEndpoint<Schema extends z.ZodType, Result extends Answer>(
      rules: TaskRules<Schema, Result>,
      work: (job: RequestJob<z.output<Schema>, Context>) => Promise<Result>,
    ): Operation {
      return bodyOperation(house, rules, (job) => envelope(job, rules, work));
    },

    /** POST of JSON that is answered with what the work makes of it, such as a task. */
    bodyEndpoint<Schema extends z.ZodType>(
      rules: BodyRules<Schema>,
      work: (job: RequestJob<z.output<Schema>, Context>) => Promise<Reply>,
    ): Operation {
      return bodyOperation(house, rules, work);
    },

    /** GET with a key. */
    readEndpoint<Schema extends z.ZodType>(
      rules: ReadRules<Schema>,
      work: (reading: Reading<z.output<Schema>, Context>) => Reply | Promise<Reply>,
    ): Operation {
      const check = checkerOf(rules.query, "query");
      return operation(house, (request, context) =>
        admitted(request, context, rules.group, async ({ caller }) => {
          const query = check(queryObject(request.query));
          if (!query.ok) throw new HttpError(invalidReply(query.issues));
          return work({ query: query.value, caller, context, request });
        }),
      );
    },

    /** GET without a key, counted for the address of the caller. */
    countedEndpoint(
      group: RateGroup,
      work: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
    ): Operation {
      return operation(house, async (request, context) => {
        const headers = await countAddress(request, context, group);
        return withHeaders(headers, async () => work(request, context), request, context);
      });
    },

    /** GET without a key. */
    openEndpoint(work: (request: ApiRequest, context: Context) => Reply | Promise<Reply>): Operation {
      return operation(house, work);
    },
  };
}

function bodyOperation<Schema extends z.ZodType, Context extends RequestContext>(
  house: () => Context,
  rules: BodyRules<Schema>,
  answer: (job: RequestJob<z.output<Schema>, Context>) => Promise<Reply>,
): Operation {
  const check = checkerOf(rules.schema, "body");
  return operation(house, (request, context) =>
    admitted(request, context, rules.group, async ({ caller }) => {
      const { body, bytes } = await readJson(request, rules.limitBytes, check);
      const now = context.weather.now();
      const issues = rules.validate?.(body, now) ?? [];
      if (issues.length > 0) throw new HttpError(invalidReply(issues));
      const idempotency = context.answers && idempotencyOf(request, bytes);
      const taskId = randomUUID();
      const { signal } = request;
      const job = { body, caller, context, now, signal, taskId, request, bytes, idempotency };
      if (!context.answers || !idempotency) return answer(job);
      return answerOnce(context.answers, caller.owner, taskId, idempotency, () => answer(job));
    }),
  );
}

/** Never throws: every failure is a reply. */
function operation<Context extends RequestContext>(
  house: () => Context,
  work: (request: ApiRequest, context: Context) => Reply | Promise<Reply>,
): Operation {
  return async (request) => {
    const context = house();
    try {
      return await work(request, context);
    } catch (error) {
      return replyToFailure(error, request, context);
    }
  };
}

/** Lets the caller in, and puts the headers of its limit on whatever is answered then. */
async function admitted(
  request: ApiRequest,
  door: RequestContext,
  group: RateGroup,
  work: (admission: Authentication) => Promise<Reply>,
): Promise<Reply> {
  const admission = await authenticate(request, door, group);
  return withHeaders(admission.headers, () => work(admission), request, door);
}

/** Puts headers on whatever is answered. */
async function withHeaders(
  headers: Record<string, string>,
  work: () => Promise<Reply>,
  request: ApiRequest,
  door: RequestContext,
): Promise<Reply> {
  const reply = await work().catch((error: unknown) => replyToFailure(error, request, door));
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** What is no refusal is a 500 for the caller and an error for the log. */
function replyToFailure(error: unknown, request: ApiRequest, door: RequestContext): Reply {
  if (error instanceof UnavailableError) {
    door.log.warn({ err: error, requestId: request.id, path: request.path }, "refused for a while");
  }
  const reply = replyToError(error);
  if (reply) return reply;
  // Nobody is there to read it, and nothing of ours went wrong.
  if (request.signal.aborted) return detailReply(499, "The client went away");
  door.log.error({ err: error, requestId: request.id, path: request.path }, "operation failed");
  return detailReply(500, "Internal Server Error");
}

/** Runs the work and writes the envelope of its end. */
export async function envelope<Body, Context extends RequestContext, Result extends Answer>(
  job: RequestJob<Body, Context>,
  rules: Pick<TaskRules<z.ZodType, Result>, "taskIdAsList" | "formats">,
  work: (job: RequestJob<Body, Context>) => Promise<Result>,
): Promise<Reply> {
  const { taskId, request, context } = job;
  const started = monotonicMs();
  let answer: Result;
  try {
    answer = await work(job);
  } catch (error) {
    if (error instanceof UnavailableError || error instanceof HttpError || request.signal.aborted)
      throw error;
    const known = error instanceof ProcessingError;
    const level = known ? "warn" : "error";
    context.log[level]({ err: error, requestId: request.id, taskId }, "task failed");
    const reason = known ? error.message : "The request could not be processed. Please try again later.";
    return jsonReply(200, failureValue(taskId, reason), noStore);
  }
  const formats = rules.formats ?? {};
  const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  const headers = {
    ...noStore,
    ...(rules.formats && { vary: "Accept" }),
    ...(answer.synthetic && syntheticHeader),
  };
  const format = formats[type];
  if (format)
    return { status: 200, headers: { ...headers, "content-type": type }, body: format(answer, taskId) };

  const { results, meta } = answer;
  const { taskIdAsList } = rules;
  const success = { taskId, taskIdAsList, meta, seconds: () => (monotonicMs() - started) / 1000 };
  if (!isWritten(results)) return jsonReply(200, successValue({ ...success, results }), headers);
  const body = successBody({ ...success, results });
  return { status: 200, headers: { "content-type": "application/json", ...headers }, body };
}

const noStore = { "cache-control": "no-store" };

/** On every answer from the demo world. */
export const syntheticHeader = { "x-data-provenance": "synthetic" };
