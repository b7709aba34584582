import type { Limit } from "#lib/contract/limit.ts";
import type { Clock } from "#server/platform/clock.ts";

/** What remains of a limit after a request was counted. */
export interface Allowance {
  allowed: boolean;
  remaining: number;
  /** Whole seconds until the window ends, at least 1. */
  resetSeconds: number;
  /** When it ends, Unix seconds, rounded up. */
  resetAt: number;
}

/** Counts requests. */
export interface RateLimiter {
  /** Counts one request of `bucket`. A rejected request is not counted. */
  take(bucket: string, limit: Limit): Allowance | Promise<Allowance>;
}

/** Most buckets that a process remembers: a flood of addresses cannot fill the memory. */
export const MAX_BUCKETS = 100_000;

/**
 * Fixed windows in the memory of one process: the first request of a bucket opens its window.
 *
 * @param clock The machine's clock, never the weather's.
 * @param maxBuckets Beyond this many, windows that ended are dropped, then the oldest.
 */
export function memoryRateLimiter(clock: Clock, maxBuckets = MAX_BUCKETS): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();
  return {
    take(bucket, limit) {
      const now = clock.now();
      let window = windows.get(bucket);
      if (!window || window.endsAt <= now) {
        windows.delete(bucket);
        makeRoom(windows, now, maxBuckets);
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

/** Drops windows that ended, then the oldest, where there are as many as there may be. */
export function makeRoom(windows: Map<string, { endsAt: number }>, now: number, maxBuckets: number): void {
  if (windows.size < maxBuckets) return;
  for (const [bucket, { endsAt }] of windows) if (endsAt <= now) windows.delete(bucket);
  for (const bucket of windows.keys()) {
    // A tenth is freed at once, so that the loop above does not run again for every new bucket.
    if (windows.size <= 0.9 * maxBuckets) break;
    windows.delete(bucket);
  }
}
