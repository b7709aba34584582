import { type Limit, parseLimit } from "#lib/contract/limit.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Reply } from "./api-request.ts";
import { jsonReply, noStore } from "./reply.ts";

/** Groups of operations that are counted together, with the limit of a key that has none of its own. */
export const rateGroups = {
  data: limitOf("10 per 1 minute"),
  storms: limitOf("10 per 1 minute"),
  tasks: limitOf("300 per 1 minute"),
  frames: limitOf("3000 per 1 minute"),
} as const;

export type RateGroup = keyof typeof rateGroups;

/** Failed authentication, per address. It never blocks a valid key. */
export const failedKeyLimit = limitOf("100 per 1 minute");

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

/**
 * Fixed windows in memory: the first request of a bucket opens its window.
 *
 * @param clock The machine's clock, never the weather's.
 * @param maxBuckets Beyond this many, windows that ended are dropped, then the oldest: a flood of addresses cannot fill
 *   the memory.
 */
export function memoryRateLimiter(clock: Clock, maxBuckets = 100_000): RateLimiter {
  const windows = new Map<string, { count: number; endsAt: number }>();

  const evict = (now: number) => {
    for (const [bucket, { endsAt }] of windows) if (endsAt <= now) windows.delete(bucket);
    for (const bucket of windows.keys()) {
      // A tenth is freed at once, so that the loop above does not run again for every new bucket.
      if (windows.size <= 0.9 * maxBuckets) break;
      windows.delete(bucket);
    }
  };

  return {
    take(bucket, limit) {
      const now = clock.now();
      let window = windows.get(bucket);
      if (!window || window.endsAt <= now) {
        windows.delete(bucket);
        if (windows.size >= maxBuckets) evict(now);
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

/**
 * The headers of a counted reply: `RateLimit-Policy` and `RateLimit` as draft-ietf-httpapi-ratelimit-headers-11 writes
 * them (structured fields: quota q, window w, remaining r, seconds to the reset t), and the older
 * `X-RateLimit-*`, whose reset is a Unix time, as slowapi's is.
 */
export function rateHeaders(policy: string, limit: Limit, allowance: Allowance): Record<string, string> {
  const { remaining, resetSeconds, resetAt } = allowance;
  return {
    "ratelimit-policy": `"${policy}";q=${limit.count};w=${limit.periodSeconds}`,
    ratelimit: `"${policy}";r=${remaining};t=${resetSeconds}`,
    "x-ratelimit-limit": String(limit.count),
    "x-ratelimit-remaining": String(remaining),
    "x-ratelimit-reset": String(resetAt),
  };
}

/** 429, as the contract words it. */
export function limitReply(limit: Limit, allowance: Allowance): Reply {
  return jsonReply(
    429,
    { error: `Rate limit exceeded: ${limit.text}` },
    { "retry-after": String(allowance.resetSeconds), ...noStore },
  );
}

function limitOf(text: string): Limit {
  const limit = parseLimit(text);
  if (!limit) throw new TypeError(`${text} is not a limit`);
  return limit;
}
