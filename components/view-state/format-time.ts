import { type CivilDate, weekdayOf } from "./civil.ts";
import { utc, type Zone } from "./zone.ts";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const longDays = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"];
const longMonths = [
  "January",
  "February",
  "March",
  "April",
  "May",
  "June",
  "July",
  "August",
  "September",
  "October",
  "November",
  "December",
];

/** Names of the days of the week, short and long, Monday first. */
export const weekDays = [1, 2, 3, 4, 5, 6, 0].map((day) => ({
  short: days[day] ?? "",
  long: longDays[day] ?? "",
}));

/** `Saturday 15 January 2011`. */
export function formatLongDate(date: CivilDate): string {
  return `${longDays[weekdayOf(date)]} ${date.day} ${formatMonth(date)}`;
}

/** `January 2011`. */
export function formatMonth({ year, month }: Pick<CivilDate, "year" | "month">): string {
  return `${longMonths[month - 1]} ${year}`;
}

/** `Sep 2023 to Jun 2026`, `Jun to Sep 2026`, `Sep 2026`. */
export function formatMonths(from: CivilDate, to: CivilDate): string {
  const end = `${months[to.month - 1]} ${to.year}`;
  if (from.year !== to.year) return `${months[from.month - 1]} ${from.year} to ${end}`;
  return from.month === to.month ? end : `${months[from.month - 1]} to ${end}`;
}

/** `Sat 15`: of the time bar, where there is no room for the month. */
export function formatBarDay(date: CivilDate): string {
  return `${days[weekdayOf(date)]} ${date.day}`;
}

const shifted = (time: number, zone: Zone) => new Date((time + zone.offset(time)) * 1000);

/** `Sat 15 Jan 12:00`. @param time Unix seconds. */
export function formatShortTime(time: number, zone: Zone = utc): string {
  return `${formatDay(time, zone)} ${formatClock(time, zone)}`;
}

/** `Sat 15 Jan`. */
export function formatDay(time: number, zone: Zone = utc): string {
  const date = shifted(time, zone);
  return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/**
 * `Sat 15 Jan 12:00`, to the whole hour of the clock: a forecast of a storm is not known to the minute.
 *
 * @param time Unix seconds.
 * @param towards Which hour: the nearest, that before for what may come at the earliest, that after for what may be over.
 */
export function formatHour(
  time: number,
  zone: Zone = utc,
  towards: "nearest" | "before" | "after" = "nearest",
): string {
  const round = { nearest: Math.round, before: Math.floor, after: Math.ceil }[towards];
  const offset = zone.offset(time);
  return formatShortTime(round((time + offset) / 3600) * 3600 - offset, zone);
}

/** `12:00`. */
export function formatClock(time: number, zone: Zone = utc): string {
  return shifted(time, zone).toISOString().slice(11, 16);
}

/** `Sat 15 Jan 2011 12:00 UTC (+120 h)`. @param runTime Base time of the lead time, Unix seconds. */
export function formatTime(time: number, runTime?: number, zone: Zone = utc): string {
  const year = shifted(time, zone).getUTCFullYear();
  const text = `${formatDay(time, zone)} ${year} ${formatClock(time, zone)} ${zone.label(time)}`;
  if (runTime === undefined) return text;
  const hours = Math.round((time - runTime) / 3600);
  return `${text} (${hours < 0 ? "−" : "+"}${Math.abs(hours)} h)`;
}

/** As `formatAge`, in minutes up to 90: `just now`, `12 min ago`, `in 20 min`. Unix seconds. */
export function formatMinutes(time: number, now: number): string {
  const minutes = Math.floor(Math.abs(time - now) / 60);
  if (minutes >= 90) return formatAge(time, now);
  if (minutes < 1) return time > now ? "now" : "just now";
  return time < now ? `${minutes} min ago` : `in ${minutes} min`;
}

/** `now`, `6 h ago`, `in 3 d`: in days beyond two days. Unix seconds. */
export function formatAge(time: number, now: number): string {
  const hours = Math.round(Math.abs(time - now) / 3600);
  if (hours === 0) return "now";
  const span = hours < 48 ? `${hours} h` : `${Math.round(hours / 24).toLocaleString("en")} d`;
  return time < now ? `${span} ago` : `in ${span}`;
}
