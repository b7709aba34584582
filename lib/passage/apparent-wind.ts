import { towards, turned, velocity } from "./angle.ts";

/** A wind: knots, and the direction that it comes FROM, degrees clockwise from true north. */
export interface Wind {
  knots: number;
  from: number;
}

/**
 * The wind that is felt where something moves: the true wind less the motion.
 *
 * @param wind Over ground (or over water, with a motion through it).
 * @param towardsDeg Direction of the motion, TO: the course over ground, not the heading.
 * @param speed Of the motion, knots.
 */
export function windFelt(wind: Wind, towardsDeg: number, speed: number): Wind {
  const [windNorth, windEast] = velocity(wind.knots, wind.from + 180);
  const [north, east] = velocity(speed, towardsDeg);
  const felt = [windNorth - north, windEast - east] as const;
  return { knots: Math.hypot(...felt), from: turned(towards(felt) + 180) };
}
