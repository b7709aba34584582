import type { ValidationIssue } from "./contract/issues.ts";
import { issueText, type Refusal } from "./refusal.ts";

/** Every error of this package but an abort, which is the reason of its signal. `name` is the name of the class. */
export class MetOceanError extends Error {
  override readonly name: string = "MetOceanError";
}

/** The service could not be reached, or the connection broke. `cause` is the error of `fetch`. */
export class ConnectionError extends MetOceanError {
  override readonly name = "ConnectionError";
}

/** What came is no answer of the service: the page of a captive portal, a damaged file. */
export class UnexpectedReplyError extends MetOceanError {
  override readonly name = "UnexpectedReplyError";
}

/** A valid request that could not be processed: the failure envelope, and a task that failed or was cancelled. */
export class FailureError extends MetOceanError {
  override readonly name = "FailureError";
  readonly taskId: string;
  constructor(taskId: string, error: string) {
    super(error);
    this.taskId = taskId;
  }
}

/** A reply that is no success, of a status without a class of its own. */
export class ReplyError extends MetOceanError {
  override readonly name: string = "ReplyError";
  /** HTTP status. */
  readonly status: number;
  /** Seconds after which it is worth trying again, where the service says so. */
  readonly retryAfter: number | undefined;
  constructor({ status, text, retryAfter }: Omit<Refusal, "issues">) {
    super(text ?? `The service answered ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** 401: the key is unknown, expired or revoked. 403: there is no key, or what it may not have. */
export class AuthenticationError extends ReplyError {
  override readonly name = "AuthenticationError";
}

/** 404 */
export class NotFoundError extends ReplyError {
  override readonly name = "NotFoundError";
}

/** 409: a task that has succeeded already, a channel that is there already, the first request of a key still open. */
export class ConflictError extends ReplyError {
  override readonly name = "ConflictError";
}

/** 410: the result of a task has expired. */
export class GoneError extends ReplyError {
  override readonly name = "GoneError";
}

/** 413: a body of too many bytes. */
export class TooLargeError extends ReplyError {
  override readonly name = "TooLargeError";
}

/** 422: the request breaks a rule. */
export class ValidationError extends ReplyError {
  override readonly name = "ValidationError";
  /** Every fault, up to 50. */
  readonly issues: readonly ValidationIssue[];
  constructor(refusal: Refusal) {
    super({ ...refusal, text: refusal.text ?? refusal.issues.map(issueText).join("; ") });
    this.issues = refusal.issues.map(({ type = "", loc = [], msg = "", ctx }) => ({
      type,
      loc,
      msg,
      ...(ctx && { ctx }),
    }));
  }
}

/** 429: more requests than the key may send. */
export class RateLimitError extends ReplyError {
  override readonly name = "RateLimitError";
}

/** 503: the service is overloaded, restarts, or lacks what it needs. */
export class UnavailableError extends ReplyError {
  override readonly name = "UnavailableError";
}

/** 507: the owner of the key, or all together, have stored as much as they may. The message says what to delete. */
export class StorageFullError extends ReplyError {
  override readonly name = "StorageFullError";
}
