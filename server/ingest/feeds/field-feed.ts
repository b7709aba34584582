import type { Grid } from "@open-metocean/geo/grid";
import { type FieldName, rowOf } from "#lib/catalog/fields.ts";
import { heightOfWind, windHeights } from "#lib/catalog/wind.ts";
import { DAY_S, formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import type { EnsemblePart } from "#server/ingest/ensemble-part.ts";
import type { FieldRule, GribSelector, Selector, Source } from "#server/ingest/sources/source.ts";

/** Extent to which a feed is fetched. */
export type Profile = "lite" | "standard" | "full";

export const profileNames: readonly Profile[] = ["lite", "standard", "full"];

/** Values that differ between profiles. */
export function byProfile<Value>(
  lite: Value,
  standard: Value,
  full = standard,
): Readonly<Record<Profile, Value>> {
  return { lite, standard, full };
}

/** A host that has the objects of a feed. Mirrors are tried in order. */
export interface Mirror {
  /** Name for people: "AWS". */
  name: string;
  /**
   * Prefix of the names of objects, without a slash at the end: "https://noaa-gfs-bdp-pds.s3.amazonaws.com". For one of the
   * operator's own sources it may also be the path of a folder.
   */
  base: string;
  /**
   * Headers of requests to this mirror only, even where other mirrors are on its host: an authorization. They are never
   * logged.
   */
  headers?: Readonly<Record<string, string>>;
  /** The mirror is asked only for cycles at most this old, seconds: NOMADS keeps two days. */
  youngerThan?: number;
  /** Base time of the first cycle that it has, Unix seconds; it is not asked for older ones. */
  since?: number;
  /** Requests a minute at most; a default for all hosts if absent. */
  requestsPerMinute?: number;
  /** Has whole files where the feed's other mirrors have stores. */
  form?: "files";
  /** Statuses that mean "too many requests" here, besides 429 and 503. */
  throttledBy?: readonly number[];
}

/** A message wanted of an object, by the line of its index. */
export interface WantedMessage {
  /** Words of a wgrib2 index: "UGRD", "10 m above ground"; or of an ECMWF index: "10u", "sfc". */
  element: string;
  /** Other names of the element that are in use; the first that the index has is taken. */
  alternatives?: readonly string[];
  level: string;
  /** The part of an ensemble; undefined for a deterministic forecast. */
  part?: EnsemblePart;
  /** Kind of window. An average or accumulation is found by its end, which is the step's lead. */
  time: "instant" | "average" | "accumulation" | "maximum";
  /** Approximate length in bytes; undefined where the feed's `partBytes` does not need it. */
  bytes?: number;
  /** A step without it is still whole: rain at hour 0. */
  optional?: boolean;
  /** Messages from which a field can be derived where the index lacks this one, best first: all messages of one row. */
  instead?: readonly (readonly WantedMessage[])[];
  /** The message must match one of these: an index may be of another publication whose messages have the same lengths. */
  selectors?: readonly GribSelector[];
}

/** Location of the data of one part. */
export type PartObjects =
  | {
      /** Ranges of a GRIB2 object, found by its index. */
      kind: "messages";
      object: string;
      index: { object: string; form: "wgrib2" | "ecmwf" };
      wanted: readonly WantedMessage[];
    }
  /** Ranges of several GRIB2 objects, which together have the members of an ensemble. */
  | { kind: "members"; objects: readonly Extract<PartObjects, { kind: "messages" }>[] }
  /** A whole object; of several names the first that exists. */
  | { kind: "file"; objects: readonly string[] }
  /** Whole objects, all of them: files of one variable each. They may be packed by gzip or bzip2. */
  | {
      kind: "all";
      objects: readonly string[];
      /** The message of each object, where that is known. */
      wanted?: readonly WantedMessage[];
      /** The NetCDF variable of each object, and what its name has for `{param}`, where that is known. */
      variables?: readonly { name: string; param: string }[];
    }
  /** Chunks of a Zarr v2 store: those of the arrays at the part's times. */
  | {
      kind: "zarr";
      store: string;
      arrays: readonly string[];
      /** Arrays in place of those that the store lacks, best first. */
      instead?: Readonly<Record<string, readonly string[]>>;
      /** A chunk that was written before is of the run before, Unix seconds: before a run can be there, and after the last. */
      writtenFrom: number;
    };

/** The unit of fetching: one step of GFS, one day of hourly currents. */
export interface Part {
  /** Base time of the cycle, Unix seconds. */
  cycle: number;
  /** Position in the cycle's list of parts. */
  index: number;
  /** Valid times, Unix seconds, ascending. */
  times: readonly number[];
}

/** With less than this share of its members a step of an ensemble says too little of what may happen. */
export const LEAST_SHARE = 0.5;

/**
 * Extents to which an ensemble is fetched:
 *
 * - `mean`: the mean and the spread over the members, as they are published;
 * - `statistics`: all members, of which only statistics are stored;
 * - `members`: all members, which are stored with their statistics.
 */
export type EnsemblePlan = "mean" | "statistics" | "members";

/** A published feed of fields: where its objects lie, when they come, and what is wanted of them. */
export interface FieldFeed {
  /** Name in FEEDS; the source's name where one source has one feed. */
  name: string;
  /** Title for people, with what a profile has: "NOAA GFS 0.25°: wind, gusts, rain". */
  title(profile: Profile): string;
  /** The smallest profile that has the feed; absent where it is only chosen by its name. */
  inProfile?: Profile;
  /** The feed is a file in DATA_DIR/sources and part of every profile. */
  isOwn?: true;
  /** Grid of a step; of one of the operator's own it is not known before a file is there. */
  grid?: Readonly<Record<Profile, Grid>>;
  /** The line that the licence asks for. */
  credit: string;
  /** Fields and conversions. */
  source: Source;
  /** Present for a feed of an ensemble. */
  ensemble?: {
    plan: EnsemblePlan;
    /** Members of a whole cycle, the control included. */
    size: number;
    /** Every n-th row and column of the files is stored. */
    stride: number;
  };
  /** Cycles have base times `offset + n × every`, seconds. */
  cycles: { every: number; offset: number };
  /** No cycle has a later base time, because the publisher ends the product, Unix seconds. */
  ended?: number;
  /** Time from the base time at which a cycle's first and last part are expected, seconds. */
  delay: { first: number; whole: number };
  mirrors: readonly Mirror[];
  /** Parts of a cycle in the order in which they appear, from the base time on. */
  parts(cycle: number, profile: Profile): Part[];
  /**
   * Locates a part at a mirror, with all fields of the profile. Names and form may differ between mirrors: currents are
   * daily files on one and a Zarr store on another.
   *
   * @returns undefined if this mirror is not used for this profile.
   */
  objects(part: Part, profile: Profile, mirror: Mirror): PartObjects | undefined;
  /**
   * Locates a part at a mirror under the names of another version of the model, which the publisher has announced. They are
   * asked for after those of `objects`, and all parts of a cycle come from names of one version.
   */
  otherNames?(part: Part, profile: Profile, mirror: Mirror): readonly PartObjects[];
  /** Bytes that one part costs, about; printed before anything is fetched. */
  partBytes(profile: Profile): number;
}

/** `ended` of a feed whose last cycle is of a day. @param day `YYYY-MM-DD`, UTC. */
export function endOf(day: string): number {
  return parseInstant(`${day}T23:59:59Z`);
}

/** The title of a feed, with the day of its last cycle, where the publisher has named one. It is true before that day too. */
export function withEnd(title: string, ended: number | undefined): string {
  return ended === undefined ? title : `${title}, cycles until ${formatInstant(ended).slice(0, 10)}`;
}

/** Date and hour of a time as file names write them, UTC: `{ day: "20261123", hour: "06" }`. @param time Unix seconds. */
export function stamp(time: number): { day: string; hour: string } {
  const iso = new Date(time * 1000).toISOString();
  return { day: iso.slice(0, 10).replaceAll("-", ""), hour: iso.slice(11, 13) };
}

export const placeholders = "YYYY MM DD HH VYYYY VMM VDD VHH FFFF FFF FF F param PARAM".split(" ");

/**
 * The name of an object by its template: date and hour of the base time and, with a V, of the valid time, UTC; the lead in
 * hours, with four, three, two or as many digits as it has; the parameter, in small or large letters.
 */
export function fill(template: string, part: Part, param = ""): string {
  const lead = String(Math.round(leadOf(part)));
  const at = (time: number, before: string) => {
    const [YYYY, MM, DD, HH] = new Date(time * 1000).toISOString().split(/[-T:]/);
    return { [`${before}YYYY`]: YYYY, [`${before}MM`]: MM, [`${before}DD`]: DD, [`${before}HH`]: HH };
  };
  const values: Record<string, string | undefined> = {
    ...at(part.cycle, ""),
    ...at(part.times[0]!, "V"),
    FFFF: lead.padStart(4, "0"),
    FFF: lead.padStart(3, "0"),
    FF: lead.padStart(2, "0"),
    F: lead,
    param,
    PARAM: param.toUpperCase(),
  };
  return template.replaceAll(/\{(\w+)\}/g, (_, name: string) => values[name]!);
}

/** Messages of an object, by the index beside it. */
export function messagesAt(
  object: string,
  form: "wgrib2" | "ecmwf",
  wanted: readonly WantedMessage[],
): Extract<PartObjects, { kind: "messages" }> {
  const index = form === "wgrib2" ? `${object}.idx` : object.replace(/\.[^./]*$/, ".index");
  return { kind: "messages", object, index: { object: index, form }, wanted };
}

/** Whole numbers from `from` to `to`, both included. */
export function range(from: number, to: number, step: number): number[] {
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step);
}

/** One part for each lead. @param leads Hours after the base time, ascending. */
export function partsAt(cycle: number, leads: readonly number[]): Part[] {
  return leads.map((lead, index) => ({ cycle, index, times: [cycle + lead * HOUR_S] }));
}

/** Lead of a part with one time, hours. */
export function leadOf({ cycle, times }: Part): number {
  return (times[0]! - cycle) / HOUR_S;
}

/**
 * The messages from which a source derives fields in the standard way: the needs of the first choice of each rule, with
 * those of its other choices in their place.
 *
 * @param optional Fields whose messages may be absent.
 * @throws RangeError if the source has no rule for a field, so that a misspelt profile fails at once.
 */
export function wantedMessages(
  source: Source,
  fields: readonly FieldName[],
  optional: ReadonlySet<FieldName> = new Set(),
): WantedMessage[] {
  const wanted = new Map<string, WantedMessage>();
  for (const field of fields) {
    const rule = ruleOf(source, field);
    const [first = [], ...others] = rule.choices.map(({ needs }) =>
      needs.map((need) => messageOf(need, rule)),
    );
    for (const own of first) {
      const message = others.length > 0 ? { ...own, instead: others } : own;
      const key = `${message.element}:${message.level}:${message.time}`;
      // A message that one field requires is not optional because another field can do without it.
      if (!optional.has(field)) wanted.set(key, message);
      else if (!wanted.has(key)) wanted.set(key, { ...message, optional: true });
    }
  }
  return [...wanted.values()];
}

/**
 * Approximate bytes of messages together.
 *
 * @throws RangeError for a message without a length: what is unknown would pass every limit of the disk.
 */
export function bytesOfMessages(wanted: readonly WantedMessage[]): number {
  return wanted.reduce((sum, { element, bytes }) => {
    if (bytes === undefined) throw new RangeError(`Nothing says how long a message of ${element} is`);
    return sum + bytes;
  }, 0);
}

/** Wind between stored heights is interpolated: three of them are near the truth at a third of the bytes of seven. */
const heights = byProfile<readonly number[]>([10], [10, 50, 100], windHeights);

/**
 * The requested values of each profile, made from the fields that the profile has of its source: in `lite` those of the variables
 * that every profile has (`inLite` of the catalog), in the others all, and winds at the heights of the profile.
 */
export function ofProfiles<Value>(
  { rules }: Source,
  of: (fields: readonly FieldName[]) => Value,
): Readonly<Record<Profile, Value>> {
  const all = rules.map(({ field }) => field);
  const fieldsOf = (profile: Profile) =>
    all.filter(
      (field) =>
        (profile !== "lite" || rowOf(field).inLite) && heights[profile].includes(heightOfWind(field) ?? 10),
    );
  return byProfile(of(fieldsOf("lite")), of(fieldsOf("standard")), of(fieldsOf("full")));
}

/** The arrays of a store from which a source derives fields in the standard way. @throws RangeError as `wantedMessages`. */
export function wantedArrays(source: Source, fields: readonly FieldName[]): string[] {
  const needs = fields.flatMap((field) => ruleOf(source, field).choices[0]!.needs);
  return [...new Set(needs.flatMap((need) => (need.kind === "netcdf" ? [need.variable] : [])))];
}

/** Arrays that replace another one where a store lacks it, best first, by its name. */
export function arraysInstead({ rules }: Source): Record<string, string[]> {
  const names = (needs: readonly Selector[]) =>
    needs.flatMap((need) => (need.kind === "netcdf" ? [need.variable] : []));
  const alone = rules.map(({ choices }) => choices.map(({ needs }) => names(needs)));
  return Object.fromEntries(
    alone
      .filter((choices) => choices.length > 1 && choices.every(({ length }) => length === 1))
      .map((choices) => choices.flat())
      .map(([first, ...others]) => [first!, others]),
  );
}

function ruleOf(source: Source, field: FieldName): FieldRule {
  const rule = source.rules.find((rule) => rule.field === field);
  if (!rule) throw new RangeError(`The source ${source.name} has no rule for ${field}`);
  return rule;
}

/** @param rule Rule of the field. A message of another of its choices may have the same words, and other numbers. */
function messageOf(need: Selector, { choices }: FieldRule): WantedMessage {
  if (need.kind !== "grib2") throw new RangeError(`${need.variable} is not a message of GRIB2`);
  const { element, alternatives, bytes } = need.parameter;
  const selectors = choices
    .flatMap(({ needs }) => needs)
    .filter((other) => other.kind === "grib2")
    .filter(
      ({ parameter, level, time }) =>
        parameter.element === element && level.words === need.level.words && time === need.time,
    );
  return {
    element,
    ...(alternatives && { alternatives }),
    level: need.level.words,
    time: need.time,
    ...(bytes !== undefined && { bytes }),
    selectors,
  };
}

/** The fields that a profile has of a feed. */
export function fieldsOfProfile(feed: FieldFeed, profile: Profile, cycle = feed.cycles.offset): FieldName[] {
  const [part] = feed.parts(cycle, profile);
  const objects = part && objectsOf(feed, part, profile);
  const has = (need: Selector) => {
    if (objects?.kind === "messages" || (objects?.kind === "all" && objects.wanted))
      return need.kind === "grib2" && objects.wanted?.some((message) => isFor(message, need));
    if (objects?.kind === "members")
      return (
        need.kind === "grib2" &&
        objects.objects.some(({ wanted }) => wanted.some((message) => isFor(message, need)))
      );
    if (objects?.kind === "all" && objects.variables)
      return need.kind === "netcdf" && objects.variables.some(({ name }) => name === need.variable);
    if (objects?.kind === "zarr") return need.kind === "netcdf" && objects.arrays.includes(need.variable);
    return true;
  };
  return feed.source.rules
    .filter(({ choices }) => choices.some(({ needs }) => needs.every(has)))
    .map(({ field }) => field);
}

/** The messages of a part; undefined where it comes whole. */
export function messagesOf(
  feed: FieldFeed,
  part: Part,
  profile: Profile,
): readonly WantedMessage[] | undefined {
  const objects = objectsOf(feed, part, profile);
  return objects?.kind === "messages" ? objects.wanted : undefined;
}

function objectsOf(feed: FieldFeed, part: Part, profile: Profile): PartObjects | undefined {
  for (const mirror of feed.mirrors) {
    const objects = feed.objects(part, profile, mirror);
    if (objects) return objects;
  }
  return undefined;
}

/** Whether a message is the one that a conversion needs. */
export function isFor({ element, level, time }: WantedMessage, need: GribSelector): boolean {
  return element === need.parameter.element && level === need.level.words && time === need.time;
}

const MINUTE = 60;
/**
 * Members of a step that are absent are waited for until so long after the step is expected, seconds: mirrors lag behind each
 * other by some 40 minutes. Later steps come on time all the same, so that a member that never comes delays a cycle by no more.
 */
const LATE_MEMBERS_S = 45 * MINUTE;

/** Until when absent members of a part are waited for, Unix seconds. @param count Parts of the cycle. */
export function membersDue(feed: Pick<FieldFeed, "delay">, part: Part, count: number): number {
  return expectedAt(feed, part, count) + LATE_MEMBERS_S;
}

/** Maximum number of looks for a cycle while its parts are expected. */
const LOOKS = 120;

/** Base time of the newest cycle whose first part is expected by now. @param now Unix seconds. */
export function newestCycle(
  { cycles, delay, ended = Number.POSITIVE_INFINITY }: Pick<FieldFeed, "cycles" | "delay" | "ended">,
  now: number,
): number {
  const { every, offset } = cycles;
  return offset + Math.floor((Math.min(now - delay.first, ended) - offset) / every) * every;
}

/** The first parts of the cycle after this one are expected then; never after the last cycle. @param cycle Unix seconds. */
export function nextCycleAt(
  { cycles, delay, ended = Number.POSITIVE_INFINITY }: Pick<FieldFeed, "cycles" | "delay" | "ended">,
  cycle: number,
): number {
  const next = cycle + cycles.every;
  return next > ended ? Number.POSITIVE_INFINITY : next + delay.first;
}

/** Time for which the last cycle of a product that has ended is still looked for, seconds. */
const LAST_LOOKS_S = DAY_S;

/** Whether a publisher has ended its product, and nothing of it is looked for any more. @param now Unix seconds. */
export function isEnded(feed: Pick<FieldFeed, "cycles" | "delay" | "ended">, now: number): boolean {
  const newest = newestCycle(feed, now);
  const isLast = nextCycleAt(feed, newest) === Number.POSITIVE_INFINITY;
  return isLast && now > newest + feed.delay.whole + LAST_LOOKS_S;
}

/** Time at which a part is expected: parts appear evenly between the first and the last. */
export function expectedAt({ delay }: Pick<FieldFeed, "delay">, part: Part, count: number): number {
  const share = count > 1 ? part.index / (count - 1) : 0;
  return part.cycle + delay.first + share * (delay.whole - delay.first);
}

/**
 * Time of the next look for a cycle with absent parts: every minute while they are expected, more rarely where they are
 * expected within a day, and when they are late.
 */
export function nextLook(
  { delay, ensemble }: Pick<FieldFeed, "delay" | "ensemble">,
  cycle: number,
  now: number,
): number {
  const late = now - (cycle + delay.whole);
  // A look for a step of an ensemble that no host has yet asks every host for most of its members.
  const least = ensemble ? 5 * MINUTE : MINUTE;
  if (late < HOUR_S) return now + Math.max(least, (delay.whole - delay.first) / LOOKS);
  return now + (late < 4 * HOUR_S ? 5 : 15) * MINUTE;
}

/** Time of the next attempt after failures in a row. @param failures 1 for the first. */
export function retryAt(now: number, failures: number, most = 15 * MINUTE): number {
  return now + Math.min(most, MINUTE * 2 ** Math.min(failures - 1, 20));
}

/** Steps that a later segment adds to those before it. */
const NEW_STEPS = 15;

/** Consecutive parts of a cycle that are published as one run. */
export interface Segment {
  /** Positions of its parts in the cycle's list: `from` … `to` − 1. */
  from: number;
  to: number;
  /** The last time of the segment before, so that every time between two steps is bracketed in one run; then its own. */
  times: number[];
}

/**
 * Cuts a cycle into segments.
 *
 * The first reaches to the first step of the next cycle that has a base time: it alone is retained when newer cycles have
 * replaced the rest. One step more, because what is a mean over a window begins with the second step of a cycle.
 *
 * The cycle of an ensemble is one segment, because shares of members over spans of days need its later steps.
 */
export function segmentsOf(
  parts: readonly Part[],
  { cycles: { every }, ensemble }: Pick<FieldFeed, "cycles" | "ensemble">,
): Segment[] {
  if (ensemble) return [{ from: 0, to: parts.length, times: parts.flatMap(({ times }) => times) }];
  const segments: Segment[] = [];
  let from = 0;
  while (from < parts.length) {
    const before = parts[from - 1];
    const times = before ? [before.times.at(-1)!] : [];
    let to = from;
    do {
      times.push(...parts[to]!.times);
      to++;
    } while (
      to < parts.length &&
      (before ? times.length <= NEW_STEPS : times.at(-1)! <= parts[0]!.cycle + every)
    );
    segments.push({ from, to, times });
    from = to;
  }
  return segments;
}
