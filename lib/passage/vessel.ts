import { RADIANS } from "#lib/geo/sphere.ts";
import { relativeTo, turned } from "./angle.ts";
import { windFelt } from "./apparent-wind.ts";
import { currentParts, SLOWEST_SOG, steerThrough } from "./current-triangle.ts";
import { type MotorTable, motorSpeed } from "./motor-table.ts";
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

/** Speed and heading depend on each other: passes that mostly make them agree to this angle, degrees. */
const [PASSES, AGREED] = [8, 0.02];

/** Where they do not, headings up to so far off the course are tried in steps, then halved, degrees. */
const [SWING, SWING_STEP, HALVINGS] = [90, 5, 14];

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
  let stopped: Motion | undefined;
  for (let pass = 1; pass <= PASSES; pass++) {
    const through = speedHeading(vessel, heading, weather, current);
    stopped = stoppedBy(through);
    if (stopped) break;
    const triangle = steerThrough(course, through.madeGood, current.set, current.drift);
    stopped = triangle ? undefined : held("current_too_strong", through.flags);
    if (!triangle) break;
    const change = Math.abs(relativeTo(heading, triangle.heading));
    heading = triangle.heading;
    if (change <= AGREED) return moving(through, heading, triangle.sog);
  }
  // A fixed vessel has one speed, and in still water one heading.
  if (stopped && (vessel.kind === "fixed" || current.drift === 0)) return stopped;
  return steered(vessel, course, weather, current) ?? stopped ?? held("current_too_strong", []);
}

function stoppedBy({ mode, madeGood, flags }: Through): Motion | undefined {
  return madeGood < SLOWEST_STW ? held(mode === "sail" ? "becalmed" : "no_headway", flags) : undefined;
}

function moving({ mode, off, knots, flags }: Through, heading: number, sog: number): Motion {
  return { mode, heading: turned(heading + off), stw: knots, sog, flags };
}

/**
 * The fastest of all headings that keep the course: between two of which one lets the vessel drift to port and the other to
 * starboard, by halving. Where the speed jumps between them (a motor that starts), the faster side is sailed no faster than
 * the course needs.
 */
function steered(vessel: Vessel, course: number, weather: Weather, current: Current): Motion | undefined {
  const { along, across } = currentParts(course, current.set, current.drift);
  const at = (off: number) => {
    const through = speedHeading(vessel, course + off, weather, current);
    return { off, through, aside: through.madeGood * Math.sin(off * RADIANS) + across };
  };
  let best: Motion | undefined;
  let low = at(-SWING);
  for (let off = SWING_STEP - SWING; off <= SWING; off += SWING_STEP) {
    const next = at(off);
    let [one, other] = [low, next];
    low = next;
    if (one.aside * other.aside > 0) continue;
    for (let halving = 0; halving < HALVINGS; halving++) {
      const middle = at((one.off + other.off) / 2);
      if (one.aside * middle.aside <= 0) other = middle;
      else one = middle;
    }
    const end = one.through.madeGood > other.through.madeGood ? one : other;
    const knots = Math.abs(end.off) < AGREED ? end.through.madeGood : -across / Math.sin(end.off * RADIANS);
    const sog = knots * Math.cos(end.off * RADIANS) + along;
    if (stoppedBy(end.through) || sog < SLOWEST_SOG || sog <= (best?.sog ?? 0)) continue;
    best = moving(end.through, course + end.off, sog);
  }
  return best;
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
      return underMotor(motorSpeed(vessel.table, relativeTo(heading, sea.from), sea.height));
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
