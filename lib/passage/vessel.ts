import { toKnots } from "@open-metocean/geo/knots";
import { RADIANS } from "@open-metocean/geo/sphere";
import type { OutputName } from "#lib/catalog/variables.ts";
import { isBeyond, type MotorTable, motorSpeed, type Polar, polarSpeed, sailed } from "./polar.ts";

/** How a vessel's speed through the water is determined. Speeds in knots. */
export type Vessel =
  | { kind: "fixed"; knots: number }
  | { kind: "motor"; knots: number; table: MotorTable }
  | {
      kind: "sail";
      polar: Polar;
      /** Share of the polar's speed that the boat reaches. */
      factor: number;
      /**
       * Speed under motor, and the speed under sail below which the motor runs; undefined without a motor.
       */
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

type MotionFlag = (typeof motionFlags)[number];

/** `held`: the vessel waits for current, wind or sea. */
export const modes = ["motor", "sail", "held"] as const;

/** How a vessel moves along a course. Speeds in knots. */
export interface Motion {
  mode: (typeof modes)[number];
  /**
   * Direction of the bow, degrees, TO; null while the vessel is held. With tacks or gybes it is that of the
   * tack that points nearer to the course.
   */
  heading: number | null;
  /** Speed through the water; 0 while the vessel is held. */
  stw: number;
  /** Speed over ground along the course, made good if tacking; 0 while the vessel is held. */
  sog: number;
  flags: MotionFlag[];
}

/**
 * Below this speed, knots, a sailing boat is becalmed, and a motor vessel makes no headway against the sea.
 */
const SLOWEST_STW = 0.1;

/**
 * Speed and heading depend on each other. Most passes and the angle to which they must agree, degrees; most
 * cases agree.
 */
const [PASSES, AGREED] = [8, 0.02];

/**
 * If they do not agree, headings up to this far off the course are tried in steps and then bisected, degrees.
 */
const [SWING, SWING_STEP, HALVINGS] = [90, 5, 14];

/**
 * Speed through calm water, knots, with which a plan continues where the weather is unknown. For a sailing
 * boat it is its speed under motor, or else its speed across 10 knots of wind.
 */
export function typicalSpeed(vessel: Vessel): number {
  if (vessel.kind !== "sail") return vessel.knots;
  return vessel.motor?.knots ?? Math.max(1, vessel.factor * polarSpeed(vessel.polar, 90, 10));
}

/**
 * How a vessel moves along a course over ground: its speed by wind and sea on a heading, then the heading
 * against the current, repeated until the two agree.
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
  // A fixed vessel has one speed; in still water there is only one heading.
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
 * The fastest of all headings that keep the course, found by bisection between two headings of which one lets
 * the vessel drift to port and the other to starboard. Where the speed jumps between them (a motor starts),
 * the vessel sails on the faster side, no faster than the course requires.
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
  /** Speed made good along the heading, knots; with tacks it is less than the speed through the water. */
  madeGood: number;
  knots: number;
  /** Angle between the heading and the bow while it tacks or gybes, degrees. */
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
  // Sails work in the wind over the water.
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

/**
 * The weather at a place and time: fields of POST /MetOcean with their numbers; null or absent if missing.
 */
export type Weather = Readonly<Partial<Record<OutputName, number | null>>>;

/** A current, knots, and the direction that it goes TO. */
export interface Current {
  set: number;
  drift: number;
}

/** The wind; undefined if unknown. A calm is given the direction 0°. */
export function windOf(weather: Weather): Wind | undefined {
  const speed = weather.Winds_10m_Intensity;
  if (speed === undefined || speed === null) return undefined;
  return { knots: toKnots(speed), from: weather.Winds_10m_Direction ?? 0 };
}

/** The current; undefined if unknown. */
export function currentOf(weather: Weather): Current | undefined {
  const speed = weather.Currents_Intensity;
  if (speed === undefined || speed === null) return undefined;
  return { drift: toKnots(speed), set: weather.Currents_Direction ?? 0 };
}

interface Sea {
  /** Significant height, m. */
  height: number;
  /** Mean period, s. */
  period: number;
  /** Direction that the waves come FROM, degrees. */
  from: number;
}

// Names are written out, because a route search reads them millions of times and joining them took a tenth of
// its time.
const seas = {
  whole: ["Waves_Significant_Height", "Waves_Mean_Period", "Waves_Mean_Direction"],
  swell: ["Swell_Significant_Height", "Swell_Mean_Period", "Swell_Mean_Direction"],
  wind: ["Windwaves_Significant_Height", "Windwaves_Mean_Period", "Windwaves_Mean_Direction"],
} as const;

/** The waves; undefined if height, period or direction is unknown. A flat sea is known: its height is 0. */
export function seaOf(weather: Weather, system: keyof typeof seas): Sea | undefined {
  const [ofHeight, ofPeriod, ofDirection] = seas[system];
  const height = weather[ofHeight];
  if (height === undefined || height === null) return undefined;
  if (height === 0) return { height, period: 0, from: 0 };
  const [period, from] = [weather[ofPeriod], weather[ofDirection]];
  if (period === undefined || period === null || from === undefined || from === null) return undefined;
  return { height, period, from };
}

/** A wind: knots, and the direction that it comes FROM, degrees clockwise from true north. */
export interface Wind {
  knots: number;
  from: number;
}

/**
 * Apparent wind of something that moves: the true wind minus the motion.
 *
 * @param wind Wind over ground (or over water, if the motion is through water).
 * @param towardsDeg Direction of the motion, TO: the course over ground, not the heading.
 * @param speed Speed of the motion, knots.
 */
export function windFelt(wind: Wind, towardsDeg: number, speed: number): Wind {
  const [windNorth, windEast] = velocity(wind.knots, wind.from + 180);
  const [north, east] = velocity(speed, towardsDeg);
  const felt = [windNorth - north, windEast - east] as const;
  return { knots: Math.hypot(...felt), from: turned(towards(felt) + 180) };
}

interface Triangle {
  /** Heading through the water, degrees clockwise from true north, TO. */
  heading: number;
  /** Speed over ground along the course. */
  sog: number;
}

/** Below this speed over ground, knots, a boat makes no progress. */
export const SLOWEST_SOG = 0.1;

/**
 * The components of a current along a course and across it, positive to starboard, in the unit of `drift`.
 */
export function currentParts(course: number, set: number, drift: number): { along: number; across: number } {
  const angle = (set - course) * RADIANS;
  return { along: drift * Math.cos(angle), across: drift * Math.sin(angle) };
}

/**
 * Solves the triangle of speed, current and course over ground (Bowditch, The American Practical Navigator:
 * finding the course to steer through a current). Without leeway.
 *
 * @param course Wanted over ground, degrees, TO.
 * @param stw Speed through the water, knots.
 * @param set Direction of the current, degrees, TO.
 * @param drift Speed of the current, knots.
 * @returns undefined if the current is stronger than the boat and sets it off the course or back.
 */
export function steerThrough(course: number, stw: number, set: number, drift: number): Triangle | undefined {
  const { along, across } = currentParts(course, set, drift);
  if (!(Math.abs(across) < stw)) return undefined;
  const sog = Math.sqrt(stw * stw - across * across) + along;
  if (sog < SLOWEST_SOG) return undefined;
  return { heading: turned(course - Math.asin(across / stw) / RADIANS), sog };
}

/** Normalises a direction to [0, 360). */
export function turned(degrees: number): number {
  return ((degrees % 360) + 360) % 360;
}

/** A direction as seen from a heading, degrees in (−180, 180]: positive to starboard, negative to port. */
export function relativeTo(heading: number, direction: number): number {
  const angle = turned(direction - heading);
  return angle > 180 ? angle - 360 : angle;
}

/** A velocity as northward and eastward components, from a speed and the direction that it goes TO. */
type Velocity = readonly [north: number, east: number];

function velocity(speed: number, towards: number): Velocity {
  return [speed * Math.cos(towards * RADIANS), speed * Math.sin(towards * RADIANS)];
}

/** Direction that a velocity goes TO, [0, 360); 0 if its length is 0. */
function towards([north, east]: Velocity): number {
  return turned(Math.atan2(east, north) / RADIANS);
}
