import type { Place } from "@open-metocean/geo/sphere";
import type { WatchCondition } from "#lib/contract/watch.ts";
import type { Weather } from "#lib/passage/vessel.ts";
import { HOUR_S } from "#lib/time.ts";
import { hourlyValue, rowOf, STORM_NM, type WatchQuantity } from "./quantities.ts";

/** Known weather at an hour of a place, or on a piece of a route. */
export interface Sample extends Place {
  /** Unix seconds. */
  time: number;
  weather: Weather;
}

/** The storm whose danger area comes nearest. */
export interface NearStorm {
  id: string;
  name: string | null;
  /** Distance, n mi; 0 inside the area. */
  nm: number;
  /** First time at which it is that near, Unix seconds. */
  time: number;
  issuedAt: number;
}

/** The value that decided, or the value nearest to its limit if none did. */
export interface Deciding {
  quantity: WatchQuantity;
  isOver: boolean;
  /** undefined for a high or low water that is reported whatever its height. */
  limit: number | undefined;
  /** The largest value for an upper limit, the smallest for a lower one. */
  value: number;
  /** First hour of an uninterrupted spell, Unix seconds; `until` is its last hour. */
  from: number;
  until: number;
  /** The spell lasts beyond `until`, where the search ended. */
  isCut?: boolean;
  /** Time of the value. */
  peak: number;
  at: Place | undefined;
  storm: NearStorm | undefined;
}

export interface Span {
  from: number;
  to: number;
}

/** The answer to a question. `unknown` means that there is no forecast for it. */
export interface Judged {
  state: "true" | "false" | "unknown";
  deciding: Deciding | undefined;
  /** Spells of a weather window. */
  windows: Span[];
  /** Share of the hours considered at which values are known. */
  knownShare: number;
}

/** A condition is decided only if at least this share of the hours has values. */
const KNOWN_SHARE = 0.5;

/** Hours farther apart than this are not one spell. */
const MAX_GAP_S = 3 * HOUR_S;

export interface Question {
  conditions: readonly WatchCondition[];
  join: "any" | "all";
}

/** Values of a condition at each sample, and whether they fulfil it. */
interface Column {
  condition: WatchCondition;
  values: (number | null)[];
  isMet: boolean[];
}

/**
 * Whether conditions are fulfilled at some hour.
 *
 * @param storm The storm with the nearest danger area; null if no storm is near, undefined if storms are
 * unknown.
 * @param firing The watch has fired; it clears only when the value is back within its limit by the margin of
 * its quantity.
 */
export function judgeHours(
  question: Question,
  samples: readonly Sample[],
  storm: NearStorm | null | undefined,
  firing: boolean,
): Judged {
  // The hours beyond the limit decide. Those within the margin only keep the question true.
  const strict = hoursJudged(question, samples, storm, false);
  return firing && strict.state !== "true" ? hoursJudged(question, samples, storm, true) : strict;
}

function hoursJudged(
  { conditions, join }: Question,
  samples: readonly Sample[],
  storm: NearStorm | null | undefined,
  firing: boolean,
): Judged {
  const columns = columnsOf(conditions, samples, firing);
  const near = conditions.filter(({ quantity }) => quantity === STORM_NM);
  const stormMet = near.map(
    (condition) => storm !== undefined && storm !== null && isMet(condition, storm.nm, firing),
  );
  const known = [...columns.map(isKnown), ...near.map(() => storm !== undefined)];
  const found = join === "any" ? firstOfAny(columns) : firstOfAll(columns);
  const metStorm = storm && near[stormMet.indexOf(true)];
  const knownShare = shareKnown(columns, samples.length, storm);
  const answer = (state: Judged["state"], deciding: Deciding | undefined): Judged => ({
    state,
    deciding,
    windows: [],
    knownShare,
  });
  if (join === "any") {
    if (found && !(metStorm && storm.time < samples[found.index]!.time))
      return answer("true", decidingOf(found.column, found.column.isMet, found.index, samples));
    if (metStorm) return answer("true", decidingStorm(metStorm, storm));
    return answer(known.some(Boolean) ? "false" : "unknown", nearest(columns, samples));
  }
  const allMet = stormMet.every(Boolean) && (columns.length === 0 || found !== undefined);
  if (allMet && found) return answer("true", decidingOf(found.column, found.isMet!, found.index, samples));
  if (allMet && metStorm) return answer("true", decidingStorm(metStorm, storm));
  return answer(known.every(Boolean) ? "false" : "unknown", nearest(columns, samples));
}

/**
 * Whether all conditions are fulfilled for the required number of consecutive hours, as `spells` counts them;
 * see `judgeHours`.
 */
export function judgeWindow(
  conditions: readonly WatchCondition[],
  lastingHours: number,
  samples: readonly Sample[],
  firing: boolean,
): Judged {
  const strict = columnsOf(conditions, samples, false);
  const windows = spells(strict, samples, lastingHours);
  const kept =
    windows.length > 0 || !firing
      ? windows
      : spells(columnsOf(conditions, samples, true), samples, lastingHours);
  const knownShare = shareKnown(strict, samples.length, undefined);
  const first = kept[0];
  if (first) {
    const inside = samples.map(({ time }) => time >= first.from && time < first.to);
    // The deciding value is the one nearest to its limit within the window.
    const deciding = decidingOf(strict[0]!, inside, inside.indexOf(true), samples, true);
    return {
      state: "true",
      windows: kept,
      knownShare,
      deciding: { ...deciding, from: first.from, until: first.to },
    };
  }
  const state = strict.every(isKnown) ? "false" : "unknown";
  return { state, windows, knownShare, deciding: undefined };
}

/**
 * Whether a question would be true if all that is unknown fulfilled its conditions. If not, what is known is enough to
 * say no.
 *
 * @param lastingHours Hours without a break of a weather window; undefined for conditions at some hour.
 */
export function mayBeTrue(
  { conditions, join }: Question,
  lastingHours: number | undefined,
  samples: readonly Sample[],
  storm: NearStorm | null | undefined,
  firing: boolean,
): boolean {
  const columns = columnsOf(conditions, samples, firing, true);
  if (lastingHours !== undefined) return spells(columns, samples, lastingHours).length > 0;
  const near = conditions
    .filter(({ quantity }) => quantity === STORM_NM)
    .map((condition) => storm === undefined || (storm !== null && isMet(condition, storm.nm, firing)));
  return join === "any"
    ? near.some(Boolean) || firstOfAny(columns) !== undefined
    : near.every(Boolean) && (columns.length === 0 || firstOfAll(columns) !== undefined);
}

/** @param unknown Whether an hour without a value fulfils the condition. */
function columnsOf(
  conditions: readonly WatchCondition[],
  samples: readonly Sample[],
  firing: boolean,
  unknown = false,
): Column[] {
  return conditions.flatMap((condition) => {
    const { quantity } = condition;
    if (quantity === STORM_NM) return [];
    const values = samples.map(({ weather }) => hourlyValue(quantity, weather));
    return {
      condition,
      values,
      isMet: values.map((value) => (value === null ? unknown : isMet(condition, value, firing))),
    };
  });
}

function isMet({ quantity, over, under }: WatchCondition, value: number, firing: boolean): boolean {
  const margin = firing ? rowOf(quantity).margin : 0;
  return over === undefined ? value < under! + margin : value > over - margin;
}

function isKnown({ values }: Column): boolean {
  const known = values.filter((value) => value !== null).length;
  return known > 0 && known >= KNOWN_SHARE * values.length;
}

function shareKnown(columns: readonly Column[], count: number, storm: NearStorm | null | undefined): number {
  if (columns.length === 0 || count === 0) return storm === undefined ? 0 : 1;
  let known = 0;
  for (let index = 0; index < count; index++)
    if (columns.some(({ values }) => values[index] !== null)) known++;
  return known / count;
}

interface Found {
  column: Column;
  index: number;
  /** Hours at which all conditions are fulfilled. */
  isMet?: boolean[];
}

function firstOfAny(columns: readonly Column[]): Found | undefined {
  let first: Found | undefined;
  for (const column of columns) {
    const index = column.isMet.indexOf(true);
    if (index >= 0 && (!first || index < first.index)) first = { column, index };
  }
  return first;
}

function firstOfAll(columns: readonly Column[]): Found | undefined {
  const [column] = columns;
  if (!column) return undefined;
  const isMet = column.isMet.map((_, index) => columns.every((one) => one.isMet[index]));
  const index = isMet.indexOf(true);
  return index < 0 ? undefined : { column, index, isMet };
}

/**
 * @param within Hours whose values count. @param opposite Whether to find the value within the limit that is
 * nearest to it.
 */
function decidingOf(
  { condition, values }: Column,
  within: readonly boolean[],
  first: number,
  samples: readonly Sample[],
  opposite = false,
): Deciding {
  const { quantity, over, under } = condition;
  const wantsGreatest = (over !== undefined) !== opposite;
  let peak = first;
  let last = first;
  for (let index = first; index < samples.length; index++) {
    if (within[index] && index - last <= 1) last = index;
    const [value, best] = [values[index], values[peak]];
    if (!within[index] || value === null || value === undefined) continue;
    if (best === null || best === undefined || (wantsGreatest ? value > best : value < best)) peak = index;
  }
  const { latitude, longitude, time } = samples[peak]!;
  return {
    quantity,
    isOver: over !== undefined,
    limit: over ?? under!,
    value: values[peak]!,
    from: samples[first]!.time,
    until: samples[last]!.time,
    peak: time,
    at: { latitude, longitude },
    storm: undefined,
  };
}

function decidingStorm({ under }: WatchCondition, storm: NearStorm): Deciding {
  const { nm: value, time } = storm;
  return {
    quantity: STORM_NM,
    isOver: false,
    limit: under!,
    value,
    from: time,
    until: time,
    peak: time,
    at: undefined,
    storm,
  };
}

/** The value nearest to its limit, measured in margins. */
function nearest(columns: readonly Column[], samples: readonly Sample[]): Deciding | undefined {
  let best: { distance: number; deciding: Deciding } | undefined;
  for (const column of columns) {
    const first = column.values.findIndex((value) => value !== null);
    if (first < 0) continue;
    const deciding = decidingOf(
      column,
      column.values.map((value) => value !== null),
      first,
      samples,
    );
    const { over, under } = column.condition;
    const distance = Math.abs(deciding.value - (over ?? under!)) / rowOf(deciding.quantity).margin;
    if (!best || distance < best.distance)
      best = { distance, deciding: { ...deciding, from: deciding.peak } };
  }
  return best?.deciding;
}

/**
 * Spells of sufficient length in which every condition is fulfilled. As in the statistics of
 * `lib/workability`, a sample stands for the time until the next one; the last one only marks the end.
 */
function spells(columns: readonly Column[], samples: readonly Sample[], hours: number): Span[] {
  const found: Span[] = [];
  let from: number | undefined;
  const close = (to: number) => {
    if (from !== undefined && to - from >= hours * HOUR_S) found.push({ from, to });
    from = undefined;
  };
  let last = 0;
  for (const [index, { time }] of samples.entries()) {
    if (time - last > MAX_GAP_S) close(last);
    if (columns.every(({ isMet: met }) => met[index])) from ??= time;
    else close(time);
    last = time;
  }
  close(last);
  return found;
}
