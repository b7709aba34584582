import { civilOf, type Zone } from "#components/view-state/civil.ts";
import { formatDay } from "#components/view-state/format-time.ts";
import { readingOf } from "#components/view-state/overlays.ts";
import { inUnit } from "#lib/messages/number.ts";
import { HOUR_S } from "#lib/time.ts";
import { toBeaufort, type Units, unitFor } from "#lib/units.ts";
import { momentText, numberRounded } from "./outlook.ts";
import type { SeriesRow } from "./point-queries.ts";

/** Hours of a model, ascending. All models have the same hours; a wind that a model does not know is null. */
interface ModelHours {
  /** Name for people. */
  title: string;
  rows: readonly SeriesRow[];
}

/** Least Beaufort force of a gale, and of a strong wind, of which the models are counted if none has a gale. */
const [GALE, STRONG] = [8, 6];

/** Models whose winds begin within this time of each other are counted together, seconds. */
const TOGETHER_S = 12 * HOUR_S;

interface TitledTime {
  title: string;
  /** Unix seconds. */
  time: number;
}

/** Models by when they have gales, or strong winds if none has a gale. Each model is in exactly one list. */
export interface Agreement {
  /** Least Beaufort force that is counted. */
  force: number;
  /** Models that have it in an hour before `until`. If there are none, `never` is counted up to `until` instead. */
  have: string[];
  /** Unix seconds. */
  until: number;
  /** Models that have it later. They know all hours before their time, which have none. */
  later: TitledTime[];
  /** Models that have it in no hour that they know. They know all hours before their time. */
  never: TitledTime[];
  /** Models that do not know all hours before `until`, and have none in those that they know. */
  unknown: string[];
}

/**
 * Counts what models say about the coming hours. It says nothing about how likely that is.
 *
 * @param models Those that forecast the wind.
 * @param now Weather clock, Unix seconds; hours that have ended are ignored.
 * @returns undefined if no model knows the present wind, and none has a strong wind later.
 */
export function agreementOf(models: readonly ModelHours[], now: number): Agreement | undefined {
  const winds = models.map(({ title, rows }) => ({ title, hours: comingWinds(rows, now) }));
  const hasGale = winds.some(({ hours }) => hours.some(({ wind }) => toBeaufort(wind) >= GALE));
  const force = hasGale ? GALE : STRONG;
  const isOver = (wind: number) => toBeaufort(wind) >= force;
  const said = winds.map(({ title, hours }) => {
    const first = hours.find(({ wind }) => isOver(wind))?.time;
    // All hours before this one are known, and below the limit.
    const end = hours.find(({ wind }) => !(wind >= 0) || isOver(wind))?.time;
    return {
      title,
      first,
      clearUntil: end ?? (hours.at(-1)?.time ?? Number.NEGATIVE_INFINITY) + HOUR_S,
      hours,
    };
  });
  const over = said.flatMap(({ first }) => first ?? []).sort((one, other) => one - other);
  const until = over[0] === undefined ? calmUntil(said) : endOfFirst(over);
  if (until === undefined) return undefined;
  const counted: Agreement = { force, have: [], until, later: [], never: [], unknown: [] };
  for (const { title, first, clearUntil } of said) {
    if (first !== undefined && first < until) counted.have.push(title);
    else if (clearUntil < until) counted.unknown.push(title);
    else if (first === undefined) counted.never.push({ title, time: clearUntil });
    else counted.later.push({ title, time: clearUntil });
  }
  return counted;
}

/** Wind by hour, m s-1; NaN if it is unknown. */
function comingWinds(rows: readonly SeriesRow[], now: number): { time: number; wind: number }[] {
  return rows
    .filter(({ time }) => time > now - HOUR_S)
    .map(({ time, conditions }) => ({ time, wind: conditions.Winds_10m_Intensity ?? Number.NaN }));
}

/** The whole hour after the last of the times that follow each other closely. @param times Ascending. */
function endOfFirst(times: readonly number[]): number {
  const parted = times.findIndex((time, index) => index > 0 && time - times[index - 1]! > TOGETHER_S);
  return (parted < 0 ? times.at(-1)! : times[parted - 1]!) + HOUR_S;
}

/** The last hour that at least half of the models know without a gap. */
function calmUntil(said: readonly { clearUntil: number; hours: readonly { time: number }[] }[]) {
  const ends = said
    .filter(({ clearUntil, hours }) => clearUntil > (hours[0]?.time ?? Number.POSITIVE_INFINITY))
    .map(({ clearUntil }) => clearUntil)
    .sort((one, other) => other - one);
  return ends[Math.ceil(ends.length / 2) - 1];
}

/** Models up to which a minority is named; more are counted. */
const NAMED = 2;

/**
 * The agreement as a sentence: `4 of 5 models have F8 or more before Thu 18:00; ECMWF none before Fri 06:00.`
 *
 * @param now Weather clock, Unix seconds.
 */
export function agreementText(
  { force, have, until, later, never, unknown }: Agreement,
  now: number,
  zone: Zone<"models">,
): string {
  const { models, ui } = zone.words;
  const at = (time: number) => momentText(time, now, zone);
  const total = have.length + later.length + never.length + unknown.length;
  const calm = have.length === 0;
  const named = have.length <= NAMED && have.length * 2 < total ? have.join(ui.joins.and) : undefined;
  const rest = (of: readonly TitledTime[], kind: "later" | "never") =>
    groupsOf(of).map(({ titles, time }) =>
      models.none({
        names: titles?.join(ui.joins.and),
        count: of.length,
        kind,
        time: at(time),
      }),
    );
  return models.sentence({
    first: calm
      ? models.calm({ isAll: unknown.length === 0, count: never.length, total, time: at(until) })
      : models.have({
          isAll: have.length === total,
          count: have.length,
          total,
          force,
          time: until - HOUR_S <= now ? undefined : at(until),
          names: named,
        }),
    others: calm
      ? undefined
      : [...rest(later, "later"), ...rest(never, "never")].join(ui.joins.clauses) || undefined,
    unknown: unknown.join(ui.joins.list) || undefined,
  });
}

/** A few models by name, those with the same time together; more as one group with the earliest time. */
function groupsOf(of: readonly TitledTime[]): { titles?: string[]; time: number }[] {
  if (of.length > NAMED) return [{ time: Math.min(...of.map(({ time }) => time)) }];
  const times = [...new Set(of.map(({ time }) => time))].sort((one, other) => one - other);
  return times.map((time) => ({
    time,
    titles: of.filter((one) => one.time === time).map(({ title }) => title),
  }));
}

/** The strongest wind that models have on a day. */
export interface DayWinds {
  /** Strongest wind, m s-1, of each model that knows all hours of the day that are ahead; ascending. */
  known: { title: string; wind: number }[];
  unknown: string[];
}

/**
 * The strongest winds of the rest of a calendar day.
 *
 * @param models Those that forecast the wind.
 * @param time A time of the day, Unix seconds.
 * @param now Weather clock, Unix seconds.
 * @returns undefined if the day is over, or is not wholly within the hours of the models.
 */
export function dayWinds(
  models: readonly ModelHours[],
  time: number,
  now: number,
  zone: Zone,
): DayWinds | undefined {
  const dayOf = (of: number) => {
    const { year, month, day } = civilOf(of, zone);
    return Date.UTC(year, month - 1, day);
  };
  const day = dayOf(time);
  const winds: DayWinds = { known: [], unknown: [] };
  for (const { title, rows } of models) {
    const coming = comingWinds(rows, now);
    const hours = coming.filter((hour) => dayOf(hour.time) === day);
    const last = coming.at(-1);
    if (hours.length === 0 || !last || dayOf(last.time) <= day) return undefined;
    const wind = Math.max(...hours.map((hour) => hour.wind));
    if (Number.isNaN(wind)) winds.unknown.push(title);
    else winds.known.push({ title, wind });
  }
  winds.known.sort((one, other) => one.wind - other.wind);
  return winds;
}

/**
 * The range of the strongest winds as a line: `Thu 3 Dec: strongest wind 20 kn (GFS) to 34 kn (ECMWF)`. Numbers are
 * rounded up.
 *
 * @param time A time of the day, Unix seconds.
 * @returns undefined if fewer than two models know the day.
 */
export function dayText(
  { known, unknown }: DayWinds,
  time: number,
  units: Units,
  zone: Zone<"models">,
): string | undefined {
  const { words } = zone;
  const [least, most] = [known[0], known.at(-1)];
  if (!least || !most || least === most) return undefined;
  const unit = unitFor("m/s", units, readingOf("wind"), words);
  const text = ({ wind }: { wind: number }) => inUnit(numberRounded(wind, unit, "up"), unit.symbol, words);
  return words.models.day({
    day: formatDay(time, zone),
    count: known.length,
    least: text(least) === text(most) ? undefined : text(least),
    leastModel: least.title,
    most: text(most),
    mostModel: most.title,
    unknown: unknown.join(words.ui.joins.list) || undefined,
  });
}
