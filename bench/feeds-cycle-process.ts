import { readdirSync } from "node:fs";
import path from "node:path";
import { folderArchive } from "#server/archive/run-archive.ts";
import { RunWriter } from "#server/archive/writer.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { feedFetcher, hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { createFeedLoop } from "#server/ingest/feeds/feed-loop.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { partFolder } from "#server/ingest/feeds/part-store.ts";
import { keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import { gfsFeed } from "#server/ingest/sources/gfs.ts";
import { gfswaveFeed } from "#server/ingest/sources/gfswave.ts";
import { lowerPriority } from "#server/platform/process-settings.ts";
import { memoryFeedStates } from "#test/feed-states.ts";
import { cpuSecondsByThread, memoryMiB } from "./proc.ts";

/** What the process is to do: its first argument, as JSON. */
export interface CycleOrder {
  mirror: string;
  /** DATA_DIR. */
  folder: string;
  /** Base time of the cycle, Unix seconds; it is seven hours ago. */
  cycle: number;
  /** Steps of each feed, of 209. */
  steps: number;
  /** Whether all is fetched before anything is published, so that each phase is alone. */
  phases: boolean;
}

/** Seconds, of the clock and of the processor. */
export interface Spent {
  wall: number;
  processor: number;
}

export interface CycleReport {
  whole: Spent;
  /** Of `phases`: "fetch and check", "decode, check, write", "frames", "publish and sync". */
  phases: Record<string, Spent>;
  /** Processor seconds by the name of the threads. */
  threads: Record<string, number>;
  /** MiB. */
  peakMemory: number;
  fetchedBytes: number;
  runs: number;
}

const profile = "full";
const order = JSON.parse(process.argv[2]!) as CycleOrder;
// Phases are measured by their processor time.
if (!order.phases) lowerPriority();

const started = performance.now();
const clock = { now: () => order.cycle + 7 * 3600 + (performance.now() - started) / 1000 };
const feeds = [gfsFeed, gfswaveFeed].map(
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
const phases: Record<string, Spent> = {};
if (order.phases) {
  measureWriter();
  await inPhase("fetch and check", async () => {
    for (const feed of feeds)
      for (const part of feed.parts(order.cycle, profile))
        await fetched(feed, part, profile, { folder: partFolder(folder, feed, part), signal });
  });
}
const loop = createFeedLoop({
  // Older cycles, which are looked at beside the newest, are none of this measurement.
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
  whole: { wall: (performance.now() - started) / 1000, processor: processorSeconds() },
  phases,
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

async function inPhase<Result>(name: string, work: () => Promise<Result>): Promise<Result> {
  const [wall, processor] = [performance.now(), processorSeconds()];
  try {
    return await work();
  } finally {
    const sum = phases[name] ?? { wall: 0, processor: 0 };
    phases[name] = {
      wall: sum.wall + (performance.now() - wall) / 1000,
      processor: sum.processor + processorSeconds() - processor,
    };
  }
}

/** Publications go one after the other, so that what is spent meanwhile is theirs; fields of one are written together. */
function measureWriter(): void {
  const { writeField, writeFrames, publish } = RunWriter.prototype;
  let writing = 0;
  let ended = Promise.withResolvers<void>();
  RunWriter.prototype.writeField = async function (...args) {
    if (writing++ === 0) {
      ended = Promise.withResolvers<void>();
      void inPhase("decode, check, write", () => ended.promise);
    }
    try {
      return await writeField.apply(this, args);
    } finally {
      if (--writing === 0) ended.resolve();
    }
  };
  RunWriter.prototype.writeFrames = function (...args) {
    return inPhase("frames", () => writeFrames.apply(this, args));
  };
  RunWriter.prototype.publish = function (...args) {
    return inPhase("publish and sync", () => publish.apply(this, args));
  };
}
