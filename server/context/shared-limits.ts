import type { PrismaClient } from "#prisma/generated/client.ts";
import type { RateLimiter } from "#server/http/rate-limiter.ts";
import { databaseRateWindows } from "#server/http/rate-windows.ts";
import { sharedRateLimiter } from "#server/http/shared-limiter.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Metrics } from "#server/platform/metrics.ts";

const TIDY_MS = 1000;
const BEAT_MS = 10_000;

/** Limits that this process shares with the others of its database, until they are closed: before the database. */
export async function openSharedLimits(
  tables: Pick<PrismaClient, "$queryRaw" | "$executeRaw">,
  { secret, clock, log, metrics }: { secret: string; clock: Clock; log: Logger; metrics: Metrics },
): Promise<RateLimiter & { close(): Promise<void> }> {
  const limiter = sharedRateLimiter({ windows: databaseRateWindows(tables, secret), clock, log });
  metrics.gauge("rate_limit_asks", "How often an allowance was taken or given back", () => limiter.asked);
  await limiter.beat();
  const timers = [
    setInterval(() => void limiter.tidy(), TIDY_MS),
    setInterval(() => void limiter.beat(), BEAT_MS),
  ];
  return {
    take: limiter.take,
    async close() {
      for (const timer of timers) clearInterval(timer);
      await limiter.close();
    },
  };
}
