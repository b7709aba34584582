import { taskHasMoreTime } from "#lib/contract/task-advice.ts";
import { UnavailableError } from "#server/platform/errors.ts";

/** Why a request that computes is refused; see `advised`. */
export class OverloadError extends UnavailableError {
  override readonly name = "OverloadError";
}

/** Its turn is not expected in time. @param retryMs After which it may be. */
export function tooBusy(retryMs: number): OverloadError {
  const seconds = Math.min(60, Math.max(1, Math.ceil(retryMs / 1000)));
  const time = seconds === 1 ? "a second" : `${seconds} seconds`;
  return new OverloadError(`The service is busy. Please try again in ${time}.`, seconds);
}

const LATE_RETRY_S = 30;

/** It was computed, and its time is over. */
export function tooLate(seconds: number): OverloadError {
  return new OverloadError(
    `The answer was not ready within ${seconds} seconds. Please ask for less, or try again later.`,
    LATE_RETRY_S,
  );
}

/** The error with the advice to send the request as a task, which has more time. @param how In words. */
export function advised(error: unknown, how: string | undefined): unknown {
  if (!(error instanceof OverloadError) || how === undefined) return error;
  return new OverloadError(`${error.message} ${taskHasMoreTime}: send it ${how}.`, error.retryAfter);
}
