import { LRUCache } from "lru-cache";
import type { Limit } from "#lib/contract/limits.ts";
import { type Clock, isOver } from "#server/platform/clock.ts";

/** The remainder of a limit after a request was counted. */
export interface Allowance {
  allowed: boolean;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  /** End of the window, Unix seconds, rounded up. */
  resetAt: number;
}

export interface RateLimiter {
  /** Counts one request of `bucket`. */
  take(bucket: string, limit: Limit): Promise<Allowance>;
}

/** Maximum number of buckets in memory, so that a flood of addresses cannot fill it. */
const MAX_BUCKETS = 100_000;

/**
 * Fixed windows in the memory of one process: the first request of a bucket opens its window. A rejected request is not
 * counted. A window that was opened while the clock was ahead counts as ended.
 *
 * @param clock The machine's clock, never the weather's.
 * @param maxBuckets Beyond this many, the bucket that was used longest ago is dropped.
 */
export function memoryRateLimiter(clock: Clock, maxBuckets = MAX_BUCKETS): RateLimiter {
  const windows = new LRUCache<string, { count: number; endsAt: number }>({ max: maxBuckets });
  return {
    async take(bucket: string, limit: Limit): Promise<Allowance> {
      const now = clock.now();
      let window = windows.get(bucket);
      if (!window || isOver(window.endsAt, now, limit.periodSeconds)) {
        window = { count: 0, endsAt: now + limit.periodSeconds };
        windows.set(bucket, window);
      }
      const allowed = window.count < limit.count;
      if (allowed) window.count++;
      return {
        allowed,
        remaining: Math.max(0, limit.count - window.count),
        resetSeconds: Math.max(1, Math.ceil(window.endsAt - now)),
        resetAt: Math.ceil(window.endsAt),
      };
    },
  };
}
