import { DAY_S, parseInstant } from "#lib/time.ts";

/**
 * Parses a time of a query: a UTC instant, or a day, which begins at midnight on the clocks of a place.
 *
 * @param timezone IANA name.
 * @returns Unix seconds.
 */
export function instantAt(text: string, timezone: string): number {
  return text.length === 10 ? startOfLocalDay(text, timezone) : parseInstant(text);
}

/** The first instant of a day; it is 01:00 if clocks are set forward at midnight. @param day `YYYY-MM-DD`. */
export function startOfLocalDay(day: string, timezone: string): number {
  const utc = parseInstant(`${day}T00:00:00Z`);
  // The offset in the first hour of a day may still be that of the previous day.
  const offsets = [utc - DAY_S, utc, utc + DAY_S].map((time) => offsetAt(time, timezone));
  const starts = offsets.map((offset) => utc - offset).filter((time) => localTime(time, timezone) === utc);
  return starts.length > 0 ? Math.min(...starts) : utc - Math.min(...offsets);
}

/** The following day, `YYYY-MM-DD`. */
export function dayAfter(day: string): string {
  return new Date((parseInstant(`${day}T00:00:00Z`) + DAY_S) * 1000).toISOString().slice(0, 10);
}

/** Seconds that local clocks are ahead of UTC. @param time Unix seconds. */
export function offsetAt(time: number, timezone: string): number {
  return localTime(time, timezone) - Math.floor(time);
}

/** Local clock time as if it were UTC, Unix seconds. */
function localTime(time: number, timezone: string): number {
  const parts = new Intl.DateTimeFormat("en", {
    timeZone: timezone,
    hourCycle: "h23",
    year: "numeric",
    month: "numeric",
    day: "numeric",
    hour: "numeric",
    minute: "numeric",
    second: "numeric",
  }).formatToParts(time * 1000);
  const at = Object.fromEntries(parts.map(({ type, value }) => [type, Number(value)]));
  return Date.UTC(at.year!, at.month! - 1, at.day, at.hour, at.minute, at.second) / 1000;
}
