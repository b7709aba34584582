import type { RunArchive } from "#server/archive/run-archive.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { realClock } from "#server/platform/clock.ts";
import type { Database } from "#server/platform/db.ts";
import { feedStates } from "#server/platform/feed-state.ts";
import { correctedClock } from "#server/platform/fetching/clock-error.ts";
import { diskBudget } from "./disk-budget.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { feedFetcher, hostRules, observedClock } from "./feed-fetcher.ts";
import type { FeedsCommandDeps } from "./feeds-command-deps.ts";
import { fetchPart } from "./fetch-part.ts";
import type { FieldFeed } from "./field-feed.ts";

/**
 * Opens what a command of feeds works with.
 *
 * @param feeds Those whose hosts are asked.
 * @param bytesADay That may be fetched in one day.
 */
export function openFeedDeps(
  { env, selected, version, log, clock: machine = realClock }: FeedsCommandDeps,
  database: Database,
  archive: RunArchive,
  feeds: readonly FieldFeed[],
  bytesADay: number,
): FeedDeps & { close(): Promise<void> } {
  const { storage } = env;
  const { folder, mirror, contact, diskBytes } = env.feeds;
  const clockError = observedClock(folder, log);
  const clock = correctedClock(machine, clockError);
  const states = feedStates(database.prisma, clock);
  const { spend } = states;
  const fetcher = feedFetcher(hostRules(feeds), {
    mirror,
    contact,
    bytesADay,
    version,
    spend,
    clockError,
    log,
  });
  const decoder = createDecoder();
  return {
    profile: selected.profile,
    archive,
    folder,
    fetchPart: (feed, part, profile, options) =>
      fetchPart(feed, part, profile, { ...options, fetcher, clock }),
    decoder,
    states,
    clock,
    disk: diskBudget(archive, diskBytes, storage.minFreeBytes),
    log,
    async close() {
      fetcher.close();
      await decoder.close();
    },
  };
}
