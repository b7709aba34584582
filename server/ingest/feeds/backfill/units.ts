import { datasetAges } from "#lib/catalog/datasets.ts";
import type { FieldName } from "#lib/catalog/fields.ts";
import { formatBytes } from "#lib/format-bytes.ts";
import { DAY_S, formatInstant, startOfDay } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import {
  type FieldFeed,
  fieldsOfProfile,
  isFor,
  messagesOf,
  newestCycle,
  type Part,
  type Profile,
  type WantedMessage,
} from "#server/ingest/feeds/field-feed.ts";
import { type Condensed, type Keep, type PastRule, pastRules } from "#server/ingest/feeds/past-rules.ts";
import { archivedPerFetched, inHours, LINE, table } from "#server/ingest/feeds/plan-feeds.ts";

const RECENT_S = datasetAges["Hindcast-3M"] * DAY_S;

/** Kinds of past data, with their names for people. */
export const kinds = {
  recent: "Hindcast-3M",
  archive: "forecast archive",
  years: "Hindcast-3Y",
} as const;

export type Kind = keyof typeof kinds;

/** One run of the past to build: a day, or a period of ten days. */
export interface Unit extends Condensed {
  kind: Kind;
}

/** Whether a time belongs to a unit. @param time Unix seconds. */
export function isOf({ from, to, every }: Pick<Unit, "from" | "to" | "every">, time: number): boolean {
  return time >= from && time <= to && time % every === 0;
}

export function day(time: number): string {
  return formatInstant(time).slice(0, 10);
}

/** A span of days, Unix seconds. `to` is the end of the last day. */
export interface Span {
  from: number;
  to: number;
}

/**
 * Base time of the first cycle that a permanent mirror of the feed has, Unix seconds; undefined where it is not known.
 */
function historyOf({ mirrors }: Pick<FieldFeed, "mirrors">): number | undefined {
  const lasting = mirrors.filter(({ youngerThan }) => youngerThan === undefined);
  const starts = lasting.map(({ since }) => since ?? Number.NEGATIVE_INFINITY);
  const first = Math.min(...starts);
  return Number.isFinite(first) ? first : undefined;
}

/**
 * Returns the runs of the past within a span, oldest first, by the same rules by which the loop builds them from
 * fetched parts.
 *
 * @param names Fields that the feed fetches.
 * @returns The units, and the reasons why parts of the span are left out.
 */
export function unitsOf(
  feed: FieldFeed,
  names: readonly FieldName[],
  keep: Keep,
  { from, to }: Span,
  now: number,
): { units: Unit[]; leftOut: string[] } {
  const history = historyOf(feed) ?? Number.NEGATIVE_INFINITY;
  // The cycles of a day are complete when the first step of the next day is there.
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
  // Hindcast-3M is never used for older times.
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
      leftOut.push(`${kinds[kind]}: it is not kept; ${setting} sets how long it is`);
  }
  const oldest = rules.years?.since ?? rules.recent?.since;
  if (oldest !== undefined && oldest > from)
    leftOut.push(`before ${day(oldest)}: KEEP_… does not keep it so long`);
  return { units: units.sort((a, b) => a.from - b.from || a.to - b.to), leftOut };
}

/**
 * Returns the times of a unit that a published run with all its fields lacks. If several runs are on different grids,
 * the one that lacks least counts. The last step may be missing, because the next unit has it too.
 *
 * @param times Times of the unit.
 * @returns Times that the run lacks; undefined where there is no such run.
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

/** A part that a unit needs. */
export interface NeededPart {
  part: Part;
  /** The feed, narrowed to the messages that the unit needs. */
  feed: FieldFeed;
  /**
   * Whether only maxima and means of the preceding hours are used from the part. For fields that are valid at an
   * instant a nearer part exists.
   */
  isForWindows: boolean;
}

/**
 * Returns the parts with the shortest leads: for each time, those of the newest cycle that has it. At a base time,
 * maxima and means of the preceding hours come from the previous cycle.
 */
export function partsOf(feed: FieldFeed, profile: Profile, unit: Unit): NeededPart[] {
  const { every, offset } = feed.cycles;
  const all = narrowed(feed, unit, () => true);
  const windows = narrowed(feed, unit, ({ time }) => time !== "instant");
  const needed: NeededPart[] = [];
  const first = offset + (Math.floor((unit.from - offset) / every) - 1) * every;
  for (let cycle = first; cycle <= unit.to; cycle += every) {
    for (const each of feed.parts(cycle, profile)) {
      const part = { ...each, times: each.times.filter((time) => time % unit.every === 0) };
      if (!part.times.some((time) => time >= unit.from && time <= unit.to)) continue;
      const lead = part.times[0]! - cycle;
      if (lead > every) break;
      const isForWindows = lead === every;
      const narrow = isForWindows ? windows : all;
      const wanted = messagesOf(narrow, part, profile);
      if (isForWindows && !wanted) continue;
      if (!wanted || wanted.length > 0) needed.push({ part, feed: narrow, isForWindows });
    }
  }
  return needed;
}

/** The part of the previous cycle with the same times, to replace a part that no mirror has. */
export function earlierPart(feed: FieldFeed, profile: Profile, unit: Unit, { times, cycle }: Part) {
  const has = (each: Part) => times.every((time) => each.times.includes(time));
  const part = feed.parts(cycle - feed.cycles.every, profile).find(has);
  return part && { part: { ...part, times }, feed: narrowed(feed, unit, () => true), isForWindows: false };
}

/** Estimates the bytes of a part by the share of its messages that are wanted. */
export function bytesOf({ part, feed }: NeededPart, whole: FieldFeed, profile: Profile): number {
  const wanted = messagesOf(feed, part, profile);
  const all = messagesOf(whole, part, profile);
  const share = wanted && all ? wanted.length / all.length : 1;
  return share * whole.partBytes(profile);
}

/** Narrows the feed to the messages for the fields of a unit. */
function narrowed(feed: FieldFeed, { wants }: Unit, among: (message: WantedMessage) => boolean): FieldFeed {
  const needs = feed.source.rules
    .filter(({ field }) => wants(field))
    .flatMap(({ choices }) => choices.flatMap((choice) => choice.needs))
    .filter((need) => need.kind === "grib2");
  return {
    ...feed,
    objects(part, profile, mirror) {
      const objects = feed.objects(part, profile, mirror);
      if (objects?.kind !== "messages") return objects;
      const wanted = objects.wanted.filter(
        (message) => among(message) && needs.some((need) => isFor(message, need)),
      );
      return { ...objects, wanted };
    },
  };
}

/** Processor time to decode, check and write fetched data, seconds a byte (`npm run bench -- "feeds cycle"`). */
const COMPUTING = 4.68 / 24.2e6;

/** A unit to fetch, and its approximate cost. */
export interface PlannedUnit extends Unit {
  names: FieldName[];
  /** Number of steps of the whole unit. */
  steps: number;
  /** Bytes to be fetched. */
  bytes: number;
  /** Times that the published run lacks; undefined if none is published. */
  lacking: number[] | undefined;
}

export interface BackfillPlan {
  feed: FieldFeed;
  profile: Profile;
  span: Span;
  /** Units to fetch, the oldest first. */
  units: PlannedUnit[];
  /** Number of units of each kind that are published already. */
  there: Record<Kind, number>;
  /** Reasons why parts of the span are left out. */
  leftOut: string[];
}

/** Plans the fetches that complete a span beyond the published runs. */
export function planBackfill(
  feed: FieldFeed,
  profile: Profile,
  keep: Keep,
  span: Span,
  runs: readonly Run[],
  now: number,
): BackfillPlan {
  const names = fieldsOfProfile(feed, profile);
  const { units, leftOut } = unitsOf(feed, names, keep, span, now);
  const there: BackfillPlan["there"] = { recent: 0, archive: 0, years: 0 };
  const planned: PlannedUnit[] = [];
  for (const unit of units) {
    const wanted = names.filter(unit.wants);
    const parts = partsOf(feed, profile, unit);
    const every = parts.flatMap(({ part }) => part.times).filter((time) => isOf(unit, time));
    const times = [...new Set(every)].sort((a, b) => a - b);
    const lacking = lackingOf(runs, feed, unit, wanted, times);
    if (lacking?.length === 0) there[unit.kind]++;
    else {
      const bytes = parts.reduce((sum, part) => sum + bytesOf(part, feed, profile), 0);
      planned.push({ ...unit, names: wanted, steps: times.length, bytes, lacking });
    }
  }
  return { feed, profile, span, units: planned, there, leftOut };
}

/**
 * Describes the cost of a back-fill for people.
 *
 * @param bytesADay Bytes a day that FEED_BYTES_A_DAY leaves after the feeds of FEEDS.
 */
export function describeBackfill(plan: BackfillPlan, bytesADay: number): string {
  const { feed, profile, units, there, leftOut, span } = plan;
  const bytes = units.reduce((sum, unit) => sum + unit.bytes, 0);
  const rows = (Object.keys(kinds) as Kind[]).flatMap((kind) => {
    const own = units.filter((unit) => unit.kind === kind);
    if (own.length + there[kind] === 0) return [];
    const first = own[0];
    const reach = first ? `${day(first.from)} to ${day(own.at(-1)!.to - DAY_S)}` : "-";
    const of = kind === "years" ? "periods of 10 days" : "days";
    const sum = own.reduce((total, unit) => total + unit.bytes, 0);
    return [
      [
        kinds[kind],
        `${own.length} ${of}`,
        reach,
        String(there[kind]),
        own.length > 0 ? formatBytes(sum) : "-",
      ],
    ];
  });
  const lines = [
    `Back-fill of ${feed.name}, ${day(span.from)} to ${day(span.to - DAY_S)}, profile ${profile}, about:`,
  ];
  if (rows.length > 0) lines.push(...table([["", "to fetch", "", "there already", "bytes"], ...rows]));
  lines.push(...leftOut.map((words) => `Left out: ${words}.`));
  if (units.length === 0) return [...lines, "There is nothing to fetch.", ""].join("\n");
  lines.push(
    `Together ${formatBytes(bytes)} to fetch: ${inHours(bytes / LINE)} at 20 Mbit/s, and ${inHours(bytes * COMPUTING)} of one processor. On disk ${formatBytes(bytes * archivedPerFetched(feed, profile))}.`,
  );
  if (bytesADay <= 0)
    lines.push("FEED_BYTES_A_DAY leaves nothing for it: the feeds of FEEDS take all of it.");
  else if (Number.isFinite(bytesADay))
    lines.push(
      `FEED_BYTES_A_DAY leaves ${formatBytes(bytesADay)} a day for it: ${Math.ceil(bytes / bytesADay)} days.`,
    );
  lines.push(
    "A stopped command continues where it was when it is started again. It waits while the server fetches.",
  );
  return [...lines, ""].join("\n");
}
