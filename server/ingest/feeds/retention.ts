import type { FieldName } from "#lib/catalog/fields.ts";
import { DAY_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { Clock } from "#server/platform/clock.ts";
import { type Condensed, condense } from "./condense.ts";
import { archivedPerFetched, type DiskBudget } from "./disk-budget.ts";
import { missingParts } from "./feed-progress.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";
import type { Keep } from "./keep.ts";
import { type PastRule, pastRules } from "./past-rules.ts";
import { newestCycle } from "./schedule.ts";
import { isOfArchive, spanOf, unneededRuns } from "./unneeded.ts";

export interface RetentionDeps {
  archive: RunArchive;
  profile: Profile;
  clock: Clock;
  disk: Pick<DiskBudget, "refusal">;
}

/**
 * Builds the archive of forecasts and the hindcasts from what was fetched, one run at a time, and removes what nothing
 * needs. The past is not built where it would take the room of the next forecasts, and where the rest of a cycle
 * would not fit, all but a day of the cycles' own past goes.
 *
 * @returns Whether there is more to build.
 */
export async function maintainArchive(
  { archive, profile, clock, disk }: RetentionDeps,
  feeds: readonly FieldFeed[],
  keep: Keep,
  signal: AbortSignal,
): Promise<boolean> {
  const now = clock.now();
  const { runs } = await archive.manifest();
  for (const feed of feeds) {
    const [next] = due(runs, feed, keep, now);
    if (!next || !(await hasRoom(feed, 2 * feed.parts(newestCycle(feed, now), profile).length))) continue;
    await condense(archive, next.of, next, clock, signal);
    return true;
  }
  const lacksRoom = await someLackRoom();
  const unwanted = (all: readonly Run[]) =>
    new Set(feeds.flatMap((feed) => [...unneededRuns(all, feed, profile, keep, now, lacksRoom)]));
  if (unwanted(runs).size > 0) await archive.remove(unwanted, { clock, signal });
  return false;

  /** Whether so many parts of a feed would fit. */
  async function hasRoom(feed: FieldFeed, parts: number): Promise<boolean> {
    return (
      (await disk.refusal(parts * feed.partBytes(profile) * archivedPerFetched(feed, profile))) === undefined
    );
  }

  /** Whether the rest of a feed's newest cycle would not fit. */
  async function someLackRoom(): Promise<boolean> {
    for (const feed of feeds) {
      const cycle = newestCycle(feed, now);
      const own = runs.filter((run) => run.source === feed.source.name && !isOfArchive(run));
      const missing = missingParts(own, cycle, feed.parts(cycle, profile)).length;
      if (missing > 0 && !(await hasRoom(feed, missing))) return true;
    }
    return false;
  }
}

/** The runs that are to be built of a feed's runs, oldest first. */
export function due(
  runs: readonly Run[],
  feed: FieldFeed,
  keep: Keep,
  now: number,
): (Condensed & { of: Run[] })[] {
  const own = runs.filter(({ source }) => source === feed.source.name);
  const of = (dataset: Run["dataset"]) => own.filter((run) => run.dataset === dataset);
  const cycles = of("Forecast").filter((run) => !isOfArchive(run));
  const names = new Set(cycles.flatMap((run) => Object.keys(run.fields) as FieldName[]));
  const rules = pastRules([...names], keep, now, settledUntil(cycles, now));
  const found: (Condensed & { of: Run[] })[] = [];

  const add = (sourceRuns: Run[], made: readonly Run[], rule: PastRule | undefined) => {
    if (!rule) return;
    const { dataset, every, wants, length, since, until } = rule;
    for (const from of periods(sourceRuns, length)) {
      if (from + length > until || from + length < since) continue;
      if (made.some(({ referenceTime }) => referenceTime === from)) continue;
      if (!sourceRuns.some((run) => answersIn(run, from, from + length, rule))) continue;
      found.push({ dataset, every, wants, from, to: from + length, of: sourceRuns });
    }
  };
  add(cycles, of("Hindcast-3M"), rules.recent);
  add(cycles, of("Forecast").filter(isOfArchive), rules.archive);
  add(of("Hindcast-3M"), of("Hindcast-3Y"), rules.years);
  return found.sort((a, b) => a.from - b.from);
}

/** Until when no cycle comes any more that knows better: the base time of the newest, or two days ago. */
function settledUntil(cycles: readonly Run[], now: number): number {
  const newest = cycles.reduce(
    (most, { referenceTime }) => Math.max(most, referenceTime),
    Number.NEGATIVE_INFINITY,
  );
  return Math.min(now, Math.max(newest, now - 2 * DAY_S));
}

/** Starts of the periods of a length in which runs have times. */
function periods(runs: readonly Run[], length: number): number[] {
  const starts = new Set<number>();
  for (const { times } of runs) for (const time of times) starts.add(Math.floor(time / length) * length);
  return [...starts].sort((a, b) => a - b);
}

function answersIn(
  run: Run,
  from: number,
  to: number,
  { wants, every }: Pick<Condensed, "wants" | "every">,
): boolean {
  const [first, last] = spanOf(run);
  if (first >= to || last < from) return false;
  if (!run.times.some((time) => time >= from && time < to && time % every === 0)) return false;
  return (Object.keys(run.fields) as FieldName[]).some(wants);
}
