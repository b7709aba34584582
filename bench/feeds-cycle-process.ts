import { readdirSync } from "node:fs";
import path from "node:path";
import { folderArchive } from "#server/archive/run-archive.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { feedFetcher, hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { createFeedLoop } from "#server/ingest/feeds/feed-loop.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { memoryFeedStates } from "#test/feed-states.ts";
import { feedNamed } from "#test/feeds-week/short-feed.ts";
import { cpuSecondsByThread, memoryMiB } from "./proc.ts";

/** Order of the process: its first argument, as JSON. */
export interface CycleOrder {
  mirror: string;
  /** DATA_DIR. */
  folder: string;
  /** Base time of the cycle, Unix seconds. It is seven hours ago. */
  cycle: number;
  /** Number of steps of each feed, up to 209. */
  steps: number;
}

export interface CycleReport {
  /** Wall-clock and processor time, seconds. */
  wall: number;
  processor: number;
  /** Processor seconds by name of the threads. */
  threads: Record<string, number>;
  /** MiB. */
  peakMemory: number;
  fetchedBytes: number;
  runs: number;
}

const profile = "full";
const order = JSON.parse(process.argv[2]!) as CycleOrder;
lowerPriority();

const started = performance.now();
const clock = { now: () => order.cycle + 7 * 3600 + (performance.now() - started) / 1000 };
const feeds = [feedNamed("gfs"), feedNamed("gfswave")].map(
  (feed): FieldFeed => ({ ...feed, parts: (cycle, of) => feed.parts(cycle, of).slice(0, order.steps) }),
);
const fetcher = feedFetcher(hostRules(feeds), {
  mirror: order.mirror,
  contact: undefined,
  version: "bench",
  bytesADay: Number.POSITIVE_INFINITY,
  spend: () => 0,
});
const decoder = createDecoder();
const archive = path.join(order.folder, "archive");
const folder = path.join(order.folder, "feeds");
let fetchedBytes = 0;
const fetched: Parameters<typeof createFeedLoop>[0]["fetchPart"] = async (feed, part, of, options) => {
  const result = await fetchPart(feed, part, of, { ...options, fetcher, clock });
  if (result !== "absent") fetchedBytes += result.bytesFetched;
  return result;
};
const { signal } = new AbortController();
const loop = createFeedLoop({
  // Older cycles, which the loop checks besides the newest, are not part of this measurement.
  feeds: feeds.map((feed) => ({
    ...feed,
    parts: (cycle, of) => (cycle === order.cycle ? feed.parts(cycle, of) : []),
  })),
  profile,
  archive: folderArchive(archive),
  folder,
  fetchPart: fetched,
  decoder,
  states: memoryFeedStates(clock),
  clock,
  disk: diskBudget(folderArchive(archive), undefined, 0),
  keep: keepOf(profile, {}),
  log: { info() {}, warn: (...what: unknown[]) => console.error(...what) },
});
await loop.round(signal);
const report: CycleReport = {
  wall: (performance.now() - started) / 1000,
  processor: processorSeconds(),
  threads: cpuSecondsByThread(),
  peakMemory: (await memoryMiB(process)).peak,
  fetchedBytes,
  runs: readdirSync(path.join(archive, "runs")).length,
};
await decoder.close();
fetcher.close();
console.log(JSON.stringify(report));

function processorSeconds(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1e6;
}
