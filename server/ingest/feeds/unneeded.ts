import { datasetAges } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { DAY_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { isWhole } from "./feed-progress.ts";
import type { FieldFeed, Profile } from "./field-feed.ts";
import { isArchived, type Keep } from "./keep.ts";

/** From this age on a time is answered by a hindcast, seconds. */
const FORECAST_S = datasetAges.Forecast * DAY_S;
/** What should have been condensed and was not stays so much longer, seconds, and not for ever. */
const OVERDUE_S = 5 * DAY_S;
/** Past of the cycles that stays where the next forecasts would not fit on the disk, seconds. */
const LEAST_PAST_S = DAY_S;

/** A span of time, Unix seconds, both ends included. */
type Span = readonly [first: number, last: number];

/**
 * The runs of a feed that nothing needs any more: those of cycles older than the newest complete ones whose every time is
 * answered by a newer cycle, and what is older than its dataset is retained.
 *
 * @param runs Of any sources.
 * @param now Unix seconds.
 * @param lacksRoom The next forecasts would not fit: of the past of the cycles only a day stays, condensed or not.
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
      const isNeeded = names.some((name) => {
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

/** Whether a run has only what the archive of forecasts is for: it was condensed from several cycles. */
export function isOfArchive(run: Run): boolean {
  return run.dataset === "Forecast" && (Object.keys(run.fields) as FieldName[]).every(isArchived);
}

/** Base time of the oldest cycle that stays whole. */
function oldestKept(cycles: readonly Run[], feed: FieldFeed, profile: Profile, count: number): number {
  const times = [...new Set(cycles.map(({ referenceTime }) => referenceTime))].sort((a, b) => b - a);
  const complete = times.filter((cycle) => isWhole(cycles, cycle, feed.parts(cycle, profile)));
  // Without a complete one those that grow.
  return complete.length > 0
    ? complete[Math.min(count, complete.length) - 1]!
    : (times[count - 1] ?? times.at(-1) ?? 0);
}

/** The span for which a run answers, or one of its fields. */
export function spanOf(run: Run, name?: FieldName): Span {
  const steps = name === undefined ? undefined : run.fields[name]?.steps;
  const first = run.times[steps?.[0] ?? 0]!;
  const last = run.times[steps?.at(-1) ?? run.times.length - 1]!;
  return [first, last + (run.holds ?? 0)];
}

/** Whether spans together reach over another without a gap. */
export function covers(spans: readonly Span[], [first, last]: Span): boolean {
  let reached = first;
  for (const [from, to] of spans.toSorted((a, b) => a[0] - b[0])) {
    if (from > reached) break;
    if (to > reached) reached = to;
    if (reached >= last) return true;
  }
  return spans.some(([from, to]) => from <= first && to >= last);
}
