import type { Sleep } from "./pause.ts";

/** How often and how long a request is repeated. */
export interface RetryPolicy {
  /** Attempts in all; 1 for none after the first. */
  attempts: number;
  /** Seconds that a request waits between its attempts in all; what would be longer is thrown at once. */
  maxWait: number;
}

export const defaultRetry: RetryPolicy = { attempts: 5, maxWait: 180 };

/** First wait where the service names none, seconds; twice as long each time. */
const FIRST_WAIT_S = 1;

/** Fields of errors that decide whether a request is worth repeating. */
interface Refused {
  status?: number;
  retryAfter?: number;
}

interface Attempts {
  policy: RetryPolicy;
  /** Sent twice it does what it does once: a request that may have been received is repeated too. */
  isRepeatable: boolean;
  sleep: Sleep;
  signal: AbortSignal | undefined;
}

/**
 * Repeats a request that a rate limit (429) or an overload (503) refused, after the time that the service names, and one
 * whose answer was lost where that is safe.
 *
 * @throws The error of the last attempt; the reason of the signal when that aborts.
 */
export async function withRetries<T>(attempt: () => Promise<T>, how: Attempts): Promise<T> {
  const { policy, sleep, signal } = how;
  let waited = 0;
  for (let count = 1; ; count++) {
    try {
      return await attempt();
    } catch (error) {
      signal?.throwIfAborted();
      if (count >= policy.attempts || !isWorthRepeating(error as Refused, how.isRepeatable)) throw error;
      const wait = (error as Refused).retryAfter ?? FIRST_WAIT_S * 2 ** (count - 1);
      waited += wait;
      if (waited > policy.maxWait) throw error;
      await sleep(1000 * wait, signal);
    }
  }
}

function isWorthRepeating({ status, retryAfter }: Refused, isRepeatable: boolean): boolean {
  // Nothing was accepted.
  if (status === 429 || status === 503) return true;
  // The first request with this Idempotency-Key is still open.
  if (status === 409) return isRepeatable && retryAfter !== undefined;
  // No answer, or none of the service.
  return isRepeatable && (status === undefined || status === 502 || status === 504);
}
