import { relativeTo, turned } from "./angle.ts";
import { windFelt } from "./apparent-wind.ts";
import { steerThrough } from "./current-triangle.ts";
import { type MotorTable, motorSpeed, waveSide } from "./motor-table.ts";
import { isBeyond, type Polar, polarSpeed, sailed } from "./polar.ts";
import { type Current, currentOf, seaOf, type Weather, windOf } from "./weather.ts";

/** A vessel's speed through the water, knots. */
export type Vessel =
  | { kind: "fixed"; knots: number }
  | { kind: "motor"; knots: number; table: MotorTable }
  | {
      kind: "sail";
      polar: Polar;
      /** Share of the polar's speed that is sailed. */
      factor: number;
      /** Speed under motor, and the speed under sail below which it runs; undefined without a motor. */
      motor: { knots: number; below: number } | undefined;
    };

export const motionFlags = [
  "tacking",
  "gybing",
  "beyond_polar",
  "becalmed",
  "no_headway",
  "current_too_strong",
  "typical_speed",
] as const;

export type MotionFlag = (typeof motionFlags)[number];

/** Held: it waits for current, wind or sea. */
export const modes = ["motor", "sail", "held"] as const;

/** How a vessel moves along a course. Speeds in knots. */
export interface Motion {
  mode: (typeof modes)[number];
  /** Where its bow points, degrees, TO; null while it is held. With tacks or gybes: on the tack that points nearer to the course. */
  heading: number | null;
  /** Through the water; 0 while it is held. */
  stw: number;
  /** Along the course over ground, between tacks made good; 0 while it is held. */
  sog: number;
  flags: MotionFlag[];
}

/** A boat that sails slower than this, knots, is becalmed; a motor vessel makes no headway against the sea. */
const SLOWEST_STW = 0.1;

/** Speed and heading depend on each other: passes until they agree to this angle, degrees. */
const [PASSES, AGREED] = [8, 0.02];

/**
 * Speed through calm water, knots: what a plan is made with where the weather is not known. Of a sailing boat its motor's,
 * or what it sails across 10 knots of wind.
 */
export function typicalSpeed(vessel: Vessel): number {
  if (vessel.kind !== "sail") return vessel.knots;
  return vessel.motor?.knots ?? Math.max(1, vessel.factor * polarSpeed(vessel.polar, 90, 10));
}

/**
 * How a vessel moves along a course over ground: speed by wind and sea as it heads, then the heading against the current,
 * until the two agree.
 *
 * @param course Degrees, TO.
 */
export function motionAlong(vessel: Vessel, course: number, weather: Weather): Motion {
  const current = currentOf(weather) ?? { set: 0, drift: 0 };
  let heading = course;
  for (let pass = 1; ; pass++) {
    const through = speedHeading(vessel, heading, weather, current);
    if (through.madeGood < SLOWEST_STW)
      return held(through.mode === "sail" ? "becalmed" : "no_headway", through.flags);
    const triangle = steerThrough(course, through.madeGood, current.set, current.drift);
    if (!triangle) return held("current_too_strong", through.flags);
    const change = Math.abs(relativeTo(heading, triangle.heading));
    heading = triangle.heading;
    if (change > AGREED && pass < PASSES) continue;
    return {
      mode: through.mode,
      heading: turned(heading + through.off),
      stw: through.knots,
      sog: triangle.sog,
      flags: through.flags,
    };
  }
}

function held(why: MotionFlag, flags: readonly MotionFlag[]): Motion {
  return { mode: "held", heading: null, stw: 0, sog: 0, flags: [...flags, why] };
}

interface Through {
  mode: "motor" | "sail";
  /** Along the heading, knots; between tacks less than the speed through the water. */
  madeGood: number;
  knots: number;
  /** Degrees from the heading to where the bow points, while it tacks or gybes. */
  off: number;
  flags: MotionFlag[];
}

function underMotor(knots: number, flags: MotionFlag[] = []): Through {
  return { mode: "motor", madeGood: knots, knots, off: 0, flags };
}

function speedHeading(vessel: Vessel, heading: number, weather: Weather, current: Current): Through {
  switch (vessel.kind) {
    case "fixed":
      return underMotor(vessel.knots);
    case "motor": {
      const sea = seaOf(weather, "whole");
      if (!sea) return underMotor(vessel.knots, ["typical_speed"]);
      return underMotor(motorSpeed(vessel.table, waveSide(relativeTo(heading, sea.from)), sea.height));
    }
    case "sail":
      return underSail(vessel, heading, weather, current);
  }
}

function underSail(
  vessel: Vessel & { kind: "sail" },
  heading: number,
  weather: Weather,
  current: Current,
): Through {
  const wind = windOf(weather);
  const { factor, motor } = vessel;
  if (!wind) {
    const typical = underMotor(typicalSpeed(vessel), ["typical_speed"]);
    return motor ? typical : { ...typical, mode: "sail" };
  }
  // Sails know the wind over the water.
  const over = windFelt(wind, current.set, current.drift);
  const relative = relativeTo(heading, over.from);
  const way = sailed(vessel.polar, Math.abs(relative), over.knots);
  if (motor && factor * way.madeGood < motor.below) return underMotor(motor.knots);
  const side = relative < 0 ? -1 : 1;
  const flags: MotionFlag[] = way.by === "straight" ? [] : [way.by];
  if (isBeyond(vessel.polar, over.knots)) flags.push("beyond_polar");
  return {
    mode: "sail",
    madeGood: factor * way.madeGood,
    knots: factor * way.knots,
    off: side * (Math.abs(relative) - way.angle),
    flags,
  };
}
