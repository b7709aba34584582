import type { TaskKind } from "#lib/contract/task.ts";
import type { Origin } from "#lib/table/table.ts";
import { type Admission, laneOf } from "#server/http/admission.ts";
import type { ApiRequest, Reply, RequestLog } from "#server/http/api-request.ts";
import { isWritten, type Results, successBody, successPieces, successValue } from "#server/http/envelope.ts";
import type { Place } from "#server/http/lane-place.ts";
import {
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
import type { RequestJob } from "./definition.ts";
import { heldBody, yielding } from "./held-body.ts";

/** What a computation returns; `envelopeReply` adds task_id, status and execution_time. */
export interface Answer {
  results: Results;
  meta?: Pick<Origin, "provenance">;
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
  /** Where it is computed; without it in the lane of its size. */
  lane?: keyof Admission;
  /** JSON leaves out the meta, which was computed for other formats only. */
  hidesMeta?: boolean;
}

/** The part of a request that asks for an email. */
export interface MailableBody {
  task_name?: string;
  receive_mail: boolean;
}

/** No email will come: there is no mail server, or the key has no address. */
export const notConfigured = { "x-notification": "not-configured" };

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
export function mailAddress({ body, caller, context }: RequestJob<MailableBody>): string | null {
  return (body.receive_mail && context.mails && caller.email) || null;
}

/**
 * Runs a computation when there is room for it, and writes its SUCCESS or FAILURE envelope, or its answer in another
 * format. Throws `UnavailableError` where there is none.
 */
export async function envelopeReply<Body, Result extends Answer>(
  job: RequestJob<Body>,
  rules: AnswerRules<Result>,
  compute: (job: RequestJob<Body>) => Promise<Result>,
): Promise<Reply> {
  const { taskId, request, context, caller } = job;
  const { bytes = 0, lane = laneOf(bytes) } = rules;
  const entered = context.admission[lane].enter(caller.owner, lane === "small" ? 0 : bytes, request.signal);
  const place = entered instanceof Promise ? await entered : entered;
  const started = monotonicMs();
  let answer: Result;
  try {
    answer = await place.compute((signal) => compute(signal === job.signal ? job : { ...job, signal }));
  } catch (error) {
    return replyToFailure(error, taskId, request, context.log);
  }
  try {
    return replyTo(answer, job, rules, place, started);
  } catch (error) {
    // A format that fails has no body whose end would give the place back.
    place.release();
    throw error;
  }
}

/** The reply of an answer, whose body holds its place until it is sent. @param started When the computation began, ms. */
function replyTo<Result extends Answer>(
  answer: Result,
  { taskId, request }: Pick<RequestJob<unknown>, "taskId" | "request">,
  rules: AnswerRules<Result>,
  place: Place,
  started: number,
): Reply {
  const formats = rules.formats ?? {};
  const type =
    rules.mediaType ?? preferredType(request.header("accept"), ["application/json", ...Object.keys(formats)]);
  const headers = {
    ...noStore,
    ...(rules.formats && { vary: "Accept" }),
    ...(answer.synthetic && syntheticHeader),
  };
  const { results, meta: { provenance } = {} } = answer;
  const { taskIdAsList } = rules;
  const meta = rules.hidesMeta ? undefined : answer.meta;
  const success = { taskId, taskIdAsList, meta, seconds: () => (monotonicMs() - started) / 1000 };
  const asJson = () => successPieces({ ...success, results });
  const format = formats[type];
  if (format) {
    const body = heldBody(format(answer), place);
    return { status: 200, headers: { ...headers, "content-type": type }, body, asJson, provenance };
  }
  if (laneOf(rules.bytes ?? 0) === "small" && !isWritten(results))
    return { ...jsonReply(200, successValue({ ...success, results }), headers), provenance };
  const body = isWritten(results) ? successBody({ ...success, results }) : yielding(asJson());
  return {
    status: 200,
    headers: { "content-type": "application/json", ...headers },
    body: heldBody(body, place),
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
