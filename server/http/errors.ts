import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import type { ApiRequest, Reply, RequestLog } from "./api-request.ts";
import {
  detailReply,
  failureValue,
  invalidReply,
  jsonReply,
  noStore,
  type ValidationIssue,
} from "./reply.ts";

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
  return new HttpError(invalidReply(issues));
}

/** The body is longer than the operation reads. */
export class BodyTooLargeError extends Error {
  override readonly name = "BodyTooLargeError";
  readonly limit: number;
  constructor(limit: number) {
    super(`The request body is larger than ${limit} bytes`);
    this.limit = limit;
  }
}

/** The client disconnected before its body was complete. */
export class BodyInterruptedError extends Error {
  override readonly name = "BodyInterruptedError";
}

/** The body arrives slower than the server waits for it. */
export class BodyTooSlowError extends Error {
  override readonly name = "BodyTooSlowError";
}

type FailedRequest = Pick<ApiRequest, "id" | "path" | "signal">;

/** The reply to whatever an operation throws. Details of our own failures go to the log only. */
export function replyToError(error: unknown, request: FailedRequest, log: RequestLog): Reply {
  const fields = { err: error, requestId: request.id, path: request.path };
  if (error instanceof HttpError) return error.reply;
  if (error instanceof BodyTooLargeError) return detailReply(413, error.message);
  if (error instanceof BodyInterruptedError) return detailReply(400, "The request body ended too early");
  if (error instanceof BodyTooSlowError) {
    return detailReply(408, "The request body took too long to arrive", { connection: "close" });
  }
  if (error instanceof UnavailableError) {
    log.warn(fields, "temporarily unavailable");
    return detailReply(503, error.message, { "retry-after": String(error.retryAfter) });
  }
  // Nobody reads this reply, and the failure is not ours.
  if (request.signal.aborted) return detailReply(499, "The client went away");
  log.error(fields, "operation failed");
  return detailReply(500, "Internal Server Error");
}

/**
 * The FAILURE envelope of a computation that failed.
 *
 * Rethrows what does not end the computation: an HTTP error, an outage, a client that disconnected.
 */
export function replyToFailure(
  error: unknown,
  taskId: string,
  request: FailedRequest,
  log: RequestLog,
): Reply {
  if (error instanceof UnavailableError || error instanceof HttpError || request.signal.aborted) throw error;
  const known = error instanceof ProcessingError;
  log[known ? "warn" : "error"]({ err: error, requestId: request.id, taskId }, "task failed");
  const reason = known ? error.message : "The request could not be processed. Please try again later.";
  return jsonReply(200, failureValue(taskId, reason), noStore);
}
