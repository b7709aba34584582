import { datasetAges } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { DAY_S, formatInstant, startOfDay } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { Condensed } from "#server/ingest/feeds/condense.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import type { Keep } from "#server/ingest/feeds/keep.ts";
import { type PastRule, pastRules } from "#server/ingest/feeds/past-rules.ts";
import { newestCycle } from "#server/ingest/feeds/schedule.ts";

const RECENT_S = datasetAges["Hindcast-3M"] * DAY_S;

/** Kinds of the past, as people know them. */
export const kinds = {
  recent: "Hindcast-3M",
  archive: "forecast archive",
  years: "Hindcast-3Y",
} as const;

export type Kind = keyof typeof kinds;

/** One run of the past that is to be made: a day, or a period of ten. */
export interface Unit extends Condensed {
  kind: Kind;
}

/** Whether a time is one of a unit's. @param time Unix seconds. */
export function isOf({ from, to, every }: Pick<Unit, "from" | "to" | "every">, time: number): boolean {
  return time >= from && time <= to && time % every === 0;
}

/** The UTC day of a time. @param time Unix seconds. */
export function day(time: number): string {
  return formatInstant(time).slice(0, 10);
}

/** A span of days, Unix seconds; `to` is the end of the last one. */
export interface Span {
  from: number;
  to: number;
}

/** Base time of the first cycle that a mirror of the feed has, Unix seconds; undefined where that is not known. */
export function historyOf({ mirrors }: Pick<FieldFeed, "mirrors">): number | undefined {
  const lasting = mirrors.filter(({ youngerThan }) => youngerThan === undefined);
  const starts = lasting.map(({ since }) => since ?? Number.NEGATIVE_INFINITY);
  const first = Math.min(...starts);
  return Number.isFinite(first) ? first : undefined;
}

/**
 * The runs of the past within a span, by the rules by which the loop makes them of what it fetched: oldest first.
 *
 * @param names Fields that are fetched of the feed.
 * @returns Also why parts of the span are left out, in words.
 */
export function unitsOf(
  feed: FieldFeed,
  names: readonly FieldName[],
  keep: Keep,
  { from, to }: Span,
  now: number,
): { units: Unit[]; leftOut: string[] } {
  const history = historyOf(feed) ?? Number.NEGATIVE_INFINITY;
  // The cycles of a day are whole when the first step of the day after is there.
  const limit = newestCycle(feed, now);
  const rules = pastRules(names, keep, now, limit);
  const units: Unit[] = [];
  const leftOut: string[] = [];
  if (history > from) leftOut.push(`before ${day(history)}: no mirror of ${feed.name} has it`);

  const add = (kind: Kind, rule: PastRule | undefined, oldest: number) => {
    if (!rule) return;
    const { dataset, every, wants, length, until } = rule;
    const since = Math.max(rule.since, oldest);
    for (let start = Math.floor(from / length) * length; start < to; start += length) {
      const end = start + length;
      if (end > until || end < since || start < history) continue;
      units.push({ kind, dataset, every, wants, from: start, to: end });
    }
  };
  // Hindcast-3M is never asked for what is older.
  add("recent", rules.recent, now - RECENT_S);
  add("archive", rules.archive, Number.NEGATIVE_INFINITY);
  add("years", rules.years, Number.NEGATIVE_INFINITY);

  if (to > startOfDay(limit)) leftOut.push(`from ${day(limit)} on: mirrors do not have the whole day yet`);
  for (const [kind, setting, tooOld] of [
    ["recent", "KEEP_HINDCAST_3M", false],
    ["years", "KEEP_HINDCAST_3Y", true],
  ] as const) {
    const isAsked = tooOld ? from < now - RECENT_S : to > now - RECENT_S;
    if (isAsked && !rules[kind] && names.length > 0)
      leftOut.push(`${kinds[kind]}: nothing of it is kept; ${setting} says for how long`);
  }
  const oldest = rules.years?.since ?? rules.recent?.since;
  if (oldest !== undefined && oldest > from)
    leftOut.push(`before ${day(oldest)}: KEEP_… does not keep it so long`);
  return { units: units.sort((a, b) => a.from - b.from || a.to - b.to), leftOut };
}

/**
 * What a run that has all fields of a unit lacks of it: of several, on different grids, the one that lacks least. The step at
 * its end, which the next unit has too, may be missing.
 *
 * @param times Of the unit.
 * @returns Those that it lacks; undefined where there is no such run.
 */
export function lackingOf(
  runs: readonly Run[],
  { source }: Pick<FieldFeed, "source">,
  { dataset, from, to }: Unit,
  names: readonly FieldName[],
  times: readonly number[],
): number[] | undefined {
  const having = runs.filter(
    ({ source: of, dataset: kind, referenceTime, fields }) =>
      of === source.name &&
      kind === dataset &&
      referenceTime === from &&
      names.every((name) => name in fields),
  );
  const lacking = having.map((run) => {
    const has = new Set(run.times);
    return times.filter((time) => time !== to && !has.has(time));
  });
  return lacking.sort((one, other) => one.length - other.length)[0];
}
