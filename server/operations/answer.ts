import type { TaskKind } from "#lib/contract/task.ts";
import { type PassageAnswer, passageFormats } from "#lib/passage/files.ts";
import { mapFormats, pointFormats } from "#lib/table/formats.ts";
import { type Origin, pointsOf, pointTable } from "#lib/table/table.ts";
import type { ApiRequest, Reply, RequestLog, StreamedBody } from "#server/http/api-request.ts";
import { freeBytes } from "#server/http/body-memory.ts";
import { isWritten, type Results, successBody, successPieces, successValue } from "#server/http/envelope.ts";
import { stillBeingAnswered } from "#server/http/idempotency.ts";
import { advised, isSmall } from "#server/http/queue.ts";
import {
  acceptedReply,
  ageHeaders,
  failureValue,
  HttpError,
  jsonReply,
  noStore,
  syntheticHeader,
  withHeaders,
} from "#server/http/reply.ts";
import { withoutByteOrderMark } from "#server/http/validation.ts";
import type { MapAnswer } from "#server/metocean/box.ts";
import type { PointAnswer } from "#server/metocean/points.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { turns } from "#server/platform/next-turn.ts";
import type { RequestJob } from "./definition.ts";

/** What a computation returns; `envelopeReply` adds task_id, status and execution_time. */
export interface Answer {
  results: Results;
  meta?: Pick<Origin, "provenance">;
  /** How old the forecasts are, where no meta says so. */
  ages?: Parameters<typeof ageHeaders>[0];
  /** The numbers are invented, which a header of the reply says. */
  synthetic?: boolean;
}

export interface AnswerRules<Result extends Answer> {
  /** Point answers write their task_id as a list of one. */
  taskIdAsList?: boolean;
  /** Other formats, by media type, that `Accept` may name. */
  formats?: Readonly<Record<string, (answer: Result) => Reply["body"]>>;
  /** The media type that the query names, in place of `Accept`. */
  mediaType?: string;
  /** Memory of the answer until it is sent, about: large ones are computed and sent a few at a time. */
  bytes?: number;
  /** How the same is sent as a task, in words; absent where it cannot be. */
  asTask?: string;
  /** JSON leaves out the meta, which was computed for other formats only. */
  hidesMeta?: boolean;
}

/** The part of a request that asks for an email. */
export interface MailableBody {
  task_name?: string;
  receive_mail: boolean;
}

/** How operations with that parameter are sent as a task. */
export const asTask = 'with "async": true';

/** No email will come: there is no mail server, or the key has no address. */
const notConfigured = { "x-notification": "not-configured" };

/**
 * Answers a request at once and queues the requested email about its result. HTTP errors are not reported by email.
 *
 * @param sizeOf Size of the request: points, or values of a map. Gets the answer where there is one.
 */
export async function answerAtOnce<Body extends MailableBody, Result extends Answer>(
  kind: TaskKind,
  job: RequestJob<Body>,
  rules: AnswerRules<Result>,
  compute: (job: RequestJob<Body>) => Promise<Result>,
  sizeOf: (answer: Result | undefined) => number | null,
): Promise<Reply> {
  const { body, context, taskId } = job;
  if (!body.receive_mail) return envelopeReply(job, rules, compute);
  const started = context.clock.now();
  let answer: Result | undefined;
  const reply = await envelopeReply(job, rules, async (same) => {
    answer = await compute(same);
    return answer;
  });
  const address = mailAddress(job);
  if (address === null) return withHeaders(reply, notConfigured);
  const email = {
    task_id: taskId,
    kind,
    task_name: body.task_name ?? null,
    status: answer ? ("SUCCESS" as const) : ("FAILURE" as const),
    error: answer ? null : (JSON.parse(String(reply.body)) as { error: string }).error,
    size: sizeOf(answer),
    created_at: new Date(started * 1000).toISOString(),
    finished_at: new Date(context.clock.now() * 1000).toISOString(),
    expires_at: null,
    synthetic: answer?.synthetic === true,
  };
  try {
    await context.mails!.post(address, email);
    return reply;
  } catch (error) {
    // The answer matters more than the email: the header tells the caller that none will come.
    context.log.error({ err: error, taskId }, "an email could not be queued");
    return withHeaders(reply, { "x-notification": "failed" });
  }
}

/** Address of the email about a request; null where none was requested or none can be sent. */
function mailAddress({ body, caller, context }: RequestJob<MailableBody>): string | null {
  return (body.receive_mail && context.mails && caller.email) || null;
}

/**
 * Runs a computation when there is room for it, and writes its SUCCESS or FAILURE envelope, or its answer in another
 * format: the whole within the time of an answer. Throws `UnavailableError` where there is no room, or the time is over.
 */
export async function envelopeReply<Body, Result extends Answer>(
  job: RequestJob<Body>,
  rules: AnswerRules<Result>,
  compute: (job: RequestJob<Body>) => Promise<Result>,
): Promise<Reply> {
  const { taskId, request, context, caller } = job;
  const { bytes = 0, asTask } = rules;
  const { arrived, signal } = request;
  const queue = isSmall(bytes) ? context.queues.small : context.queues.large;
  const queued = { owner: caller.owner, bytes: isSmall(bytes) ? 0 : bytes, signal, arrived };
  let answer: Result | undefined;
  try {
    return await queue.run(queued, async (signal, hold) => {
      const started = monotonicMs();
      answer = await compute({ ...job, signal });
      return replyTo(answer, job, rules, hold, started, signal);
    });
  } catch (error) {
    // It was computed: writing it failed.
    if (answer) throw advised(error, asTask);
    return replyToFailure(advised(error, asTask), taskId, request, context.log);
  }
}

/** The reply of an answer, whose memory is held until it is sent. @param started When the computation began, ms. */
async function replyTo<Result extends Answer>(
  answer: Result,
  { taskId, request }: Pick<RequestJob<unknown>, "taskId" | "request">,
  rules: AnswerRules<Result>,
  hold: () => () => void,
  started: number,
  signal: AbortSignal,
): Promise<Reply> {
  const formats = rules.formats ?? {};
  const type =
    rules.mediaType ?? preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  const headers = {
    ...noStore,
    ...(rules.formats && { vary: "Accept" }),
    ...ageHeaders(answer.meta?.provenance ?? answer.ages ?? []),
    ...(answer.synthetic && syntheticHeader),
  };
  const { results, meta: { provenance } = {} } = answer;
  const { taskIdAsList } = rules;
  const meta = rules.hidesMeta ? undefined : answer.meta;
  const success = { taskId, taskIdAsList, meta, seconds: () => (monotonicMs() - started) / 1000 };
  const asJson = () => successPieces({ ...success, results });
  const format = formats[type];
  if (format) {
    const body = heldBody(await readyBody(format(answer), signal), hold);
    return { status: 200, headers: { ...headers, "content-type": type }, body, asJson, provenance };
  }
  if (isSmall(rules.bytes ?? 0) && !isWritten(results))
    return { ...jsonReply(200, successValue({ ...success, results }), headers), provenance };
  const whole = isWritten(results) ? successBody({ ...success, results }) : repeatable(asJson);
  // What has a compressed form has been written before.
  const body = "gzip" in whole && whole.gzip ? whole : await readyBody(whole, signal);
  return {
    status: 200,
    headers: { "content-type": "application/json", ...headers },
    body: heldBody(body, hold),
    asJson,
    provenance,
  };
}

/**
 * The FAILURE envelope of a computation that failed. It is transient: what failed is ours, such as a damaged chunk, and may
 * be repaired.
 *
 * Rethrows what does not end the computation: an HTTP error, an outage, a client that disconnected.
 */
function replyToFailure(error: unknown, taskId: string, request: ApiRequest, log: RequestLog): Reply {
  if (error instanceof UnavailableError || error instanceof HttpError || request.signal.aborted) throw error;
  const known = error instanceof ProcessingError;
  log[known ? "warn" : "error"]({ err: error, requestId: request.id, taskId }, "task failed");
  const reason = known ? error.message : "The request could not be processed. Please try again later.";
  return { ...jsonReply(200, failureValue(taskId, reason), noStore), transient: true };
}

/** Retry-After while the queue is full, seconds. */
const FULL_RETRY_S = 30;

/**
 * Creates a task from a request: 202. It is durable before the reply is sent. 429 where the caller has too many pending
 * tasks, 503 where the whole queue is full.
 *
 * @param size Size of the request: points, or values of a map.
 */
export async function acceptTask(
  kind: TaskKind,
  job: RequestJob<MailableBody>,
  size: number,
): Promise<Reply> {
  const { body, caller, context, now, taskId, bytes, idempotency } = job;
  const { owner } = caller;
  const { task_name, receive_mail } = body;
  const mailTo = mailAddress(job);
  const task = {
    id: taskId,
    owner,
    kind,
    name: task_name ?? null,
    size,
    weatherNow: now,
    receiveMail: receive_mail,
    mailTo,
  };
  const outcome = await context.tasks.submit(task, withoutByteOrderMark(bytes), idempotency);
  switch (outcome) {
    case "taken":
      // It has been stored, completely.
      freeBytes(bytes);
      return acceptedReply(taskId, receive_mail && mailTo === null ? notConfigured : {});
    case "owner is full":
      throw new HttpError(ownerIsFull(context.tasks.store.limits.pendingOfOwner));
    case "full":
      throw new UnavailableError("Too many tasks are pending", FULL_RETRY_S);
    case "key is taken":
      throw new HttpError(stillBeingAnswered());
  }
}

function ownerIsFull(max: number): Reply {
  const headers = { "retry-after": String(FULL_RETRY_S), ...noStore };
  return jsonReply(429, { error: `Rate limit exceeded: ${max} pending tasks` }, headers);
}

/** Where the numbers of an answer come from. */
export const originOf = ({ meta, synthetic }: Pick<PointAnswer | MapAnswer, "meta" | "synthetic">) => ({
  provenance: meta?.provenance,
  synthetic,
});

/** Formats of `POST /MetOcean` by media type, written while they are sent. */
export const pointAnswerFormats = Object.fromEntries(
  Object.entries(pointFormats).map(([type, write]) => [
    type,
    (answer: PointAnswer) => repeatable(() => write(pointTable(pointsOf(answer.results), originOf(answer)))),
  ]),
);

/** Formats of `POST /2DMetOcean` by media type, written while they are sent. */
export const mapAnswerFormats = Object.fromEntries(
  Object.entries(mapFormats).map(([type, write]) => [
    type,
    (answer: MapAnswer) => repeatable(() => write(answer.field, originOf(answer))),
  ]),
);

/** Formats of `POST /passages/evaluate` by media type, written while they are sent. */
export const passageAnswerFormats = Object.fromEntries(
  Object.entries(passageFormats).map(([type, write]) => [
    type,
    (answer: PassageAnswer) => yielding(write(answer)),
  ]),
);

/**
 * The body, with meta included where a format other than JSON is requested, or may be under an Idempotency-Key: files
 * state their provenance from it.
 */
export function withProvenance<Body extends { include_meta: boolean }>(
  { body, request, idempotency }: Pick<RequestJob<Body>, "body" | "request" | "idempotency">,
  formats: object,
): Body {
  if (idempotency) return { ...body, include_meta: true };
  const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  return type === "application/json" ? body : { ...body, include_meta: true };
}

/** A streamed body that is held until its last byte was taken, or until it is dropped: read or not. */
export function heldBody(body: Reply["body"], hold: () => () => void): Reply["body"] {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) return body;
  const { gzip } = body;
  const release = hold();
  return { ...released(body, release), gzip: gzip && (() => released(gzip(), release)) };
}

function released(pieces: AsyncIterable<Uint8Array>, release: () => void): AsyncIterable<Uint8Array> {
  return {
    [Symbol.asyncIterator]() {
      const inner = pieces[Symbol.asyncIterator]();
      return {
        async next() {
          try {
            const piece = await inner.next();
            if (piece.done) release();
            return piece;
          } catch (error) {
            release();
            throw error;
          }
        },
        async return() {
          release();
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** What of a body is made before its first byte is sent. */
const READY_BYTES = 8 * 2 ** 20;

/**
 * Makes a body before it is sent, so that the time limit of its computation holds for it too; of a long one the beginning. It
 * may be read as often as the given one.
 */
export async function readyBody(
  body: Reply["body"],
  signal: AbortSignal,
  readyBytes = READY_BYTES,
): Promise<Reply["body"]> {
  if (body === null || typeof body === "string" || body instanceof Uint8Array) return body;
  const turn = turns(signal);
  const made: Uint8Array[] = [];
  const inner = body[Symbol.asyncIterator]();
  let bytes = 0;
  try {
    while (bytes < readyBytes) {
      const { done, value } = await inner.next();
      if (done) return repeated(made);
      made.push(value);
      bytes += value.length;
      await turn();
    }
  } catch (error) {
    await inner.return?.();
    throw error;
  }
  return continued(made, inner, body);
}

function repeated(pieces: readonly Uint8Array[]): StreamedBody {
  return {
    async *[Symbol.asyncIterator]() {
      yield* pieces;
    },
  };
}

/** The pieces and then the rest; when it is read again, the whole. */
function continued(made: Uint8Array[], rest: AsyncIterator<Uint8Array>, whole: StreamedBody): StreamedBody {
  let isFirst = true;
  return {
    [Symbol.asyncIterator]() {
      const inner = isFirst ? rest : whole[Symbol.asyncIterator]();
      isFirst = false;
      const first = made.splice(0).reverse();
      return {
        next: async () => (first.length > 0 ? { done: false, value: first.pop()! } : inner.next()),
        async return() {
          await inner.return?.();
          return { done: true, value: undefined };
        },
      };
    },
  };
}

/** A body that can be read again: once to be kept for an Idempotency-Key, and once to be sent. */
export function repeatable(write: () => Parameters<typeof yielding>[0]): StreamedBody {
  return { [Symbol.asyncIterator]: () => yielding(write()) };
}

/** Gives others a turn between pieces, even while the client reads as fast as the pieces are written. */
export async function* yielding(
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array, void, undefined> {
  const turn = turns();
  for await (const piece of pieces) {
    yield piece;
    await turn();
  }
}
