import { normaliseLongitude } from "#lib/field/grid.ts";
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

/** What calendar and clock of a zone show at a time, Unix seconds. */
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

/** An instant, and what is odd about the clock time that it was found for. */
interface FoundInstant {
  /** Unix seconds. */
  time: number;
  /** `skipped`: the clock was put forward over it; `twice`: it was put back, and the first of the two is meant. */
  oddity?: "skipped" | "twice";
}

/** When the clock of a zone shows a time; a skipped one is taken as much later as the clock was put forward. */
export function instantOf({ year, month, day, hour, minute }: Civil, zone: Zone): FoundInstant {
  const wall = Date.UTC(year, month - 1, day, hour, minute) / 1000;
  // No zone is put forward or back twice within two days.
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

/** The date some months later, or the last day of that month. */
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
 * The starts of all days that begin within a span, by the clock of a zone, ascending, Unix seconds.
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

/** The same clock time some days later, Unix seconds: 23 or 25 hours a day where the clock is changed. */
export function sameClock(time: number, days: number, zone: Zone): number {
  const civil = civilOf(time, zone);
  const moved = instantOf({ ...civil, ...addDays(civil, days) }, zone).time;
  // Seconds, which a clock time here does not have.
  return moved + (time % 60);
}

/** Clocks to write times in: UTC, the one of the device, the nautical zone of the ship's longitude. */
export const zones = ["utc", "local", "ship"] as const;

type ZoneName = (typeof zones)[number];

/** A clock that times are written in, and in which words: those of late parts (lib/messages/words.ts) where the reader needs them. */
export interface Zone<P extends LatePart = never> {
  words: WordsWith<P>;
  /** Seconds ahead of UTC. @param time Unix seconds. */
  offset(time: number): number;
  /** `UTC`, `UTC+2`, `UTC−3:30`. */
  label(time: number): string;
}

const noOffset = () => 0;
const utcLabel = () => "UTC";

export const utc: Zone = { words: en, offset: noOffset, label: utcLabel };

/**
 * The clock with a name.
 *
 * @param longitude Of the ship, degrees east: zones at sea are 15° wide, the first is centred on Greenwich.
 */
export function zoneOf<W extends Words>(name: ZoneName, longitude: number, words: W): Zone & { words: W } {
  // Not from `utc`, whose English words would come with it into the script of the first number.
  if (name === "utc") return { words, offset: noOffset, label: utcLabel };
  const nautical = Math.round(normaliseLongitude(longitude) / 15) * 3600;
  const offset = (time: number) =>
    name === "ship" ? nautical : -60 * new Date(time * 1000).getTimezoneOffset();
  return zoneWith(offset, words);
}

/** A clock by how far it is ahead of UTC, seconds, at a time. */
export function zoneWith<W extends Words>(offset: Zone["offset"], words: W): Zone & { words: W } {
  return { words, offset, label: (time) => offsetText(offset(time)) };
}
