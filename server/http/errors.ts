import { UnavailableError } from "#server/platform/errors.ts";
import type { Reply } from "./exchange.ts";

/** One entry of a 422 reply, in the form of FastAPI and pydantic v2. The input itself is never echoed. */
export interface ValidationIssue {
  type: string;
  loc: (string | number)[];
  msg: string;
  ctx?: Record<string, unknown>;
}

/** A refusal with its status: the door throws it, one place turns it into a reply. */
export class HttpError extends Error {
  override readonly name = "Refusal";
  readonly reply: Reply;
  constructor(reply: Reply) {
    super(`Refused with status ${reply.status}`);
    this.reply = reply;
  }
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

/** The client went away before its body was whole. */
export class BodyInterruptedError extends Error {
  override readonly name = "BodyInterruptedError";
}

/** The body trickles. */
export class BodyTooSlowError extends Error {
  override readonly name = "BodyTooSlowError";
}

export function jsonReply(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify(value),
  };
}

/** `{"detail": "…"}`: every error outside the envelope but 422 and 429. */
export function detailReply(status: number, detail: string, headers?: Record<string, string>): Reply {
  return jsonReply(status, { detail }, { "cache-control": "no-store", ...headers });
}

/** 422 with at most 50 entries. */
export function invalidReply(issues: readonly ValidationIssue[]): Reply {
  return jsonReply(422, { detail: issues.slice(0, mostIssues) }, { "cache-control": "no-store" });
}

/** Most entries of one 422 reply. */
export const mostIssues = 50;

/** The reply to a failure that any operation may meet; undefined for one that is a surprise. */
export function replyToError(error: unknown): Reply | undefined {
  if (error instanceof HttpError) return error.reply;
  if (error instanceof BodyTooLargeError) return detailReply(413, error.message);
  if (error instanceof UnavailableError) {
    return detailReply(503, error.message, { "retry-after": String(error.retryAfter) });
  }
  return undefined;
}
