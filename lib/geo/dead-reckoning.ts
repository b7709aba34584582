import { rhumbDestination } from "./rhumb.ts";
import { MILE_KM, type Place } from "./sphere.ts";

/** A ship's position at a time, and how it goes on from there. */
export interface Fix extends Place {
  /** Unix seconds. */
  time: number;
  /** True course, degrees clockwise from north, TO, 0..360. */
  course: number;
  /** Over ground, kn; 0 at anchor. */
  speed: number;
}

/** Age from which on a fix is stale, seconds: a ship has one for each watch, and a noon position each day. */
export const STALE_FIX_S = 12 * 3600;

/** How far the clock of a device may be ahead, seconds. */
const CLOCK_ERROR_S = 120;

/** Whether a fix is of a time to come: the ship is not there yet, and where it is now is not known. */
export function isPlanned(fix: Fix, now: number): boolean {
  return fix.time > now + CLOCK_ERROR_S;
}

/** Hours between the marks of a ship's way ahead, and to its end. */
const MARK_H = 6;
const AHEAD_H = 24;

/**
 * Where dead reckoning puts a ship: on the rhumb line of its course, at its speed. A course over a pole ends there.
 *
 * @param time Unix seconds; before the fix nothing is known but the fix.
 */
export function reckoned(fix: Fix, time: number): Place {
  const hours = Math.max(0, time - fix.time) / 3600;
  if (fix.speed === 0 || hours === 0) return { latitude: fix.latitude, longitude: fix.longitude };
  return rhumbDestination(fix, fix.course, fix.speed * MILE_KM * hours);
}

/** A ship at a time of its way ahead. */
export interface Reckoned extends Place {
  time: number;
  /** Hours from the beginning of the way. */
  hours: number;
}

/**
 * The way of the next 24 hours, from hour to hour, since a rhumb line is straight on no map but Mercator's; and its marks
 * at each sixth hour. Both are empty at anchor.
 *
 * @param time Beginning, Unix seconds; not before the fix.
 */
export function wayAhead(fix: Fix, time: number): { way: Reckoned[]; marks: Reckoned[] } {
  if (fix.speed === 0) return { way: [], marks: [] };
  const begins = Math.max(time, fix.time);
  const way = Array.from({ length: AHEAD_H + 1 }, (_, hours) => {
    const at = begins + hours * 3600;
    return { ...reckoned(fix, at), time: at, hours };
  });
  return { way, marks: way.filter(({ hours }) => hours > 0 && hours % MARK_H === 0) };
}
