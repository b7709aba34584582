import { rhumbBetween, rhumbDestination } from "#lib/geo/rhumb.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { countUntil } from "./track-at.ts";

/** A moving vessel, or a fixed place. */
export interface Vessel {
  /** Unix seconds. */
  begins: number;
  ends: number;
  /** When it changes course or speed, ascending, Unix seconds. */
  turns: readonly number[];
  /** @param time Within begins..ends. */
  at(time: number): Place;
}

/**
 * A vessel on a constant course.
 *
 * @param course Degrees clockwise from true north, TO.
 * @param speed Km/h; 0 for a fixed place.
 */
export function steering(from: Place, begins: number, course: number, speed: number): Vessel {
  return {
    begins,
    ends: Number.POSITIVE_INFINITY,
    turns: [],
    at: (time) => rhumbDestination(from, course, (speed * (time - begins)) / 3600),
  };
}

/** A waypoint with the time of passing it, Unix seconds. */
export interface Waypoint extends Place {
  time: number;
}

/** A vessel on a route: rhumb lines from waypoint to waypoint. @param waypoints At least one, ascending in time. */
export function onRoute(waypoints: readonly Waypoint[]): Vessel {
  const [first, last] = [waypoints[0]!, waypoints.at(-1)!];
  return {
    begins: first.time,
    ends: last.time,
    turns: waypoints.slice(1, -1).map(({ time }) => time),
    at(time) {
      if (time <= first.time) return first;
      const next = countUntil(waypoints, time);
      if (next === waypoints.length) return last;
      const [from, to] = [waypoints[next - 1]!, waypoints[next]!];
      return rhumbBetween(from, to, (time - from.time) / (to.time - from.time));
    },
  };
}

/** The rest of a voyage. It is over if it ends before. @param from Unix seconds. */
export function since(vessel: Vessel, from: number): Vessel {
  const begins = Math.max(vessel.begins, from);
  return { ...vessel, begins, turns: vessel.turns.filter((time) => time > begins) };
}
