import { rhumbBetween, rhumbDestination } from "#lib/geo/rhumb.ts";
import type { Place } from "#lib/geo/sphere.ts";

/** A moving vessel, or a fixed place. */
export interface Vessel {
  /** Unix seconds. */
  begins: number;
  ends: number;
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
    at(time) {
      const next = waypoints.findIndex((waypoint) => waypoint.time >= time);
      if (next <= 0) return next === 0 ? first : last;
      const [from, to] = [waypoints[next - 1]!, waypoints[next]!];
      return rhumbBetween(from, to, (time - from.time) / (to.time - from.time));
    },
  };
}
