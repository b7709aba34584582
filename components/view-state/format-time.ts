import { utc, type Zone } from "./zone.ts";

const days = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec"];

const on = (time: number, zone: Zone) => new Date((time + zone.offset(time)) * 1000);

/** `Sat 15 Jan 12:00` by a clock, UTC unless said. @param time Unix seconds. */
export function shortTime(time: number, zone: Zone = utc): string {
  return `${dayText(time, zone)} ${clockText(time, zone)}`;
}

/** `Sat 15 Jan`. */
export function dayText(time: number, zone: Zone = utc): string {
  const date = on(time, zone);
  return `${days[date.getUTCDay()]} ${date.getUTCDate()} ${months[date.getUTCMonth()]}`;
}

/** `12:00`. */
export function clockText(time: number, zone: Zone = utc): string {
  return on(time, zone).toISOString().slice(11, 16);
}

/** `Sat 15 Jan 2011 12:00 UTC (+120 h)`: the lead time is counted from the run. @param runTime Unix seconds. */
export function timeText(time: number, runTime?: number, zone: Zone = utc): string {
  const year = on(time, zone).getUTCFullYear();
  const written = `${dayText(time, zone)} ${year} ${clockText(time, zone)} ${zone.label(time)}`;
  if (runTime === undefined) return written;
  const hours = Math.round((time - runTime) / 3600);
  return `${written} (${hours < 0 ? "−" : "+"}${Math.abs(hours)} h)`;
}

/** `now`, `6 h ago`, `in 3 d`: from two days on in days. Unix seconds. */
export function agoText(time: number, now: number): string {
  const hours = Math.round((time - now) / 3600);
  if (hours === 0) return "now";
  const far = Math.abs(hours);
  const span = far < 48 ? `${far} h` : `${Math.round(far / 24).toLocaleString("en")} d`;
  return hours < 0 ? `${span} ago` : `in ${span}`;
}
