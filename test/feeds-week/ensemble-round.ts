import { join } from "node:path";
import { folderArchive, type RunArchive } from "#server/archive/run-archive.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { createFeedLoop } from "#server/ingest/feeds/feed-loop.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { memoryFeedStates } from "#test/feed-states.ts";
import { seeded } from "#test/seeded.ts";
import { shortFeed } from "./short-feed.ts";
import { coarse } from "./simulated-service.ts";

const RESOLUTION = 5;
const CYCLE = Date.UTC(2026, 11, 31, 18) / 1000;

/** The members of GEFS's waves at their first step. */
const feed = coarse(shortFeed("gefswave-members", 0), RESOLUTION);

/** A cycle that the hosts have completely, and a time by which all of it is due. */
export const cycleOfMembers = {
  feed,
  cycle: CYCLE,
  now: CYCLE + feed.delay.whole,
  resolution: RESOLUTION,
} as const;

/** Moments of a round, in their order. */
export type Moment = "some members have come" | "the run is written";

/** Bytes of the indices and of about half of the members. */
const SOME_BYTES = 100_000;

/**
 * Does one round of the feed: fetches what it lacks of the cycle and publishes it.
 *
 * @param mirror Address of the hosts. @param folder Data of the service.
 * @param at Called when the round reaches a moment.
 */
export async function ensembleRound(
  mirror: string,
  folder: string,
  at: (moment: Moment) => void,
): Promise<void> {
  const clock = { now: () => cycleOfMembers.now };
  const states = memoryFeedStates(clock);
  let bytes = 0;
  const fetcher = createFetcher({
    hosts: Object.fromEntries(
      Object.entries(hostRules([feed])).map(([host, rules]) => [
        host,
        { ...rules, requestsPerMinute: 100_000 },
      ]),
    ),
    mirror,
    userAgent: "test",
    clock,
    sleep: () => new Promise((resolve) => setImmediate(resolve)),
    random: seeded(1),
    bytesADay: Number.POSITIVE_INFINITY,
    async spend(host, count) {
      bytes += count;
      if (bytes > SOME_BYTES) at("some members have come");
      return states.spend(host, count);
    },
  });
  const decoder = createDecoder();
  const archive = folderArchive(join(folder, "archive"));
  try {
    const loop = createFeedLoop({
      feeds: [feed],
      profile: "standard",
      archive: { ...archive, begin: watched(archive.begin, at) },
      folder: join(folder, "feeds"),
      fetchPart: (of, part, profile, work) => fetchPart(of, part, profile, { ...work, fetcher, clock }),
      decoder,
      states,
      clock,
      disk: diskBudget(archive, undefined, 0),
      keep: keepOf("standard", {}),
    });
    await loop.round(new AbortController().signal);
  } finally {
    fetcher.close();
    await decoder.close();
  }
}

function watched(begin: RunArchive["begin"], at: (moment: Moment) => void): RunArchive["begin"] {
  return async (...run) => {
    const writer = await begin(...run);
    const publish = writer.publish.bind(writer);
    writer.publish = (signal) => {
      at("the run is written");
      return publish(signal);
    };
    return writer;
  };
}
