/** Another machine took longer than it may. */
export class LateError extends Error {
  override readonly name = "LateError";
  constructor(ms: number) {
    super(`took more than ${ms / 1000} s`);
  }
}

/** A time limit within which work ends, whatever another machine does. */
export interface Deadline {
  /** Aborted at its end, by a LateError, or by the caller's signal. What is under way heeds it. */
  signal: AbortSignal;
  /** Settles as a promise does, and at the latest at the end of the time: a promise that heeds no signal is left alone. */
  race<Result>(promise: Promise<Result>): Promise<Result>;
  /** The caller calls this when the work is done. */
  clear(): void;
}

/**
 * Starts a time limit.
 *
 * @param signal Signal of the caller.
 */
export function deadline(ms: number, signal?: AbortSignal): Deadline {
  const own = new AbortController();
  const ended = Promise.withResolvers<never>();
  // Nobody may be waiting when the time ends, which must not be an unhandled rejection.
  ended.promise.catch(() => {});
  const end = (reason: unknown) => {
    own.abort(reason);
    ended.reject(reason);
  };
  const timer = setTimeout(() => end(new LateError(ms)), ms);
  const onAbort = () => end(signal?.reason);
  if (signal?.aborted) onAbort();
  else signal?.addEventListener("abort", onAbort, { once: true });
  return {
    signal: own.signal,
    race(promise) {
      // It may fail later.
      promise.catch(() => {});
      return Promise.race([ended.promise, promise]);
    },
    clear() {
      clearTimeout(timer);
      signal?.removeEventListener("abort", onAbort);
    },
  };
}

/**
 * Runs work that depends on another machine, and settles within a time limit whatever that machine does.
 *
 * @throws LateError; the signal's reason; what the work throws.
 */
export async function within<Result>(
  ms: number,
  signal: AbortSignal | undefined,
  work: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  signal?.throwIfAborted();
  const limit = deadline(ms, signal);
  try {
    return await limit.race(work(limit.signal));
  } finally {
    limit.clear();
  }
}

/**
 * Settles as a promise does, and at the latest at the end of a time. Every request passes here: `within`, with its signal,
 * took a seventh of the time of a point's answer.
 *
 * @throws LateError; what the promise rejects with.
 */
export function settledWithin<Result>(ms: number, promise: Promise<Result>): Promise<Result> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new LateError(ms)), ms);
    promise.finally(() => clearTimeout(timer)).then(resolve, reject);
  });
}
