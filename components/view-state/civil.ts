import { normaliseLongitude } from "@open-metocean/geo/grid";
import { en } from "#lib/messages/generated/en.ts";
import type { LatePart, Words, WordsWith } from "#lib/messages/words.ts";
import { DAY_S, offsetText } from "#lib/time.ts";

export interface CivilDate {
  year: number;
  month: number;
  day: number;
}

export interface Civil extends CivilDate {
  hour: number;
  minute: number;
}

/** Calendar date and clock time of a zone at a time, Unix seconds. */
export function civilOf(time: number, zone: Zone): Civil {
  const date = new Date((time + zone.offset(time)) * 1000);
  return {
    year: date.getUTCFullYear(),
    month: date.getUTCMonth() + 1,
    day: date.getUTCDate(),
    hour: date.getUTCHours(),
    minute: date.getUTCMinutes(),
  };
}

/** An instant, and the irregularity of the clock time from which it was found. */
interface FoundInstant {
  /** Unix seconds. */
  time: number;
  /**
   * `skipped`: the clock was set forward past it; `twice`: the clock was set back, and the first of the two
   * is meant.
   */
  oddity?: "skipped" | "twice";
}

/**
 * The instant at which the clock of a zone shows a time. A skipped time is moved later by as much as the
 * clock was set forward.
 */
export function instantOf({ year, month, day, hour, minute }: Civil, zone: Zone): FoundInstant {
  const wall = Date.UTC(year, month - 1, day, hour, minute) / 1000;
  // No zone changes its clock twice within two days.
  const before = wall - zone.offset(wall - DAY_S);
  const after = wall - zone.offset(wall + DAY_S);
  const shows = (time: number) => time + zone.offset(time) === wall;
  if (shows(before))
    return before !== after && shows(after) ? { time: before, oddity: "twice" } : { time: before };
  return shows(after) ? { time: after } : { time: before, oddity: "skipped" };
}

export function isDate({ year, month, day }: CivilDate): boolean {
  const date = new Date(Date.UTC(year, month - 1, day));
  return date.getUTCMonth() === month - 1 && date.getUTCDate() === day;
}

export function addDays({ year, month, day }: CivilDate, days: number): CivilDate {
  const date = new Date(Date.UTC(year, month - 1, day + days));
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() };
}

/** The date some months later, at most the last day of that month. */
export function addMonths({ year, month, day }: CivilDate, months: number): CivilDate {
  const first = new Date(Date.UTC(year, month - 1 + months, 1));
  const [toYear, toMonth] = [first.getUTCFullYear(), first.getUTCMonth() + 1];
  const last = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate();
  return { year: toYear, month: toMonth, day: Math.min(day, last) };
}

export function daysFrom(one: CivilDate, other: CivilDate): number {
  const days = ({ year, month, day }: CivilDate) => Date.UTC(year, month - 1, day) / (1000 * DAY_S);
  return days(other) - days(one);
}

/** 0 Sunday .. 6 Saturday. */
export function weekdayOf({ year, month, day }: CivilDate): number {
  return new Date(Date.UTC(year, month - 1, day)).getUTCDay();
}

/** First instant of a day, Unix seconds. */
export function startOf(date: CivilDate, zone: Zone): number {
  return instantOf({ ...date, hour: 0, minute: 0 }, zone).time;
}

/**
 * The starts of all days that begin within a span, in a time zone, ascending, Unix seconds.
 *
 * @param from First instant of the span, Unix seconds.
 */
export function dayStartsWithin(from: number, to: number, zone: Zone): number[] {
  const starts: number[] = [];
  for (let date: CivilDate = civilOf(from, zone); ; date = addDays(date, 1)) {
    const start = startOf(date, zone);
    if (start > to) return starts;
    if (start >= from) starts.push(start);
  }
}

/** A calendar day, from its first instant to that of the next day, Unix seconds. */
export interface Day {
  date: CivilDate;
  from: number;
  to: number;
}

/** The days of a time zone that a span touches, ascending, Unix seconds. @param to End of the span, exclusive. */
export function daysWithin(from: number, to: number, zone: Zone): Day[] {
  const days: Day[] = [];
  let date: CivilDate = civilOf(from, zone);
  for (let start = startOf(date, zone); start < to; ) {
    const next = addDays(date, 1);
    const end = startOf(next, zone);
    days.push({ date, from: start, to: end });
    [date, start] = [next, end];
  }
  return days;
}

/** The same clock time some days later, Unix seconds; a day has 23 or 25 hours if the clock changes. */
export function sameClock(time: number, days: number, zone: Zone): number {
  const civil = civilOf(time, zone);
  const moved = instantOf({ ...civil, ...addDays(civil, days) }, zone).time;
  // Clock times have no seconds, so they are added back.
  return moved + (time % 60);
}

/**
 * Time zones in which times can be written: UTC, that of the device, and the nautical zone of the ship's
 * longitude.
 */
export const zones = ["utc", "local", "ship"] as const;

type ZoneName = (typeof zones)[number];

/**
 * A time zone in which times are written, with the words for them, including the late parts
 * (lib/messages/words.ts) that the reader needs.
 */
export interface Zone<P extends LatePart = never> {
  words: WordsWith<P>;
  /** Seconds ahead of UTC. @param time Unix seconds. */
  offset(time: number): number;
  /** Label of the offset: `UTC`, `UTC+2`, `UTC−3:30`. */
  label(time: number): string;
}

const noOffset = () => 0;
const utcLabel = () => "UTC";

export const utc: Zone = { words: en, offset: noOffset, label: utcLabel };

/**
 * The time zone with a name.
 *
 * @param longitude Longitude of the ship, degrees east; zones at sea are 15° wide, and the first is centred
 * on Greenwich.
 */
export function zoneOf<W extends Words>(name: ZoneName, longitude: number, words: W): Zone & { words: W } {
  // The constant `utc` is not used, because its English words would become part of the script of the first
  // number.
  if (name === "utc") return { words, offset: noOffset, label: utcLabel };
  const nautical = Math.round(normaliseLongitude(longitude) / 15) * 3600;
  const offset = (time: number) =>
    name === "ship" ? nautical : -60 * new Date(time * 1000).getTimezoneOffset();
  return zoneWith(offset, words);
}

/** A time zone by its offset from UTC at a time, seconds. */
export function zoneWith<W extends Words>(offset: Zone["offset"], words: W): Zone & { words: W } {
  return { words, offset, label: (time) => offsetText(offset(time)) };
}
