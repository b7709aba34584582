import { DAY_S } from "#lib/time.ts";

const YEAR_DAYS = 365.2425;

/** Share of the year gone by, 0..1, from Unix seconds; within a day of the calendar. */
export function yearFraction(time: number): number {
  const years = time / DAY_S / YEAR_DAYS;
  return years - Math.floor(years);
}

/** Northern winter: +1 in mid January, −1 in mid July. */
export function winter(time: number): number {
  return Math.cos(2 * Math.PI * (yearFraction(time) - 0.04));
}

/** Mean solar time, hours in [0, 24). */
export function localHour(time: number, longitude: number): number {
  const hours = time / 3600 + longitude / 15;
  return hours - 24 * Math.floor(hours / 24);
}
