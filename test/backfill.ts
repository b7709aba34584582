import { join } from "node:path";
import { readManifest } from "#server/archive/manifest.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { createDecoder } from "#server/ingest/decoder.ts";
import { type BackfillDeps, backfill } from "#server/ingest/feeds/backfill/backfill.ts";
import { planBackfill, type Span } from "#server/ingest/feeds/backfill/units.ts";
import { hostRules } from "#server/ingest/feeds/feed-deps.ts";
import { fetchPart } from "#server/ingest/feeds/fetch-part.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { type Keep, keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import { createFetcher } from "#server/platform/fetching/fetcher.ts";
import { startMirror } from "#test/feeds-mirror/mirror.ts";
import { temporaryFolder } from "./archive.ts";
import { memoryFeedStates } from "./feed-states.ts";

interface BackfillOptions {
  feed: FieldFeed;
  profile: Profile;
  /** Unix seconds at the beginning. */
  now: number;
  keep: Partial<Keep>;
  bytesADay?: number;
  diskBytes?: number;
}

/** A back-fill over the mirror, of 5°, into an empty archive, in a time that only its waits advance. */
export async function backfillOverMirror({ feed, profile, now, keep: kept, ...limits }: BackfillOptions) {
  const root = temporaryFolder();
  const archive = join(root, "archive");
  const clock = {
    time: now,
    now: () => clock.time,
  };
  const sleep = async (seconds: number, signal: AbortSignal) => {
    signal.throwIfAborted();
    const until = clock.time + seconds;
    await new Promise((resolve) => setImmediate(resolve));
    clock.time = Math.max(clock.time, until);
  };
  const mirror = await startMirror({ now: clock.now, planet: { resolution: 5 } });
  const states = memoryFeedStates(clock);
  const rules = Object.entries(hostRules([feed]));
  const fetcher = createFetcher({
    hosts: Object.fromEntries(rules.map(([host, rule]) => [host, { ...rule, requestsPerMinute: 100_000 }])),
    mirror: mirror.url,
    userAgent: "OpenMetOcean/test (nobody@example.org)",
    clock,
    sleep,
    random: () => 0.5,
    bytesADay: limits.bytesADay ?? Number.POSITIVE_INFINITY,
    spend: states.spend,
  });
  const decoder = createDecoder();
  const lines: string[] = [];
  const keep = keepOf(profile, kept);
  const deps: BackfillDeps = {
    profile,
    archive: folderArchive(archive),
    folder: join(root, "feeds", "backfill"),
    fetchPart: (which, part, of, options) => fetchPart(which, part, of, { ...options, fetcher, clock }),
    decoder,
    states,
    clock,
    disk: diskBudget(folderArchive(archive), limits.diskBytes, 0),
    reserve: 0,
    sleep,
    out: { write: (text) => lines.push(text.trimEnd()) },
    turn: async () => {},
  };
  const planned = async (span: Span) => {
    const { runs } = await readManifest(archive);
    return planBackfill(feed, profile, keep, span, runs, clock.time);
  };
  return {
    archive,
    clock,
    deps,
    lines,
    mirror,
    plan: planned,
    run: async (span: Span, signal = new AbortController().signal) =>
      backfill(deps, await planned(span), signal),
    async [Symbol.asyncDispose]() {
      fetcher.close();
      await decoder.close();
      await mirror.close();
    },
  };
}
