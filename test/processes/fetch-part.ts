import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import { realClock, realSleep } from "#server/platform/clock.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { storedStep } from "#test/fetched-part.ts";

/** A process that fetches a part: <mirror> <folder>. A test kills it. */
const [mirror = "", folder = ""] = process.argv.slice(2);

process.stdout.write("fetching\n");
const { feed, part } = storedStep();
const fetcher = createFetcher({
  hosts: { "data.example": {}, "second.example": {} },
  mirror,
  userAgent: "test",
  clock: realClock,
  sleep: realSleep,
  random: Math.random,
  bytesADay: Number.POSITIVE_INFINITY,
  spend: () => 0,
});
await fetchPart(feed, part, "full", {
  fetcher,
  folder,
  clock: realClock,
  signal: new AbortController().signal,
});
