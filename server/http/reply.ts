import { rateLimitText } from "#lib/contract/limits.ts";
import { BlobMissingError } from "#server/platform/blob-store.ts";
import {
  DatabaseUnavailableError,
  isDatabaseAway,
  isNoSpace,
  NoSpaceError,
  QuotaError,
  UnavailableError,
} from "#server/platform/errors.ts";
import { matchesEtag } from "#server/platform/negotiation.ts";
import type { ApiRequest, Reply, RequestLog, StreamedBody } from "./api-request.ts";

/** One entry of a 422 reply, in the form of FastAPI and pydantic v2. The input itself is never echoed. */
export interface ValidationIssue {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: Record<string, unknown>;
}

/** Maximum number of entries of one 422 reply. */
export const MAX_ISSUES = 50;

export const noStore = { "cache-control": "no-store" };

/** Header of every answer from the demo world. */
export const syntheticHeader = { "x-data-provenance": "synthetic" };

/** The age of the oldest forecast of an answer, and whether one of them is old. */
export function ageHeaders(ages: readonly { age_s?: number | undefined; notice?: string | undefined }[]) {
  const known = ages.flatMap(({ age_s }) => age_s ?? []);
  return {
    ...(known.length > 0 && { "x-data-age": String(Math.max(...known)) }),
    ...(ages.some(({ notice }) => notice !== undefined) && { "x-data-provenance": "old" }),
  };
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(value),
  };
}

export function withHeaders(reply: Reply, headers: Record<string, string>): Reply {
  return { ...reply, headers: { ...reply.headers, ...headers } };
}

/** `{"detail": "…"}`: every error outside the envelope but 422 and 429. */
export function detailReply(status: number, detail: string, headers?: Record<string, string>): Reply {
  return jsonReply(status, { detail }, { ...noStore, ...headers });
}

/**
 * Reply 429.
 *
 * @param limit The exceeded limit: "10 per 1 minute".
 * @param retrySeconds When to try again, for `Retry-After`.
 */
export function limitReply(limit: string, retrySeconds: number): Reply {
  return jsonReply(429, { error: rateLimitText(limit) }, { "retry-after": String(retrySeconds), ...noStore });
}

/** A FAILURE envelope. @param error For the caller, without internal details. */
export function failureValue(
  taskId: string,
  error: string,
  more?: Readonly<Record<string, unknown>>,
): object {
  return { task_id: taskId, status: "FAILURE", error, ...more };
}

/** Whether a body is produced while it is sent. */
export function isStream(body: Reply["body"]): body is StreamedBody {
  return body !== null && typeof body !== "string" && !(body instanceof Uint8Array);
}

/** Ends a body that will not be sent, so that its resources are freed. */
export async function dropBody(body: Reply["body"]): Promise<void> {
  if (isStream(body)) await body[Symbol.asyncIterator]().return?.();
}

/** 202: a task was created from the request. */
export function acceptedReply(taskId: string, headers: Record<string, string> = {}): Reply {
  return jsonReply(
    202,
    { task_id: taskId, status: "PENDING" },
    { location: `/task/${taskId}`, "retry-after": "1", ...noStore, ...headers },
  );
}

/**
 * A reply with its ETag; 304 when the client has it cached.
 *
 * @param etag Tag including its quotes.
 * @param vary The request headers that the reply depends on.
 */
export async function conditionalReply(
  request: Pick<ApiRequest, "header">,
  etag: string,
  cacheControl: string,
  make: () => Reply | Promise<Reply>,
  vary = "X-API-Key",
): Promise<Reply> {
  const headers = { etag, "cache-control": cacheControl, vary };
  if (matchesEtag(request.header("if-none-match"), etag)) return { status: 304, headers, body: null };
  const reply = await make();
  return { ...reply, headers: { ...headers, ...reply.headers } };
}

/** An error with its reply. */
export class HttpError extends Error {
  override readonly name = "HttpError";
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`HTTP status ${reply.status}`);
    this.reply = reply;
  }
}

/** The request breaks rules of its schema, or rules that need the clock or the archive: 422. */
export function invalid(...issues: ValidationIssue[]): HttpError {
  return new HttpError(jsonReply(422, { detail: issues.slice(0, MAX_ISSUES) }, noStore));
}

/** The body is longer than the operation reads: 413. */
export function bodyTooLarge(limit: number): HttpError {
  return new HttpError(detailReply(413, `The request body is larger than ${limit} bytes`));
}

type FailedRequest = Pick<ApiRequest, "id" | "route" | "signal">;

/** Translates a failure into an outage for the caller if a dependency of the service is unavailable. */
function outageOf(error: unknown): unknown {
  if (error instanceof UnavailableError) return error;
  if (isNoSpace(error)) return new NoSpaceError();
  return isDatabaseAway(error) ? new DatabaseUnavailableError() : error;
}

/** The reply to whatever an operation throws. Details of our own failures go to the log only. */
export function replyToError(error: unknown, request: FailedRequest, log: RequestLog): Reply {
  const fields = { err: error, requestId: request.id, route: request.route };
  if (error instanceof HttpError) return error.reply;
  if (error instanceof QuotaError) return detailReply(507, error.message);
  const outage = outageOf(error);
  if (outage instanceof UnavailableError) {
    log.warn(fields, "temporarily unavailable");
    return detailReply(503, outage.message, { "retry-after": String(outage.retryAfter) });
  }
  if (error instanceof BlobMissingError) {
    log.warn(fields, "deleted before it was sent");
    return detailReply(410, "What was requested has just been deleted");
  }
  // Nobody reads this reply, and the failure is not ours.
  if (request.signal.aborted) return detailReply(499, "The client went away");
  log.error(fields, "operation failed");
  return detailReply(500, "Internal Server Error");
}
