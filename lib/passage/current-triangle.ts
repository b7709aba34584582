import { RADIANS } from "#lib/geo/sphere.ts";
import { turned } from "./angle.ts";

/** A boat in a current: what it steers to stay on its course over ground. Speeds in knots. */
export interface Triangle {
  /** Heading through the water, degrees clockwise from true north, TO. */
  heading: number;
  /** Speed over ground along the course. */
  sog: number;
}

/** Below this speed over ground, knots, a boat does not get on. */
export const SLOWEST_SOG = 0.1;

/** The parts of a current along a course and across it, positive to starboard; in the unit of `drift`. */
export function currentParts(course: number, set: number, drift: number): { along: number; across: number } {
  const angle = (set - course) * RADIANS;
  return { along: drift * Math.cos(angle), across: drift * Math.sin(angle) };
}

/**
 * Solves the triangle of speed, current and course over ground (Bowditch, The American Practical Navigator: finding the
 * course to steer through a current). Without leeway.
 *
 * @param course Wanted over ground, degrees, TO.
 * @param stw Speed through the water, knots.
 * @param set Direction of the current, degrees, TO.
 * @param drift Its speed, knots.
 * @returns undefined where the current is stronger than the boat: it sets it off the course or back.
 */
export function steerThrough(course: number, stw: number, set: number, drift: number): Triangle | undefined {
  const { along, across } = currentParts(course, set, drift);
  if (!(Math.abs(across) < stw)) return undefined;
  const sog = Math.sqrt(stw * stw - across * across) + along;
  if (sog < SLOWEST_SOG) return undefined;
  return { heading: turned(course - Math.asin(across / stw) / RADIANS), sog };
}
