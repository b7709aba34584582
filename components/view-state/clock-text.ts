import { formatInstant, parseInstant } from "#lib/time.ts";
import type { Zone } from "./zone.ts";

/** Unix seconds as a datetime-local input has them, to the minute. */
export function toClock(time: number, zone: Zone): string {
  return formatInstant(time + zone.offset(time)).slice(0, 16);
}

/** Inverse of `toClock`; NaN for an invalid text. */
export function fromClock(text: string, zone: Zone): number {
  const shown = parseInstant(`${text.slice(0, 16)}:00Z`);
  return shown - zone.offset(shown - zone.offset(shown));
}
