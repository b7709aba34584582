import { sameGrid } from "@open-metocean/geo/grid";
import { datasetAges } from "#lib/catalog/datasets.ts";
import { type FieldName, fields } from "#lib/catalog/fields.ts";
import { FILL } from "#lib/catalog/fill.ts";
import { DAY_S } from "#lib/time.ts";
import { readMapStep } from "#server/archive/map-step.ts";
import { isEnsemble, type Run, stepsWith } from "#server/archive/run.ts";
import type { RunArchive } from "#server/archive/run-archive.ts";
import type { Clock } from "#server/platform/clock.ts";
import { isWhole, missingParts } from "./feed-progress.ts";
import { type FieldFeed, newestCycle, type Profile } from "./field-feed.ts";
import { bytesToFetch } from "./part-store.ts";
import { type Condensed, isArchived, type Keep, type PastRule, pastRules } from "./past-rules.ts";
import { archivedPerFetched, type DiskBudget } from "./plan-feeds.ts";

interface RetentionDeps {
  archive: RunArchive;
  /** DATA_DIR/feeds. */
  folder: string;
  profile: Profile;
  clock: Clock;
  disk: Pick<DiskBudget, "refusal">;
}

/**
 * Builds the archive of forecasts and the hindcasts from fetched data, one run at a time, and removes what nothing
 * needs. The past is not built where it would take the space of the next forecasts. Where the rest of a cycle would not
 * fit, only a day of the cycles' own past stays.
 *
 * @returns Whether there is more to build.
 */
export async function maintainArchive(
  { archive, folder, profile, clock, disk }: RetentionDeps,
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

  /** Whether this many parts of a feed would fit on the disk, besides bytes of files. */
  async function hasRoom(feed: FieldFeed, parts: number, files = 0): Promise<boolean> {
    const bytes = parts * feed.partBytes(profile) * archivedPerFetched(feed, profile);
    return (await disk.refusal(bytes, files, feed.name)) === undefined;
  }

  /** Whether the rest of some feed's newest cycle would not fit. */
  async function someLackRoom(): Promise<boolean> {
    for (const feed of feeds) {
      const cycle = newestCycle(feed, now);
      const own = runs.filter((run) => run.source === feed.source.name && !isOfArchive(run));
      const missing = missingParts(own, cycle, feed.parts(cycle, profile));
      if (missing.length === 0) continue;
      // An ensemble keeps the files of a whole cycle, others those of a few steps.
      const files = feed.ensemble ? await bytesToFetch(folder, feed, profile, missing) : 0;
      if (!(await hasRoom(feed, missing.length, files))) return true;
    }
    return false;
  }
}

/** The runs that are to be built from a feed's runs, oldest first. */
export function due(
  runs: readonly Run[],
  feed: FieldFeed,
  keep: Keep,
  now: number,
): (Condensed & { of: Run[] })[] {
  const own = runs.filter(({ source }) => source === feed.source.name);
  const of = (dataset: Run["dataset"]) => own.filter((run) => run.dataset === dataset);
  // The past is made of single forecasts, never of members.
  const cycles = of("Forecast").filter((run) => !isOfArchive(run) && !isEnsemble(run));
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

/** Time up to which no newer cycle has better data: the base time of the newest cycle, but no earlier than two days ago. */
function settledUntil(cycles: readonly Run[], now: number): number {
  const newest = cycles.reduce(
    (most, { referenceTime }) => Math.max(most, referenceTime),
    Number.NEGATIVE_INFINITY,
  );
  return Math.min(now, Math.max(newest, now - 2 * DAY_S));
}

/** Start times of the periods of a given length in which runs have times. */
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

/** A hindcast answers from this age on, seconds. */
const FORECAST_S = datasetAges.Forecast * DAY_S;
/** Data whose condensation failed stays this much longer, seconds, but not forever. */
const OVERDUE_S = 5 * DAY_S;
/** Past of the cycles that stays where the next forecasts would not fit on the disk, seconds. */
const LEAST_PAST_S = DAY_S;

/** First and last time, Unix seconds. */
type Span = readonly [first: number, last: number];

/**
 * The runs of a feed that are no longer needed: those of cycles older than the newest complete ones whose every time a
 * newer cycle answers, and those older than the retention of their dataset. Ensembles do not answer for the past, so none
 * of their older cycles is needed.
 *
 * @param runs Runs of any sources.
 * @param now Unix seconds.
 * @param lacksRoom Whether the next forecasts would not fit. Then only a day of the cycles' past stays, condensed or
 *   not.
 */
export function unneededRuns(
  runs: readonly Run[],
  feed: FieldFeed,
  profile: Profile,
  keep: Keep,
  now: number,
  lacksRoom = false,
): Set<Run> {
  const own = runs.filter(({ source }) => source === feed.source.name);
  const of = (dataset: Run["dataset"]) => own.filter((run) => run.dataset === dataset);
  const [forecasts, recent, years] = [of("Forecast"), of("Hindcast-3M"), of("Hindcast-3Y")];
  const cycles = forecasts.filter((run) => !isOfArchive(run));
  const archive = forecasts.filter(isOfArchive);
  const gone = new Set<Run>();
  const isOld = (run: Run, age: number) => spanOf(run)[1] < now - age;

  for (const run of years) if (isOld(run, keep.years)) gone.add(run);
  for (const run of archive) if (isOld(run, keep.archive)) gone.add(run);
  for (const run of recent) {
    const condensed =
      keep.years === 0 ||
      covers(
        years.map((other) => spanOf(other)),
        spanOf(run),
      );
    if (isOld(run, keep.recent) && (condensed || isOld(run, keep.recent + 3 * OVERDUE_S))) gone.add(run);
  }

  const past = lacksRoom ? LEAST_PAST_S : FORECAST_S;
  const oldest = oldestKept(cycles, feed, profile, keep.cycles);
  const newer = new Map<string, Span[]>();
  for (const run of cycles.toSorted((a, b) => b.referenceTime - a.referenceTime)) {
    const names = Object.keys(run.fields) as FieldName[];
    if (run.referenceTime < oldest) {
      const isNeeded =
        !isEnsemble(run) &&
        names.some((name) => {
          const [first, last] = spanOf(run, name);
          const from = Math.max(first, now - past);
          if (from <= last) return !covers(newer.get(name) ?? [], [from, last]);
          if (lacksRoom || isOld(run, FORECAST_S + OVERDUE_S)) return false;
          const condensed = isArchived(name) ? archive : recent;
          const isRetained = (isArchived(name) ? keep.archive : keep.recent) > 0;
          return (
            isRetained &&
            !covers([...condensed.map((other) => spanOf(other)), ...(newer.get(name) ?? [])], [first, last])
          );
        });
      if (!isNeeded) gone.add(run);
    }
    for (const name of names) newer.set(name, [...(newer.get(name) ?? []), spanOf(run, name)]);
  }
  return gone;
}

/** Whether a run has only fields of the archive of forecasts, so that it was condensed from several cycles. */
export function isOfArchive(run: Run): boolean {
  return (
    run.dataset === "Forecast" &&
    !isEnsemble(run) &&
    (Object.keys(run.fields) as FieldName[]).every(isArchived)
  );
}

/** Base time of the oldest cycle that stays complete. */
function oldestKept(cycles: readonly Run[], feed: FieldFeed, profile: Profile, count: number): number {
  const times = [...new Set(cycles.map(({ referenceTime }) => referenceTime))].sort((a, b) => b - a);
  const complete = times.filter((cycle) => isWhole(cycles, cycle, feed.parts(cycle, profile)));
  // Without a complete cycle, the growing ones count.
  return complete.length > 0
    ? complete[Math.min(count, complete.length) - 1]!
    : (times[count - 1] ?? times.at(-1) ?? 0);
}

/** The span for which a run, or one of its fields, answers. */
export function spanOf(run: Run, name?: FieldName): Span {
  const steps = name === undefined ? undefined : run.fields[name]?.steps;
  const first = run.times[steps?.[0] ?? 0]!;
  const last = run.times[steps?.at(-1) ?? run.times.length - 1]!;
  return [first, last + (run.holds ?? 0)];
}

/** Whether spans together cover another one without a gap. */
export function covers(spans: readonly Span[], [first, last]: Span): boolean {
  let reached = first;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from > reached) break;
    if (to > reached) reached = to;
    if (reached >= last) return true;
  }
  return spans.some(([from, to]) => from <= first && to >= last);
}

/**
 * Writes one run of the best steps of many. At each time each field comes from the newest cycle that has it, which has
 * the shortest lead. The stored values are copied unchanged.
 *
 * @param runs Runs of one source and dataset.
 * @returns undefined where the runs have none of the fields.
 */
export async function condense(
  archive: Pick<RunArchive, "begin" | "store">,
  runs: readonly Run[],
  { dataset, from, to, every, wants }: Condensed,
  clock: Clock,
  signal: AbortSignal,
): Promise<Run | undefined> {
  const newest = runs.toSorted((a, b) => b.referenceTime - a.referenceTime);
  const like = newest.find((run) => stepsIn(run, from, to).length > 0);
  if (!like) return undefined;
  const usable = newest.filter(({ grid }) => sameGrid(grid, like.grid));
  const chosen = new Map<FieldName, Map<number, { run: Run; step: number }>>();
  for (const run of usable) {
    for (const name of (Object.keys(run.fields) as FieldName[]).filter(wants)) {
      const steps = chosen.get(name) ?? new Map<number, { run: Run; step: number }>();
      chosen.set(name, steps);
      for (const step of stepsWith(run, [name]) ?? []) {
        const time = run.times[step]!;
        if (time < from || time > to || time % every !== 0 || steps.has(time)) continue;
        steps.set(time, { run, step });
      }
    }
  }
  const times = [...new Set([...chosen.values()].flatMap((steps) => [...steps.keys()]))].sort(
    (a, b) => a - b,
  );
  if (times.length === 0) return undefined;

  const { source, model, grid, holds } = like;
  const described = { dataset, source, model, referenceTime: from, grid, times, holds };
  const writer = await archive.begin(described, { wait: true, signal, clock });
  try {
    for (const [name, steps] of chosen) {
      if (steps.size === 0) continue;
      const indices = times.flatMap((time, index) => (steps.has(time) ? [index] : []));
      const { comment } = usable.find((run) => run.fields[name])!.fields[name]!;
      await writer.writeField(
        name,
        { steps: indices.length === times.length ? undefined : indices, comment },
        async (index) => {
          const { run, step } = steps.get(times[index]!)!;
          return unpacked(name, (await readMapStep(archive.store, run, name, step, 1, signal)).values);
        },
        signal,
      );
    }
    await writer.writeFrames(signal);
    return await writer.publish(signal);
  } finally {
    archive.store.release?.();
    await writer.abandon();
  }
}

function stepsIn({ times }: Run, from: number, to: number): number[] {
  return times.filter((time) => time >= from && time <= to);
}

function unpacked(name: FieldName, stored: Int16Array): Float32Array {
  const { scale, offset } = fields[name];
  const values = new Float32Array(stored.length);
  for (let i = 0; i < stored.length; i++)
    values[i] = stored[i] === FILL ? Number.NaN : stored[i]! * scale + offset;
  return values;
}
