import type { TaskKind } from "#lib/contract/task.ts";
import type { Origin } from "#lib/table/table.ts";
import type { Reply } from "#server/http/api-request.ts";
import { isWritten, type Results, successBody, successPieces, successValue } from "#server/http/envelope.ts";
import { advised, isSmall } from "#server/http/queue.ts";
import {
  ageHeaders,
  failureValue,
  HttpError,
  jsonReply,
  noStore,
  syntheticHeader,
  withHeaders,
} from "#server/http/reply.ts";
import { monotonicMs } from "#server/platform/clock.ts";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import { preferredType } from "#server/platform/negotiation.ts";
import { type MailableBody, mailAddress, notConfigured } from "./accept-task.ts";
import { queuedJob, type RequestJob } from "./definition.ts";
import { heldBody, readyBody, repeatable } from "./streamed-body.ts";

/** Result of a computation; `envelopeReply` adds task_id, status and execution_time. */
export interface Answer {
  results: Results;
  meta?: Pick<Origin, "provenance">;
  /** Ages of the forecasts, for answers without meta. */
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
  /** Tells callers how to send the request as a task; absent if they cannot. */
  asTask?: string;
  /** Whether JSON leaves out the meta because it was computed only for other formats. */
  hidesMeta?: boolean;
}

/**
 * Answers a request at once and queues the requested email about its result. HTTP errors are not reported by email.
 *
 * @param sizeOf Size of the request: points, or values of a map. It receives the answer if there is one.
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
    // The answer matters more than the email, and the header tells the caller that no email will come.
    context.log.error({ err: error, taskId }, "an email could not be queued");
    return withHeaders(reply, { "x-notification": "failed" });
  }
}

/**
 * Runs a computation when there is room for it, and writes its SUCCESS or FAILURE envelope, or its answer in another
 * format: all within the time limit of an answer. Throws `UnavailableError` if there is no room or the time is over.
 */
export async function envelopeReply<Body, Result extends Answer>(
  job: RequestJob<Body>,
  rules: AnswerRules<Result>,
  compute: (job: RequestJob<Body>) => Promise<Result>,
): Promise<Reply> {
  const { request, context, caller } = job;
  const { bytes = 0, asTask } = rules;
  const [queue, held] = isSmall(bytes) ? [context.queues.small, 0] : [context.queues.large, bytes];
  let answer: Result | undefined;
  try {
    return await queue.run(queuedJob(caller.owner, request, held), async (hold) => {
      const started = monotonicMs();
      answer = await compute(job);
      return replyTo(answer, job, rules, hold, started);
    });
  } catch (error) {
    // The answer was computed, and writing it failed.
    if (answer) throw advised(error, asTask);
    return replyToFailure(advised(error, asTask), job);
  }
}

/** The reply of an answer that is repeated under an Idempotency-Key as it was sent: it cannot be converted into other formats. */
export function repeatedAsSent({ asJson, provenance: _, ...reply }: Reply): Reply {
  const isJson = reply.headers["content-type"] === "application/json";
  return { ...reply, ...(isJson && asJson && { asJson }), asSent: true };
}

/**
 * Makes the reply of an answer, whose memory is reserved until it is sent.
 *
 * @param started When the computation began, ms.
 */
async function replyTo<Result extends Answer>(
  answer: Result,
  { taskId, request }: Pick<RequestJob<unknown>, "taskId" | "request">,
  rules: AnswerRules<Result>,
  hold: () => () => void,
  started: number,
): Promise<Reply> {
  const { signal } = request;
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
  // A body with a compressed form has already been written.
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
 * The FAILURE envelope of a computation that failed. It is transient: the cause is ours, such as a damaged chunk, and
 * may be repaired.
 *
 * Rethrows errors that are no failure of the computation itself: an HTTP error, an outage, a client that disconnected.
 */
function replyToFailure(error: unknown, { taskId, request, context }: RequestJob<unknown>): Reply {
  if (error instanceof UnavailableError || error instanceof HttpError || request.signal.aborted) throw error;
  const known = error instanceof ProcessingError;
  context.log[known ? "warn" : "error"]({ err: error, requestId: request.id, taskId }, "task failed");
  const reason = known ? error.message : "The request could not be processed. Please try again later.";
  return { ...jsonReply(200, failureValue(taskId, reason), noStore), transient: true };
}

/**
 * Returns the body with meta included if a format other than JSON is requested, or may be requested later under an
 * Idempotency-Key, because files state their provenance from it.
 */
export function withProvenance<Body extends { include_meta: boolean }>(
  { body, request, idempotency }: Pick<RequestJob<Body>, "body" | "request" | "idempotency">,
  formats: object,
): Body {
  if (idempotency) return { ...body, include_meta: true };
  const type = preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  return type === "application/json" ? body : { ...body, include_meta: true };
}
