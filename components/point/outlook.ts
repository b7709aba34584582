import { toKnots } from "@open-metocean/geo/knots";
import { civilOf, weekdayOf, type Zone } from "#components/view-state/civil.ts";
import { formatClock, formatWeekdayDay } from "#components/view-state/format-time.ts";
import { formatUngrouped, inUnit } from "#lib/messages/number.ts";
import { type Limits, lowestSeaLimit } from "#lib/passage/limits.ts";
import { compassAbbreviation } from "#lib/position.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { toBeaufort, type Unit, type Units, unitFor } from "#lib/units.ts";
import type { SeriesRow } from "./point-queries.ts";

/**
 * How far ahead the weather is summarised, seconds; beyond three days the hour of a change is too uncertain.
 */
const AHEAD_S = 72 * HOUR_S;

/** Beaufort forces on which plans and warnings depend: strong wind, and gale. */
const STRONG = 6;
const GALE = 8;

/**
 * Least change of the wind that is mentioned, Beaufort forces; a change of one is within the forecast error.
 */
const NOTABLE = 2;

/** Least rise of the sea after the three days that is mentioned, m. */
const NOTABLE_SEA_M = 1;

/** A wind that drops for no longer than this has not eased, seconds. */
const LULL_S = 6 * HOUR_S;

/** Within this time the name of a weekday is unambiguous, seconds. */
const WEEK_S = 6 * DAY_S;

/** Weather of a step; NaN for unknown values. */
interface Step {
  /** Unix seconds; `seconds` is the time to the next step. */
  time: number;
  seconds: number;
  /** m s-1. */
  wind: number;
  gust: number;
  /** Significant height, m. */
  sea: number;
  /** Direction that the wind comes from, degrees clockwise from north; undefined in a calm. */
  from: number | undefined;
}

const quantities = ["wind", "gust", "sea"] as const;

type Highest = Pick<Step, (typeof quantities)[number]>;

interface Asked {
  /** Weather clock, Unix seconds; earlier times are ignored. */
  now: number;
  units: Units;
  zone: Zone;
  /** Limits of the user's vessel; undefined if none was chosen. */
  limits: Limits | undefined;
}

export interface Outlook {
  /** How the wind changes: `F8 from SW by Tue 07:00, up to F9, below F6 from Tue 19:00.` */
  trend: string;
  /** `Until Thu 07:00: max 38 kn (Tue 09:00), gusts 45 kn, sea 4.2 m.` */
  highest: string;
  /** How many hours exceed the limits; undefined without limits, and if no known value exceeds them. */
  limits: string | undefined;
  /** Names the condition that becomes notably worse after the three days. */
  later: string | undefined;
  /** Strongest wind of the three days, and of the time after them if it is mentioned, m s-1. */
  peak: number;
  laterPeak: number | undefined;
}

/**
 * Summarises the weather of the next three days in words. No hour before a stated time is worse than stated:
 * numbers are rounded up, and hours without values are counted.
 *
 * @param rows Ascending in time.
 * @returns undefined if no future wind is known.
 */
export function outlookOf(rows: readonly SeriesRow[], asked: Asked): Outlook | undefined {
  const { now, zone } = asked;
  const { words } = zone;
  const coming = stepsOf(rows).filter(({ time }) => time > now - HOUR_S);
  const near = untilLastWind(coming.filter(({ time }) => time <= now + AHEAD_S));
  const end = near.at(-1);
  if (!end || near.length < 2) return undefined;
  const [highest, limits] = [highestText(near, false, asked), limitsText(near, asked)];
  const after = untilLastWind(coming.filter(({ time }) => time > end.time));
  const isWorse = after.length > 0 && isNotablyWorse(after, near, asked.limits);
  const later = isWorse ? [highestText(after, true, asked), limitsText(after, asked, true)] : [];
  return {
    trend: trendText(near, asked),
    highest,
    limits,
    later: later.filter(Boolean).join(words.ui.joins.sentences) || undefined,
    peak: highestOf(near).wind,
    laterPeak: isWorse ? highestOf(after).wind : undefined,
  };
}

/** The whole outlook as one text; undefined as `outlookOf`. */
export function outlookText(rows: readonly SeriesRow[], asked: Asked): string | undefined {
  const outlook = outlookOf(rows, asked);
  if (!outlook) return undefined;
  const { trend, highest, limits, later } = outlook;
  return [trend, highest, limits, later].filter(Boolean).join(asked.zone.words.ui.joins.sentences);
}

function stepsOf(rows: readonly SeriesRow[]): Step[] {
  let seconds = HOUR_S;
  return rows.map(({ time, conditions }, index) => {
    const next = rows[index + 1];
    if (next) seconds = next.time - time;
    return {
      time,
      seconds,
      wind: conditions.Winds_10m_Intensity ?? Number.NaN,
      gust: conditions.Gust_10m ?? Number.NaN,
      sea: conditions.Waves_Significant_Height ?? Number.NaN,
      from: conditions.Winds_10m_Direction ?? undefined,
    };
  });
}

const isKnown = ({ wind }: Step) => !Number.isNaN(wind);

/** The steps up to the last one with a known wind. */
function untilLastWind(steps: readonly Step[]): Step[] {
  return steps.slice(0, steps.findLastIndex(isKnown) + 1);
}

/** How the wind changes, from the first step with a known wind. The greatest force that it states is that of the peak. */
function trendText(steps: readonly Step[], { now, zone }: Asked): string {
  const { outlook } = zone.words.point;
  const winds = steps.filter(isKnown).map((step) => ({ ...step, force: toBeaufort(step.wind) }));
  const [first, last] = [winds[0]!, winds.at(-1)!];
  const peak = winds.reduce((one, other) => (other.wind > one.wind ? other : one));
  const at = (time: number) => momentText(time, now, zone);
  const from = ({ from }: Step) =>
    from === undefined ? undefined : compassAbbreviation(from, zone.words, "lettersFrom");
  const crossed = [GALE, STRONG].find((limit) => first.force < limit && peak.force >= limit);
  if (crossed !== undefined || peak.force - first.force >= NOTABLE) {
    const force = crossed ?? peak.force;
    const begin = winds.find((wind) => wind.force >= force) ?? peak;
    // From here on the wind stays below strong, as far as it is summarised.
    const strong = winds.findLastIndex((wind) => wind.force >= STRONG);
    const end = strong < 0 ? undefined : winds[strong + 1];
    const until = end && last.time - end.time >= LULL_S ? at(end.time) : undefined;
    const most = peak.force > force ? peak.force : undefined;
    return outlook.strengthens({ force, from: from(begin), when: at(begin.time), most, until });
  }
  if (peak.force < NOTABLE) return outlook.light;
  const begins = {
    force: first.force,
    from: from(first),
    when: first.time > now ? at(first.time) : undefined,
    most: peak.force > first.force ? peak.force : undefined,
  };
  // The last step that is not notably weaker than the first.
  const before = winds.findLastIndex(({ force }) => first.force - force < NOTABLE);
  const eased = winds.slice(before + 1);
  const [start] = eased;
  if (!start || last.time - start.time < LULL_S) return outlook.steady(begins);
  const highest = Math.max(...eased.map(({ force }) => force));
  return outlook.eases({ ...begins, eased: highest, at: at(start.time) });
}

/** @param isLater Whether the steps are those after the three days. */
function highestText(steps: readonly Step[], isLater: boolean, { now, units, zone }: Asked): string {
  const { words } = zone;
  const peaks = highestOf(steps);
  const [speed, height] = [unitFor("m/s", units, undefined, words), unitFor("m", units, undefined, words)];
  const text = (value: number, unit: Unit) => (Number.isFinite(value) ? roundedUp(value, unit) : undefined);
  const strongest = steps.find(({ wind }) => wind === peaks.wind);
  const unknown = steps
    .filter((step) => quantities.some((name) => Number.isNaN(step[name]) && Number.isFinite(peaks[name])))
    .reduce((sum, { seconds }) => sum + seconds, 0);
  return words.point.outlook.highest({
    isLater,
    until: momentText(steps.at(-1)!.time, now, zone),
    wind: roundedUp(peaks.wind, speed),
    at: momentText(strongest!.time, now, zone),
    gusts: text(peaks.gust, speed),
    sea: text(peaks.sea, height),
    unknown: unknown > 0 ? hoursText(unknown, zone) : undefined,
  });
}

/** The highest value of each quantity; −Infinity if it is never known. */
function highestOf(steps: readonly Step[]): Highest {
  const most = (name: keyof Highest) =>
    Math.max(...steps.map((step) => step[name]).filter((value) => !Number.isNaN(value)));
  return { wind: most("wind"), gust: most("gust"), sea: most("sea") };
}

/** Formats a value in a unit, rounded up, so that the maximum is never understated. */
function roundedUp(value: number, unit: Unit): string {
  return inUnit(numberRounded(value, unit, "up"), unit.symbol, unit.words);
}

/** The number of a value in a unit, rounded up or down to the decimals of the unit. */
export function numberRounded(value: number, unit: Unit, towards: "up" | "down"): string {
  const scale = 10 ** unit.decimals;
  const exact = unit.to(value) * scale;
  // A value that is exact in the unit may be inexact in binary.
  const number = (towards === "up" ? Math.ceil(exact - 1e-6) : Math.floor(exact + 1e-6)) / scale;
  return formatUngrouped(number, unit.decimals, unit.words.language);
}

const hoursText = (seconds: number, { words }: Zone) =>
  words.dates.hours({ count: Math.round(seconds / HOUR_S) });

/** @param isSilent Whether to return nothing if no limit is exceeded. */
function limitsText(
  steps: readonly Step[],
  { limits, now, zone }: Asked,
  isSilent = false,
): string | undefined {
  if (!limits) return undefined;
  const { outlook } = zone.words.point;
  const over = steps.filter((step) => isOver(step, limits));
  const [first] = over;
  const isWhole = quantities.every(
    (name) => limitOf(name, limits) === undefined || steps.every((step) => !Number.isNaN(step[name])),
  );
  if (first) {
    const seconds = over.reduce((sum, step) => sum + step.seconds, 0);
    return outlook.over({
      hours: hoursText(seconds, zone),
      isWhole,
      when: momentText(first.time, now, zone),
    });
  }
  return isWhole && !isSilent ? outlook.within : undefined;
}

/** The limit of a quantity in its unit; undefined if the user has none. */
function limitOf(name: keyof Highest, limits: Limits): number | undefined {
  // At a fixed place it is unknown from which side waves would meet the vessel.
  const names = { wind: "wind_kt", gust: "gust_kt", sea: lowestSeaLimit(limits) } as const;
  return limits[names[name]] ?? undefined;
}

function isOver(step: Step, limits: Limits): boolean {
  const over = (name: keyof Highest, value: number) =>
    value > (limitOf(name, limits) ?? Number.POSITIVE_INFINITY);
  return over("wind", toKnots(step.wind)) || over("gust", toKnots(step.gust)) || over("sea", step.sea);
}

/** Whether the weather after the three days is so much worse that the outlook must mention it. */
function isNotablyWorse(after: readonly Step[], near: readonly Step[], limits: Limits | undefined): boolean {
  const [later, soon] = [highestOf(after), highestOf(near)];
  const strengthens = (one: number, other: number) => {
    const [before, then] = [toBeaufort(Math.max(0, other)), toBeaufort(Math.max(0, one))];
    return then - before >= NOTABLE || [GALE, STRONG].some((force) => before < force && then >= force);
  };
  const isAbove = (steps: readonly Step[]) =>
    limits !== undefined && steps.some((step) => isOver(step, limits));
  return (
    strengthens(later.wind, soon.wind) ||
    strengthens(later.gust, soon.gust) ||
    // Either value is −Infinity if it is unknown.
    later.sea >= Math.max(0, soon.sea) + NOTABLE_SEA_M ||
    (isAbove(after) && !isAbove(near))
  );
}

/** A time as `Thu 15:00`, or `Thu 15 15:00` if the weekday would be ambiguous. @param now Unix seconds. */
export function momentText(time: number, now: number, zone: Zone): string {
  return `${dayText(time, now, zone)} ${formatClock(time, zone)}`;
}

/** The day of a time as `Thu`, or `Thu 15` if the weekday would be ambiguous. @param now Unix seconds. */
export function dayText(time: number, now: number, zone: Zone): string {
  return time - now < WEEK_S
    ? zone.words.dates.days[weekdayOf(civilOf(time, zone))]!
    : formatWeekdayDay(time, zone);
}
