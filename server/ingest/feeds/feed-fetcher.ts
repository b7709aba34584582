import { realClock } from "#server/platform/clock.ts";
import { createFetcher, type Fetcher } from "#server/platform/fetching/fetcher.ts";
import { type HostRules, REQUESTS_PER_MINUTE } from "#server/platform/fetching/host-gate.ts";
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
  return createFetcher({
    hosts: hostRules(feeds),
    mirror,
    userAgent: `OpenMetOcean/${version} (${contact ?? "no contact given"})`,
    clock: realClock,
    sleep: realSleep,
    random: Math.random,
    bytesADay,
    spend,
  });
}

/** How each host wants to be asked, by its name: where several mirrors lie on one, as the strictest of them says. */
export function hostRules(feeds: readonly Pick<FieldFeed, "mirrors">[]): Record<string, HostRules> {
  const byHost = new Map<string, HostRules>();
  for (const { base, requestsPerMinute, throttledBy } of feeds.flatMap(({ mirrors }) => mirrors)) {
    const host = new URL(base).hostname;
    const known = byHost.get(host);
    byHost.set(
      host,
      known ? stricter(known, { requestsPerMinute, throttledBy }) : { requestsPerMinute, throttledBy },
    );
  }
  return Object.fromEntries(byHost);
}

function stricter(one: HostRules, other: HostRules): HostRules {
  const limits = [one, other].map(({ requestsPerMinute }) => requestsPerMinute ?? REQUESTS_PER_MINUTE);
  const statuses = [one, other].flatMap(({ throttledBy = [] }) => throttledBy);
  return {
    requestsPerMinute: Math.min(...limits),
    throttledBy: statuses.length > 0 ? [...new Set(statuses)] : undefined,
  };
}
