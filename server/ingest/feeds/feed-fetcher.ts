import { realClock } from "#server/platform/clock.ts";
import { createFetcher, type Fetcher } from "#server/platform/fetching/fetcher.ts";
import { realSleep } from "#server/platform/fetching/sleep.ts";
import type { FieldFeed } from "./field-feed.ts";

export interface FeedFetcherOptions {
  mirror: string | undefined;
  contact: string | undefined;
  version: string;
  bytesADay: number;
  spend(day: number, bytes: number): Promise<number>;
}

/** One client for all feeds, so that two of them together ask a host no more often than it wants. */
export function feedFetcher(
  feeds: readonly FieldFeed[],
  { mirror, contact, version, bytesADay, spend }: FeedFetcherOptions,
): Fetcher {
  const hosts = Object.fromEntries(
    feeds.flatMap(({ mirrors }) =>
      mirrors.map(({ base, requestsPerMinute, throttledBy }) => [
        new URL(base).hostname,
        { requestsPerMinute, throttledBy },
      ]),
    ),
  );
  return createFetcher({
    hosts,
    mirror,
    userAgent: `OpenMetOcean/${version} (${contact ?? "no contact given"})`,
    clock: realClock,
    sleep: realSleep,
    random: Math.random,
    bytesADay,
    spend,
  });
}
