import type { ValidationIssue } from "./contract.ts";

/**
 * Base class of every error of this package except aborts, which throw the reason of their signal. `name` is
 * the name of the class.
 */
export class MetOceanError extends Error {
  override readonly name: string = "MetOceanError";
}

/** The service could not be reached, or the connection was interrupted. `cause` is the error of `fetch`. */
export class ConnectionError extends MetOceanError {
  override readonly name = "ConnectionError";
}

/**
 * The reply does not come from the service or is damaged: for example the page of a captive portal, or a
 * truncated file.
 */
export class UnexpectedReplyError extends MetOceanError {
  override readonly name = "UnexpectedReplyError";
}

/** A valid request could not be processed: a failure envelope, or a task that failed or was cancelled. */
export class FailureError extends MetOceanError {
  override readonly name = "FailureError";
  readonly taskId: string;
  constructor(taskId: string, error: string) {
    super(error);
    this.taskId = taskId;
  }
}

/** An unsuccessful reply with a status that has no class of its own. */
export class ReplyError extends MetOceanError {
  override readonly name: string = "ReplyError";
  /** HTTP status. */
  readonly status: number;
  /** Seconds after which a retry makes sense, if the service states it. */
  readonly retryAfter: number | undefined;
  constructor({ status, text, retryAfter }: Omit<Refusal, "issues">) {
    super(text ?? `The service answered ${status}`);
    this.status = status;
    this.retryAfter = retryAfter;
  }
}

/** 401: the key is unknown, expired or revoked. 403: there is no key, or the key lacks the permission. */
export class AuthenticationError extends ReplyError {
  override readonly name = "AuthenticationError";
}

/** 404: the resource does not exist. */
export class NotFoundError extends ReplyError {
  override readonly name = "NotFoundError";
}

/**
 * 409: a task that has already succeeded, a channel that already exists, or a first request with the same key
 * still in progress.
 */
export class ConflictError extends ReplyError {
  override readonly name = "ConflictError";
}

/** 410: the result of a task has expired. */
export class GoneError extends ReplyError {
  override readonly name = "GoneError";
}

/** 413: the body has too many bytes. */
export class TooLargeError extends ReplyError {
  override readonly name = "TooLargeError";
}

/** 422: the request breaks a rule. */
export class ValidationError extends ReplyError {
  override readonly name = "ValidationError";
  /** All faults, up to 50. */
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

/** 429: the key has sent more requests than allowed. */
export class RateLimitError extends ReplyError {
  override readonly name = "RateLimitError";
}

/** 503: the service is overloaded, restarting, or missing something it needs. */
export class UnavailableError extends ReplyError {
  override readonly name = "UnavailableError";
}

/**
 * 507: the owner of the key, or all owners together, have stored as much as allowed. The message says what to
 * delete.
 */
export class StorageFullError extends ReplyError {
  override readonly name = "StorageFullError";
}

/** Content of an unsuccessful reply. */
export interface Refusal {
  status: number;
  /** The service's text; undefined if there is none, as from a proxy in between. */
  text: string | undefined;
  /** Faults of the body or query, for a 422. */
  issues: Partial<ValidationIssue>[];
  /** Seconds after which a retry makes sense, if the service states it. */
  retryAfter: number | undefined;
}

/** Reads an error reply with any body. @param now Unix milliseconds. */
export async function refusalOf(reply: Response, now = Date.now()): Promise<Refusal> {
  const { detail, error } = parsed(await reply.text());
  const issues = Array.isArray(detail) ? detail.map(Object) : [];
  const text = [detail, error].find((said) => typeof said === "string") as string | undefined;
  return { status: reply.status, text, issues, retryAfter: retryAfterOf(reply.headers, now) };
}

/** Seconds of `Retry-After`, which is a number or a date (RFC 9110, 10.2.3). @param now Unix milliseconds. */
function retryAfterOf(headers: Headers, now: number): number | undefined {
  const text = headers.get("retry-after");
  if (text === null) return undefined;
  const seconds = /^\d+$/.test(text) ? Number(text) : (Date.parse(text) - now) / 1000;
  return seconds > 0 ? seconds : undefined;
}

/** Empty if the body is not JSON; a proxy in between may answer with anything. */
function parsed(text: string): { detail?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Location and text of an issue on one line: `points 0 latitude: Input should be …`. The prefix "Value error,
 * ", which the service adds to its own rules as pydantic does, is removed because it has no meaning for
 * people.
 */
export function issueText({ loc = [], msg = "" }: Partial<ValidationIssue>): string {
  return `${loc.slice(1).join(" ")}: ${msg.replace(/^Value error, /, "")}`;
}

const byStatus: Readonly<Record<number, new (refusal: Refusal) => ReplyError>> = {
  401: AuthenticationError,
  403: AuthenticationError,
  404: NotFoundError,
  409: ConflictError,
  410: GoneError,
  413: TooLargeError,
  422: ValidationError,
  429: RateLimitError,
  503: UnavailableError,
  507: StorageFullError,
};

/** The error for an unsuccessful reply. */
export function errorOf(refusal: Refusal): ReplyError {
  return new (byStatus[refusal.status] ?? ReplyError)(refusal);
}
