const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}Z$/;

/** Seconds of an hour. */
export const HOUR_S = 3600;
/** Seconds of a day. */
export const DAY_S = 24 * HOUR_S;

/**
 * Parses `YYYY-MM-DDThh:mm:ssZ` and no other form. Digits are parsed one by one for speed, because a request
 * has one time per point.
 *
 * @returns Unix seconds; NaN for another form or an instant that does not exist (30 February, 24:00).
 */
export function parseInstant(text: string): number {
  if (text.length !== 20 || !INSTANT.test(text)) return Number.NaN;
  const year = 100 * twoDigits(text, 0) + twoDigits(text, 2);
  const month = twoDigits(text, 5);
  const day = twoDigits(text, 8);
  const hour = twoDigits(text, 11);
  const minute = twoDigits(text, 14);
  const second = twoDigits(text, 17);
  if (month < 1 || month > 12 || day < 1 || day > daysInMonth(year, month)) return Number.NaN;
  if (hour > 23 || minute > 59 || second > 59) return Number.NaN;
  return daysSince1970(year, month, day) * DAY_S + hour * 3600 + minute * 60 + second;
}

function twoDigits(text: string, at: number): number {
  return 10 * (text.charCodeAt(at) - 48) + text.charCodeAt(at + 1) - 48;
}

function daysInMonth(year: number, month: number): number {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28;
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31;
}

/**
 * Days since 1970-01-01, proleptic Gregorian. Years begin in March, so that the leap day is the last day of a
 * year.
 */
function daysSince1970(year: number, month: number, day: number): number {
  const marchYear = month <= 2 ? year - 1 : year;
  const century = Math.floor(marchYear / 100);
  const yearOfCentury = marchYear - 100 * century;
  const dayOfYear = Math.floor((153 * ((month + 9) % 12) + 2) / 5) + day - 1;
  return Math.floor((146_097 * century) / 4) + Math.floor((1461 * yearOfCentury) / 4) + dayOfYear - 719_468;
}

/** Start of a time's UTC day. @param seconds Unix seconds. */
export function startOfDay(seconds: number): number {
  return Math.floor(seconds / DAY_S) * DAY_S;
}

/** Formats Unix seconds as `YYYY-MM-DDThh:mm:ssZ`. */
export function formatInstant(seconds: number): string {
  return `${new Date(seconds * 1000).toISOString().slice(0, 19)}Z`;
}

/**
 * The same day and time of day `months` calendar months earlier, in UTC; the last day of the month if that
 * day does not exist.
 *
 * @param seconds Unix seconds.
 * @returns Unix seconds.
 */
export function monthsBefore(seconds: number, months: number): number {
  const last = lastAsked.get(months);
  if (last?.seconds === seconds) return last.before;
  const before = calendarMonthsBefore(seconds, months);
  lastAsked.set(months, { seconds, before });
  return before;
}

/** Last result by number of months, because every point of a request asks for the same. */
const lastAsked = new Map<number, { seconds: number; before: number }>();

function calendarMonthsBefore(seconds: number, months: number): number {
  const from = new Date(seconds * 1000);
  const day = from.getUTCDate();
  const to = new Date(from);
  to.setUTCDate(1);
  to.setUTCMonth(to.getUTCMonth() - months);
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate();
  to.setUTCDate(Math.min(day, lastDay));
  return to.getTime() / 1000;
}

/** Text such as `UTC`, `UTC+5:30`. @param seconds How far clocks are ahead of UTC. */
export function offsetText(seconds: number): string {
  if (seconds === 0) return "UTC";
  const minutes = Math.abs(seconds) / 60;
  const rest = minutes % 60 ? `:${String(minutes % 60).padStart(2, "0")}` : "";
  return `UTC${seconds < 0 ? "−" : "+"}${Math.floor(minutes / 60)}${rest}`;
}
