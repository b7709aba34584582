import { realClock } from "#server/platform/clock.ts";
import type { Spend } from "#server/platform/fetching/byte-budget.ts";
import { ClockError, describeClockError, writeClockReading } from "#server/platform/fetching/clock-error.ts";
import { createFetcher, type Fetcher, type FetcherOptions } from "#server/platform/fetching/fetcher.ts";
import { type HostRules, REQUESTS_PER_MINUTE } from "#server/platform/fetching/host-gate.ts";
import { realSleep } from "#server/platform/fetching/sleep.ts";
import type { Logger } from "#server/platform/log.ts";
import type { FieldFeed } from "./field-feed.ts";

export interface FeedFetcherOptions {
  /** FEED_MIRROR. */
  mirror: string | undefined;
  contact: string | undefined;
  version: string;
  bytesADay: number;
  spend: Spend;
  /** Attempts at one object that bring nothing. */
  attempts?: number;
  clockError?: ClockError;
  log?: FetcherOptions["log"];
}

/** One client for several feeds, so that two of them together ask a host no more often than it wants. */
export function feedFetcher(
  hosts: Readonly<Record<string, HostRules>>,
  { contact, version, ...options }: FeedFetcherOptions,
): Fetcher {
  return createFetcher({
    ...options,
    hosts,
    userAgent: `OpenMetOcean/${version} (${contact ?? "no contact given"})`,
    clock: realClock,
    sleep: realSleep,
    random: Math.random,
  });
}

/** What is observed of this machine's clock while fetching: logged, and kept for the server. @param folder DATA_DIR/feeds. */
export function observedClock(folder: string, log: Pick<Logger, "warn"> | undefined): ClockError {
  return new ClockError((reading) => {
    const wrong = describeClockError(reading);
    if (wrong !== undefined) log?.warn(wrong);
    writeClockReading(folder, reading).catch((err: unknown) => log?.warn({ err }, "clock reading not kept"));
  });
}

/** How each host wants to be asked, by its name: where several mirrors lie on one, as the strictest of them says. */
export function hostRules(feeds: readonly Pick<FieldFeed, "mirrors">[]): Record<string, HostRules> {
  const byHost = new Map<string, HostRules>();
  for (const { base, requestsPerMinute, throttledBy } of feeds.flatMap(({ mirrors }) => mirrors)) {
    // A folder has no host.
    if (base.startsWith("/")) continue;
    const host = new URL(base).host;
    const known = byHost.get(host);
    const rules = { requestsPerMinute, throttledBy };
    byHost.set(host, known ? stricter(known, rules) : rules);
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
