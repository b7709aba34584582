import { createHmac, randomUUID } from "node:crypto";
import type { Limit } from "#lib/contract/limit.ts";
import { Prisma, type PrismaClient } from "#prisma/generated/client.ts";

/** A request for a part of a limit. */
export interface Ask {
  bucket: string;
  limit: Limit;
  /** How many requests it should allow; negative for what is given back. */
  want: number;
  /** Of what is given back: the window that it was taken from, as `Grant.window`. */
  window?: string;
}

/** A part of a limit, for one process. */
export interface Grant {
  /** Names the window. */
  window: string;
  /** Requests that the process may allow until the window ends, besides those of earlier grants. */
  granted: number;
  /** What no process has taken yet. */
  rest: number;
  /** Seconds until the window ends. */
  secondsLeft: number;
  /** When it ends by the database's clock, Unix seconds. */
  endsAt: number;
}

/** What processes share of their limits. */
export interface RateWindows {
  /** @returns By bucket. Buckets are different from each other. */
  take(asks: readonly Ask[]): Promise<Map<string, Grant>>;
  /** Says that this process lives, and deletes what is old. @returns How many processes live, at least 1. */
  beat(): Promise<number>;
  /** Says that this process ends. */
  leave(): Promise<void>;
}

/**
 * One process has at most this part of what is left: near the end of a limit, little lies with processes that are not asked
 * again.
 */
const PART_OF_REST = 16;

/** A process that was not heard of for so long is gone, seconds. */
const SILENT_S = 30;

/** Rows that one sweep deletes at most. */
const MAX_SWEPT = 10_000;

/**
 * The windows in PostgreSQL: one row for each bucket, one statement for all buckets that are asked for. Windows begin and
 * end by the database's clock.
 *
 * @param secret The same in every process: rows name their buckets by a hash under it.
 */
export function databaseRateWindows(
  tables: Pick<PrismaClient, "$queryRaw" | "$executeRaw">,
  secret: string,
): RateWindows {
  const key = createHmac("sha256", secret).update("rate windows").digest();
  const rowOf = (bucket: string) =>
    createHmac("sha256", key).update(bucket).digest().subarray(0, 16).toString("hex");
  const id = randomUUID();
  return {
    async take(asks) {
      const ofRow = new Map(asks.map((ask) => [rowOf(ask.bucket), ask]));
      const all = [...ofRow.values()];
      // In the order of the rows: two processes that take the same ones do not wait for each other.
      const rows = await tables.$queryRaw<(Grant & { row: string })[]>`
        INSERT INTO rate_window AS held (bucket, ends_at, quota, taken, granted)
        SELECT bucket, now() + make_interval(secs => period), quota,
          least(want, greatest(quota / ${PART_OF_REST}::int, 1)), least(want, greatest(quota / ${PART_OF_REST}::int, 1))
        FROM unnest(${[...ofRow.keys()]}::uuid[], ${all.map(({ want }) => want)}::int[],
          ${all.map(({ limit }) => limit.count)}::int[], ${all.map(({ limit }) => limit.periodSeconds)}::float8[],
          ${all.map(({ window }) => window ?? null)}::timestamptz[]) AS asked (bucket, want, quota, period, of_window)
        WHERE want > 0
          OR EXISTS (SELECT 1 FROM rate_window open WHERE open.bucket = asked.bucket AND open.ends_at = of_window)
        ORDER BY bucket
        ON CONFLICT (bucket) DO UPDATE SET quota = excluded.quota,
          ends_at = CASE WHEN ${isOver} THEN excluded.ends_at ELSE held.ends_at END,
          taken = greatest(0, ${taken} + ${granted}), granted = ${granted}
        RETURNING replace(bucket::text, '-', '') AS row, ends_at::text AS window, granted,
          greatest(0, quota - taken) AS rest, extract(epoch FROM ends_at - now())::float8 AS "secondsLeft",
          extract(epoch FROM ends_at)::float8 AS "endsAt"`;
      return new Map(rows.map(({ row, ...grant }) => [ofRow.get(row)!.bucket, grant]));
    },
    async beat() {
      await tables.$executeRaw`
        DELETE FROM rate_window WHERE bucket IN (SELECT bucket FROM rate_window
          WHERE ends_at < now() - interval '1 minute' LIMIT ${MAX_SWEPT}::int FOR UPDATE SKIP LOCKED)`;
      await tables.$executeRaw`DELETE FROM rate_process WHERE seen_at < now() - interval '1 hour'`;
      await tables.$executeRaw`
        INSERT INTO rate_process (id, seen_at) VALUES (${id}::uuid, now())
        ON CONFLICT (id) DO UPDATE SET seen_at = now()`;
      const rows = await tables.$queryRaw<{ living: number }[]>`
        SELECT count(*)::int AS living FROM rate_process WHERE seen_at > now() - make_interval(secs => ${SILENT_S}::float8)`;
      return Math.max(1, rows[0]?.living ?? 1);
    },
    async leave() {
      await tables.$executeRaw`DELETE FROM rate_process WHERE id = ${id}::uuid`;
    },
  };
}

const isOver = Prisma.sql`held.ends_at <= now()`;
const taken = Prisma.sql`(CASE WHEN ${isOver} THEN 0 ELSE held.taken END)`;
const left = Prisma.sql`greatest(0, excluded.quota - ${taken})`;

/** What is given back comes as it is; `excluded` has what the insertion of a new row would have granted. */
const granted = Prisma.sql`least(excluded.granted, greatest(${left} / ${PART_OF_REST}::int, least(${left}, 1)))`;
