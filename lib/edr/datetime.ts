import { parseInstant } from "#lib/time.ts";
import { EdrQueryError } from "./query-error.ts";

/** Times of a query, Unix seconds. An open end is infinite. */
export interface TimeRange {
  from: number;
  to: number;
  /** One time, rather than a range. */
  isInstant: boolean;
}

const FORM = /^(\d{4}-\d{2}-\d{2})T(\d{2}:\d{2})(?::(\d{2})(?:\.\d{1,9})?)?(Z|[+ -]\d{2}:\d{2})$/i;
const DAY = /^\d{4}-\d{2}-\d{2}$/;

const expected =
  "should be a time such as 2026-01-01T00:00:00Z, a day such as 2026-01-01, or a range: 2026-01-01T00:00:00Z/2026-01-02T00:00:00Z, ../… or …/..";

/**
 * Reads the parameter `datetime` (RFC 3339, 5.6): an instant, a day, or an interval whose open ends are `..` or nothing. Seconds
 * may be left out, fractions of them are dropped, offsets of zones are taken. A day is all of it, of UTC.
 *
 * @returns All times where it is absent. Throws `EdrQueryError`.
 */
export function readDatetime(text: string | undefined): TimeRange {
  if (text === undefined) return { from: -Infinity, to: Infinity, isInstant: false };
  const parts = text.split("/", 3);
  if (parts.length === 1 && DAY.test(text.trim())) parts.push(text);
  if (parts.length === 1) {
    const at = instant(parts[0]!);
    return { from: at, to: at, isInstant: true };
  }
  if (parts.length > 2) throw new EdrQueryError(`datetime: ${expected}`);
  const [start = "", end = ""] = parts.map((part) => part.trim());
  if (start === "" && end === "") throw new EdrQueryError(`datetime: ${expected}`);
  const isOpen = (part: string) => part === ".." || part === "";
  const from = isOpen(start) ? -Infinity : instant(start);
  const to = isOpen(end) ? Infinity : instant(end, "23:59:59");
  if (from > to) throw new EdrQueryError("datetime: the start of a range should not be after its end");
  return { from, to, isInstant: false };
}

/** @param timeOfDay That of a day without one. */
function instant(text: string, timeOfDay = "00:00:00"): number {
  const whole = DAY.test(text.trim()) ? `${text.trim()}T${timeOfDay}Z` : text.trim();
  const [, day, minutes, seconds = "00", zone = "Z"] = FORM.exec(whole) ?? [];
  const local = day === undefined ? Number.NaN : parseInstant(`${day}T${minutes}:${seconds}Z`);
  const offset = offsetOf(zone);
  if (Number.isNaN(local - offset)) throw new EdrQueryError(`datetime: ${expected}`);
  return local - offset;
}

/** Seconds ahead of UTC. A plus sign that was not encoded arrives as a space. */
function offsetOf(zone: string): number {
  if (zone.toUpperCase() === "Z") return 0;
  const [hours = Number.NaN, minutes = Number.NaN] = zone.slice(1).split(":").map(Number);
  if (!(hours <= 23 && minutes <= 59)) return Number.NaN;
  return (zone.startsWith("-") ? -1 : 1) * (3600 * hours + 60 * minutes);
}
