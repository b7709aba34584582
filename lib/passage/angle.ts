import { RADIANS } from "#lib/geo/sphere.ts";

/** A direction in [0, 360). */
export function turned(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/** A direction as seen from a heading, degrees in (−180, 180]: positive to starboard, negative to port. */
export function relativeTo(heading: number, direction: number): number {
  const angle = turned(direction - heading);
  return angle > 180 ? angle - 360 : angle;
}

/** A speed and the direction that it goes TO, as northward and eastward parts. */
export type Velocity = readonly [north: number, east: number];

export function velocity(speed: number, towards: number): Velocity {
  return [speed * Math.cos(towards * RADIANS), speed * Math.sin(towards * RADIANS)];
}

/** Direction that a velocity goes TO, [0, 360); 0 for one of no length. */
export function towards([north, east]: Velocity): number {
  return turned(Math.atan2(east, north) / RADIANS);
}
