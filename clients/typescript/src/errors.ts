import type { ValidationIssue } from "./contract.ts";

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

/** What a reply that is no success says. */
export interface Refusal {
  status: number;
  /** In words of the service; undefined where it says nothing, as a proxy in between. */
  text: string | undefined;
  /** Of a 422: each fault of the body or query. */
  issues: Partial<ValidationIssue>[];
  /** Seconds after which it is worth trying again, where the service says so. */
  retryAfter: number | undefined;
}

/** Reads an error reply, whatever it has as its body. @param now Unix milliseconds. */
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

/** Empty for a body that is not JSON: a proxy in between may answer with anything. */
function parsed(text: string): { detail?: unknown; error?: unknown } {
  try {
    return Object(JSON.parse(text));
  } catch {
    return {};
  }
}

/**
 * Where an issue is and what it says, on one line: `points 0 latitude: Input should be …`. The service begins rules of its own
 * with "Value error, ", as pydantic does, which tells a person nothing.
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

/** The error of a reply that is no success. */
export function errorOf(refusal: Refusal): ReplyError {
  return new (byStatus[refusal.status] ?? ReplyError)(refusal);
}
