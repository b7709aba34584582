import type { Words } from "#lib/messages/words.ts";
import { formatInstant } from "#lib/time.ts";
import { type CivilDate, civilOf, weekdayOf, type Zone } from "./civil.ts";

/** A date with the short names of its month and weekday. */
const named = (date: CivilDate, { dates }: Words) => ({
  day: date.day,
  year: date.year,
  month: dates.months[date.month - 1]!,
  weekday: dates.days[weekdayOf(date)]!,
});

/** Short and long names of the weekdays, Monday first. */
export function weekDays({ dates }: Words): { short: string; long: string }[] {
  return [1, 2, 3, 4, 5, 6, 0].map((day) => ({ short: dates.days[day]!, long: dates.longDays[day]! }));
}

/** Formats a date as `Saturday 15 January 2011`. */
export function formatLongDate(date: CivilDate, { dates }: Words): string {
  return dates.longDay({
    weekday: dates.longDays[weekdayOf(date)]!,
    day: date.day,
    month: dates.longMonths[date.month - 1]!,
    year: date.year,
  });
}

/** Formats a month as `January 2011`. */
export function formatMonth(date: Pick<CivilDate, "year" | "month">, { dates }: Words): string {
  return dates.month({ month: dates.longMonths[date.month - 1]!, year: date.year });
}

/** Formats a span of months: `Sep 2023 to Jun 2026`, `Jun to Sep 2026`, `Sep 2026`. */
export function formatMonths(from: CivilDate, to: CivilDate, words: Words): string {
  const { dates } = words;
  const [first, last] = [named(from, words), named(to, words)];
  if (from.year !== to.year)
    return dates.monthSpan({ from: dates.shortMonth(first), to: dates.shortMonth(last) });
  return from.month === to.month
    ? dates.shortMonth(last)
    : dates.monthSpanOfYear({ from: first.month, to: last.month, year: to.year });
}

/** Formats a day as `Sat 15`, for the time bar, which has no space for the month. */
export function formatBarDay(date: CivilDate, words: Words): string {
  return words.dates.barDay(named(date, words));
}

/** Formats a day as `15 Jan`. @param time Unix seconds. */
export function formatMonthDay(time: number, zone: Zone): string {
  return zone.words.dates.monthDay(named(civilOf(time, zone), zone.words));
}

/** Formats a day as `Sat 15`. @param time Unix seconds. */
export function formatWeekdayDay(time: number, zone: Zone): string {
  return formatBarDay(civilOf(time, zone), zone.words);
}

/** Formats a time as `Sat 15 Jan 12:00`. @param time Unix seconds. */
export function formatShortTime(time: number, zone: Zone): string {
  return `${formatDay(time, zone)} ${formatClock(time, zone)}`;
}

/** Formats a time as `Sat 15 Jan 12:00 UTC`. @param time Unix seconds. */
export function formatZonedTime(time: number, zone: Zone): string {
  return `${formatShortTime(time, zone)} ${zone.label(time)}`;
}

/** The two lines of a day on an axis: `Sat`, `15`. */
export function formatAxisDay(time: number, zone: Zone): [weekday: string, day: string] {
  const date = civilOf(time, zone);
  return [zone.words.dates.days[weekdayOf(date)]!, String(date.day)];
}

/** Formats a day as `Sat 15 Jan`. */
export function formatDay(time: number, zone: Zone): string {
  return zone.words.dates.day(named(civilOf(time, zone), zone.words));
}

/** Formats a day as `Sat 15 Jan 2011`. */
export function formatDayOfYear(time: number, zone: Zone): string {
  return zone.words.dates.dayOfYear(named(civilOf(time, zone), zone.words));
}

/**
 * Formats a time as `Sat 15 Jan 12:00`, rounded to a whole hour of the clock, because a storm forecast is not
 * known to the minute.
 *
 * @param time Unix seconds.
 * @param towards Rounding: the nearest hour, the hour before for the earliest arrival, or the hour after for
 * an end.
 */
export function formatHour(time: number, zone: Zone, towards: HourSide = "nearest"): string {
  return formatShortTime(toHour(time, zone, towards), zone);
}

/**
 * Formats a time less than a week ahead as `Sat 12:00`, rounded as in `formatHour`. @param time Unix seconds.
 */
export function formatWeekdayHour(time: number, zone: Zone, towards: HourSide = "nearest"): string {
  return formatWeekdayClock(toHour(time, zone, towards), zone);
}

/** Formats a time less than a week ahead as `Sat 12:40`. @param time Unix seconds. */
export function formatWeekdayClock(time: number, zone: Zone): string {
  return `${zone.words.dates.days[weekdayOf(civilOf(time, zone))]} ${formatClock(time, zone)}`;
}

type HourSide = "nearest" | "before" | "after";

function toHour(time: number, zone: Zone, towards: HourSide): number {
  const round = { nearest: Math.round, before: Math.floor, after: Math.ceil }[towards];
  const offset = zone.offset(time);
  return round((time + offset) / 3600) * 3600 - offset;
}

/** Formats a clock time as `12:00`. */
export function formatClock(time: number, zone: Zone): string {
  const { hour, minute } = civilOf(time, zone);
  return `${String(hour).padStart(2, "0")}:${String(minute).padStart(2, "0")}`;
}

/**
 * Formats a time as `Sat 15 Jan 2011 12:00 UTC (T+120 h)`. The T is needed, because a bare `+120 h` beside a
 * clock time reads as a time zone. @param runTime Base time of the lead time, Unix seconds.
 */
export function formatTime(time: number, runTime: number | undefined, zone: Zone): string {
  const text = `${formatDayOfYear(time, zone)} ${formatClock(time, zone)} ${zone.label(time)}`;
  if (runTime === undefined) return text;
  const hours = Math.round((time - runTime) / 3600);
  return `${text} (T${hours < 0 ? "−" : "+"}${Math.abs(hours)} h)`;
}

/** The same as `formatAge`, in minutes up to 90: `just now`, `12 min ago`, `in 20 min`. Times are Unix seconds. */
export function formatMinutes(time: number, now: number, words: Words): string {
  const { dates } = words;
  const minutes = Math.floor(Math.abs(time - now) / 60);
  if (minutes >= 90) return formatAge(time, now, words);
  if (minutes < 1) return time > now ? dates.now : dates.justNow;
  return time < now
    ? dates.ago({ span: dates.minutes({ count: minutes }) })
    : dates.ahead({ span: dates.minutes({ count: minutes }) });
}

/** Relative time: `now`, `6 h ago`, `in 3 d`, in days beyond two days. Times are Unix seconds. */
export function formatAge(time: number, now: number, words: Words): string {
  const { dates } = words;
  const seconds = Math.abs(time - now);
  if (Math.round(seconds / 3600) === 0) return dates.now;
  const span = formatSpan(seconds, words);
  return time < now ? dates.ago({ span }) : dates.ahead({ span });
}

/** A span such as `6 h`, `3 d`, in days from two days on, in the form that `dates.ago` and `dates.ahead` take. */
export function formatSpan(seconds: number, { dates }: Words): string {
  return spanIn(seconds, dates.daysLong, dates.hours);
}

/** How long something lasts, or how old it is: `6 h`, `3 d`, in days from two days on. */
export function formatLength(seconds: number, { dates }: Words): string {
  return spanIn(seconds, dates.dayCount, dates.hours);
}

function spanIn(
  seconds: number,
  inDays: Words["dates"]["dayCount"],
  inHours: Words["dates"]["hours"],
): string {
  const hours = Math.round(seconds / 3600);
  return hours < 48 ? inHours({ count: hours }) : inDays({ count: Math.round(hours / 24) });
}

/** Formats Unix seconds for a datetime-local input, to the minute. */
export function toClock(time: number, zone: Zone): string {
  return formatInstant(time + zone.offset(time)).slice(0, 16);
}
