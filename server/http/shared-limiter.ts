import type { Limit } from "#lib/contract/limit.ts";
import { type Clock, monotonicMs } from "#server/platform/clock.ts";
import { sharedLookups } from "#server/platform/shared-lookups.ts";
import type { RequestLog } from "./api-request.ts";
import { type Allowance, MAX_BUCKETS, makeRoom, type RateLimiter } from "./rate-limiter.ts";
import type { Ask, Grant, RateWindows } from "./rate-windows.ts";

export interface SharedLimiterDeps {
  windows: RateWindows;
  /** For the ends of windows that are counted without the database. */
  clock: Clock;
  log: Pick<RequestLog, "warn" | "info">;
  /** Monotonic milliseconds. */
  elapsed?: () => number;
}

/** Limits that several processes share. */
export interface SharedLimiter extends RateLimiter {
  /** How often the database was asked since the start. */
  readonly asked: number;
  /** Gives back what lies unused. Called once a second. */
  tidy(): Promise<void>;
  /** Says that this process lives. Called every ten seconds. Never rejects. */
  beat(): Promise<void>;
  /** Gives everything back. */
  close(): Promise<void>;
}

/** A process takes at most this part of a limit at a time. */
const MAX_PART = 0.05;

/** An allowance that was used up within this time is followed by one of twice the size; one that lasted eight times as long, by 1. */
const FAST_MS = 250;

/** How long an allowance may lie unused before it is given back, and how long a limit that is used up is not asked for again. */
const IDLE_MS = 1000;

/** Longest that a request waits for the database. Where it is away, it is asked again after this time. */
const PATIENCE_MS = 2000;
const RETRY_MS = 1000;

/** A limit as this process knows it. Times are milliseconds of `elapsed`. */
interface Window {
  /** As the database names it; undefined for one that is counted here alone. */
  name: string | undefined;
  limit: Limit;
  /** Requests that may be allowed without asking. */
  have: number;
  /** What no process has taken, when the database was last asked. */
  rest: number;
  /** Requests allowed here. */
  used: number;
  endsAt: number;
  /** Unix seconds. */
  resetAt: number;
  /** What is asked for next. */
  size: number;
  askedAt: number;
  usedAt: number;
  /** Requests that wait for the database. */
  waiting: number;
  asking: Promise<void> | undefined;
}

/**
 * Fixed windows that all processes of a database share. A process takes allowances from a row and counts requests in memory:
 * one request at a time for a caller who comes rarely, up to a twentieth of the limit for one who comes often, the next one
 * before the last is used up. So requests that come often wait for no database, and no allowance lies where it is not used:
 * what rests for a second is given back.
 *
 * An allowance ends with its window, counted from before the database was asked. All allowances together are the limit at
 * most. Where the database is away, what was taken is used up, and then each process has its part of the limit.
 */
export function sharedRateLimiter(
  { windows: store, clock, log, elapsed = monotonicMs }: SharedLimiterDeps,
  maxBuckets = MAX_BUCKETS,
): SharedLimiter {
  const windows = new Map<string, Window>();
  /** Windows with an allowance that is not used up. */
  const holding = new Map<string, Window>();
  const asks = new Map<string, Ask>();
  let asked = 0;
  let processes = 1;
  /** The database did not answer: when it is asked again. */
  let awayUntil: number | undefined;

  const askStore = sharedLookups<Grant>((buckets) => {
    asked++;
    const batch = buckets.map((bucket) => asks.get(bucket)!);
    for (const bucket of buckets) asks.delete(bucket);
    return store.take(batch);
  });

  function windowOf(bucket: string, limit: Limit, now: number): Window {
    const known = windows.get(bucket);
    if (known) {
      known.limit = limit;
      return known;
    }
    makeRoom(windows, now, maxBuckets);
    const never = Number.NEGATIVE_INFINITY;
    const fresh: Window = {
      name: undefined,
      limit,
      have: 0,
      rest: 0,
      used: 0,
      endsAt: never,
      resetAt: 0,
      size: 1,
      askedAt: never,
      usedAt: now,
      waiting: 0,
      asking: undefined,
    };
    windows.set(bucket, fresh);
    return fresh;
  }

  function allowanceOf(window: Window, allowed: boolean, remaining: number, now: number): Allowance {
    const { limit, endsAt, resetAt } = window;
    return {
      allowed,
      remaining: Math.max(0, Math.min(limit.count - (allowed ? 1 : 0), remaining)),
      resetSeconds: Math.max(1, Math.ceil((endsAt - now) / 1000)),
      resetAt: Math.ceil(resetAt),
    };
  }

  function allow(bucket: string, window: Window, now: number): Allowance {
    window.have--;
    window.used++;
    window.usedAt = now;
    if (window.have === 0) holding.delete(bucket);
    // Who comes rarely waits for the next one instead of holding two.
    const isLow = window.size > 1 && window.have <= window.size / 2;
    if (isLow && window.rest > 0 && awayUntil === undefined) void ask(bucket, window);
    return allowanceOf(window, true, window.rest + window.have, now);
  }

  /** Asks for the next allowance. Never rejects: where the database is away, `awayUntil` says so. */
  function ask(bucket: string, window: Window): Promise<void> {
    window.asking ??= (async () => {
      const sent = elapsed();
      const since = sent - window.askedAt;
      const most = Math.max(1, Math.floor(MAX_PART * window.limit.count));
      if (since > 8 * FAST_MS) window.size = 1;
      else if (since < FAST_MS) window.size = Math.min(2 * window.size, most);
      window.askedAt = sent;
      // What was to be given back and was not sent yet.
      window.have -= asks.get(bucket)?.want ?? 0;
      asks.set(bucket, { bucket, limit: window.limit, want: Math.max(window.size, window.waiting) });
      const granted = askStore(bucket).then((grant) => receive(bucket, window, grant!, sent));
      try {
        await within(granted, PATIENCE_MS);
        if (awayUntil !== undefined) log.info({}, "rate limits are shared again");
        awayUntil = undefined;
      } catch (error) {
        if (awayUntil === undefined)
          log.warn({ err: error }, "rate limits cannot be shared: each process has its part");
        awayUntil = elapsed() + RETRY_MS;
      } finally {
        window.asking = undefined;
      }
    })();
    return window.asking;
  }

  function receive(bucket: string, window: Window, grant: Grant, sent: number): void {
    if (window.name !== grant.window) {
      window.name = grant.window;
      window.have = 0;
      window.used = 0;
    }
    window.have += grant.granted;
    // Two attempts may wait for one answer.
    grant.granted = 0;
    window.rest = grant.rest;
    window.endsAt = sent + 1000 * grant.secondsLeft;
    window.resetAt = grant.endsAt;
    if (window.have > 0) holding.set(bucket, window);
  }

  /** The part of this process, without the database. */
  function takePart(window: Window): Allowance {
    const { limit } = window;
    const now = elapsed();
    if (now >= window.endsAt) {
      const endsAt = now + 1000 * limit.periodSeconds;
      Object.assign(window, {
        name: undefined,
        have: 0,
        used: 0,
        endsAt,
        resetAt: clock.now() + limit.periodSeconds,
      });
    }
    const part = Math.max(1, Math.floor(limit.count / processes));
    const allowed = window.used < part;
    if (allowed) window.used++;
    return allowanceOf(window, allowed, part - window.used, now);
  }

  async function takeLater(bucket: string, window: Window): Promise<Allowance> {
    window.waiting++;
    try {
      for (;;) {
        const now = elapsed();
        if (awayUntil !== undefined) {
          if (now >= awayUntil) void ask(bucket, window);
          return takePart(window);
        }
        await ask(bucket, window);
        // What was granted counts for those who waited, also where it took as long as the window.
        if (window.have > 0) return allow(bucket, window, now);
        if (awayUntil === undefined && window.rest === 0) return allowanceOf(window, false, 0, elapsed());
      }
    } finally {
      window.waiting--;
    }
  }

  return {
    get asked() {
      return asked;
    },
    take(bucket, limit) {
      const now = elapsed();
      const window = windowOf(bucket, limit, now);
      if (now < window.endsAt) {
        if (window.have > 0) return allow(bucket, window, now);
        const isSpent = window.name !== undefined && window.rest === 0 && now - window.askedAt < IDLE_MS;
        if (isSpent) return allowanceOf(window, false, 0, now);
      }
      return takeLater(bucket, window);
    },
    tidy: () => giveBack(IDLE_MS),
    async beat() {
      try {
        processes = await store.beat();
      } catch {
        // Whoever takes an allowance says so.
      }
    },
    async close() {
      await giveBack(0);
      await store.leave().catch(() => {});
    },
  };

  async function giveBack(idleMs: number): Promise<void> {
    const now = elapsed();
    const back: Promise<unknown>[] = [];
    for (const [bucket, window] of holding) {
      if (now < window.endsAt && now - window.usedAt < idleMs) continue;
      holding.delete(bucket);
      const { have, name, limit } = window;
      window.have = 0;
      if (now >= window.endsAt || name === undefined || window.asking) continue;
      window.rest += have;
      asks.set(bucket, { bucket, limit, want: -have, window: name });
      back.push(askStore(bucket));
    }
    // Where the database is away, it ends with the window.
    await Promise.allSettled(back);
  }
}

/** @throws Error where a promise takes longer. */
async function within(promise: Promise<unknown>, ms: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms);
  });
  // An answer that comes later is received all the same.
  promise.catch(() => {});
  try {
    await Promise.race([promise, late]);
  } finally {
    clearTimeout(timer);
  }
}
