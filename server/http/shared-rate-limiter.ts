import { createHmac } from "node:crypto";
import { LRUCache } from "lru-cache";
import type { Limit } from "#lib/contract/limits.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";
import { isOver } from "#server/platform/claimed-rows.ts";
import { type Clock, monotonicMs } from "#server/platform/clock.ts";
import type { RequestLog } from "./api-request.ts";
import { type Allowance, memoryRateLimiter } from "./rate-limiter.ts";

/** Whether the window of a row is over; `excluded` is a new one. */
const hasEnded = isOver(Prisma.sql`held.ends_at`, Prisma.sql`extract(epoch FROM excluded.ends_at - now())`);

interface CountedRow {
  row: string;
  /** Requests of the window so far, including those counted now. */
  taken: number;
  secondsLeft: number;
  /** End of the window by the database's clock, Unix seconds. */
  endsAt: number;
}

/** Requests of a bucket that wait for the next statement. */
interface WaitingBucket {
  limit: Limit;
  callers: ((allowance: Allowance) => void)[];
}

export interface DatabaseLimiterDeps {
  tables: Pick<PrismaClient, "$queryRaw" | "$executeRaw">;
  /** Secret shared by every process; rows name their buckets by a hash under it. */
  secret: string;
  /** Clock of windows that are counted without the database. */
  clock: Clock;
  log: Pick<RequestLog, "warn" | "info">;
  /** Monotonic milliseconds. */
  elapsed?: () => number;
}

/** Longest wait of requests for the database. An unavailable database is asked again after this time. */
const PATIENCE_MS = 2000;
const RETRY_MS = 1000;
/** The time doubles with each statement that hangs, so that they do not take all connections. */
const MAX_DOUBLINGS = 6;

const SWEEP_MS = 60_000;
const MAX_SWEPT = 10_000;

/**
 * Counts in fixed windows that all processes of a database share: each bucket has a row, and the database's clock
 * applies. Requests that arrive while a statement runs share the next one, so that each process has one statement at a
 * time. A used-up limit is not queried again before its window ends. While the database is unavailable, each process
 * counts alone.
 */
export function databaseRateLimiter({
  tables,
  secret,
  clock,
  log,
  elapsed = monotonicMs,
}: DatabaseLimiterDeps) {
  const key = createHmac("sha256", secret).update("rate windows").digest();
  const rowOf = (bucket: string) =>
    createHmac("sha256", key).update(bucket).digest().subarray(0, 16).toString("hex");
  const alone = memoryRateLimiter(clock);
  /** Windows whose limit is used up, by bucket; `until` in milliseconds of `elapsed`. */
  const spent = new LRUCache<string, { until: number; resetAt: number }>({ max: 10_000 });
  let waiting = new Map<string, WaitingBucket>();
  let isAsking = false;
  let awayUntil: number | undefined;
  /** Number of consecutive statements that were not answered in time; each may still hold a connection. */
  let hanging = 0;

  async function count(batch: ReadonlyMap<string, WaitingBucket>): Promise<void> {
    const sent = elapsed();
    const ofRow = new Map([...batch].map(([bucket, asked]) => [rowOf(bucket), { bucket, ...asked }]));
    const all = [...ofRow.values()];
    // The statement takes the rows in their order, so that two processes that count the same ones cannot deadlock.
    const statement = tables.$queryRaw<CountedRow[]>`
        INSERT INTO rate_window AS held (bucket, ends_at, taken)
        SELECT bucket, now() + make_interval(secs => period), taken
        FROM unnest(${[...ofRow.keys()]}::uuid[], ${all.map(({ limit }) => limit.periodSeconds)}::float8[],
          ${all.map(({ callers }) => callers.length)}::int[]) AS asked (bucket, period, taken)
        ORDER BY bucket
        ON CONFLICT (bucket) DO UPDATE SET
          taken = CASE WHEN ${hasEnded} THEN excluded.taken ELSE held.taken + excluded.taken END,
          ends_at = CASE WHEN ${hasEnded} THEN excluded.ends_at ELSE held.ends_at END
        RETURNING replace(bucket::text, '-', '') AS row, taken,
          extract(epoch FROM ends_at - now())::float8 AS "secondsLeft", extract(epoch FROM ends_at)::float8 AS "endsAt"`;
    const rows = await within(statement, PATIENCE_MS);
    hanging = 0;
    for (const { row, taken, secondsLeft, endsAt } of rows) {
      const { bucket, limit, callers } = ofRow.get(row)!;
      const resetAt = Math.ceil(endsAt);
      if (taken >= limit.count) spent.set(bucket, { until: sent + 1000 * secondsLeft, resetAt });
      for (const [index, answer] of callers.entries()) {
        const position = taken - callers.length + index;
        const remaining = Math.max(0, limit.count - position - 1);
        const resetSeconds = Math.max(1, Math.ceil(secondsLeft));
        answer({ allowed: position < limit.count, remaining, resetSeconds, resetAt });
      }
    }
  }

  async function countAll(): Promise<void> {
    isAsking = true;
    while (waiting.size > 0) {
      const batch = waiting;
      waiting = new Map();
      try {
        await count(batch);
        if (awayUntil !== undefined) log.info({}, "rate limits are shared again");
        awayUntil = undefined;
      } catch (error) {
        if (awayUntil === undefined)
          log.warn({ err: error }, "rate limits cannot be shared: each process counts alone");
        hanging = error instanceof LateError ? hanging + 1 : 0;
        awayUntil = elapsed() + RETRY_MS * 2 ** Math.min(Math.max(0, hanging - 1), MAX_DOUBLINGS);
        // Requests that arrived meanwhile have waited long enough, too.
        const all = [...batch, ...waiting];
        waiting = new Map();
        for (const [bucket, { limit, callers }] of all)
          for (const answer of callers) answer(await alone.take(bucket, limit));
      }
    }
    isAsking = false;
  }

  /** Deletes windows that have ended. Never rejects. */
  async function sweep(): Promise<void> {
    await tables.$executeRaw`
      DELETE FROM rate_window WHERE bucket IN (SELECT bucket FROM rate_window
        WHERE ends_at < now() - interval '1 minute' LIMIT ${MAX_SWEPT}::int FOR UPDATE SKIP LOCKED)`.catch(
      () => {},
    );
  }

  const sweeping = setInterval(sweep, SWEEP_MS).unref();
  return {
    async take(bucket: string, limit: Limit): Promise<Allowance> {
      const now = elapsed();
      const known = spent.get(bucket);
      if (known && now < known.until) {
        const resetSeconds = Math.max(1, Math.ceil((known.until - now) / 1000));
        return { allowed: false, remaining: 0, resetSeconds, resetAt: known.resetAt };
      }
      if (awayUntil !== undefined && now < awayUntil) return alone.take(bucket, limit);
      return new Promise((resolve) => {
        const asked = waiting.get(bucket) ?? { limit, callers: [] };
        asked.callers.push(resolve);
        waiting.set(bucket, asked);
        if (!isAsking) void countAll();
      });
    },
    sweep,
    close: () => clearInterval(sweeping),
  };
}

class LateError extends Error {
  override readonly name = "LateError";
}

/** @throws LateError if the promise takes longer. */
async function within<Result>(promise: Promise<Result>, ms: number): Promise<Result> {
  const late = Promise.withResolvers<never>();
  const timer = setTimeout(() => late.reject(new LateError(`no answer within ${ms} ms`)), ms);
  // The promise may fail later, which must not be an unhandled rejection.
  promise.catch(() => {});
  return Promise.race([promise, late.promise]).finally(() => clearTimeout(timer));
}
