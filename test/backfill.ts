import { join } from "node:path";
import { readManifest } from "#server/archive/manifest.ts";
import { folderArchive } from "#server/archive/run-archive.ts";
import { type BackfillDeps, backfill } from "#server/ingest/feeds/backfill/backfill.ts";
import { planBackfill, type Span } from "#server/ingest/feeds/backfill/units.ts";
import type { FieldFeed, Profile } from "#server/ingest/feeds/field-feed.ts";
import { type Keep, keepOf } from "#server/ingest/feeds/past-rules.ts";
import { diskBudget } from "#server/ingest/feeds/plan-feeds.ts";
import { fetchingOverMirror } from "#test/feeds-week/simulated-service.ts";
import { temporaryFolder } from "./archive.ts";

interface BackfillOptions {
  feed: FieldFeed;
  profile: Profile;
  /** Start time, Unix seconds. */
  now: number;
  keep: Partial<Keep>;
  bytesADay?: number;
  diskBytes?: number;
}

/** A back-fill from a mirror of 5° into an empty archive, in simulated time that only waits advance. */
export async function backfillOverMirror({ feed, profile, now, keep: kept, ...limits }: BackfillOptions) {
  const root = temporaryFolder();
  const archive = join(root, "archive");
  const fetching = await fetchingOverMirror({ feeds: [feed], resolution: 5, start: now, ...limits });
  const { clock, mirror } = fetching;
  const lines: string[] = [];
  const keep = keepOf(profile, kept);
  const deps: BackfillDeps = {
    profile,
    archive: folderArchive(archive),
    folder: join(root, "feeds", "backfill"),
    ...fetching,
    disk: diskBudget(folderArchive(archive), limits.diskBytes, 0),
    reserve: 0,
    out: { write: (text) => lines.push(text.trimEnd()) },
    turn: async () => {},
  };
  const planned = async (span: Span) => {
    const { runs } = await readManifest(archive);
    return planBackfill(feed, profile, keep, span, runs, clock.now());
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
    [Symbol.asyncDispose]: fetching.close,
  };
}
