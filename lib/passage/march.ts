import type { Place } from "@open-metocean/geo/sphere";
import type { VariableName } from "#lib/catalog/variables.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { type Leg, type LegKind, legOf } from "./route.ts";
import { type Motion, motionAlong, SLOWEST_SOG, typicalSpeed, type Vessel, type Weather } from "./vessel.ts";

/** A waypoint with the kind of the leg that ends there. */
export interface Waypoint extends Place {
  leg: LegKind;
}

export interface Passing extends Place {
  time: number;
}

/** A part of a passage that is short enough for a single reading of the weather. */
export interface Piece {
  /** Position of its leg in the route, from 0. */
  leg: number;
  start: Passing;
  /**
   * Where and when the weather is read: the middle of the piece, in whole seconds and hundred-thousandths of
   * a degree.
   */
  at: Passing;
  seconds: number;
  /** Distance, n mi; 0 while the vessel is held. */
  miles: number;
  /** Course over ground in the middle, degrees, TO. */
  course: number;
  motion: Motion;
  weather: Weather;
  /** The vessel waits before a gate. */
  waits?: true;
}

/** How a passage ended: at its last waypoint, held for a day, or with more pieces than a plan may have. */
export const endings = ["arrived", "held", "too_slow"] as const;

export type Ending = (typeof endings)[number];

export interface Passage {
  pieces: Piece[];
  ending: Ending;
  end: Passing;
  /** The waypoints that the vessel reached, by position. */
  passes: WaypointPass[];
}

/** Longest duration, s, and length, n mi, of a piece. */
export const PIECE_S = 1800;
export const PIECE_MILES = 10;

/** Longest time that a vessel waits before a gate, s. */
export const MAX_GATE_WAIT_S = DAY_S;

/**
 * When a vessel passes a waypoint. @see time Unix seconds, after waiting for its gate. @see waited Seconds.
 */
export interface WaypointPass {
  time: number;
  waited: number;
}

export interface Cut {
  seconds: number;
  /** Length, n mi. */
  miles: number;
}

const fine: Cut = { seconds: PIECE_S, miles: PIECE_MILES };

/**
 * A held vessel waits for one piece at a time; the plan is abandoned after waiting this long without a break,
 * s.
 */
const MAX_WAITS_S = DAY_S;

/**
 * A request for weather: place and time, and whether all of it is needed or only what the speed depends on.
 */
export interface Wanted extends Passing {
  whole: boolean;
}

export function drivingVariables({ kind }: Vessel): VariableName[] {
  if (kind === "sail") return ["wind", "current"];
  return kind === "motor" ? ["wave", "current"] : ["current"];
}

/** The legs of a route. Legs of length 0 are included but have no pieces. */
export function legsOf(route: readonly Waypoint[]): Leg[] {
  return route.slice(1).map((to, index) => legOf(route[index]!, to, to.leg));
}

/**
 * Number of pieces of a route at a vessel's typical speed, used as the size of a plan before it is computed.
 */
export function expectedPieces(legs: readonly Leg[], vessel: Vessel, cut = fine): number {
  const longest = Math.min(cut.miles, (typicalSpeed(vessel) * cut.seconds) / HOUR_S);
  return legs.reduce((sum, { miles }) => sum + Math.ceil(miles / longest), 0);
}

/** Longest possible duration of a plan, s. */
export function longestPassage(legs: readonly Leg[], vessel: Vessel, gates: number): number {
  return PIECE_S * mostPieces(legs, vessel, fine) + gates * MAX_GATE_WAIT_S;
}

const mostPieces = (legs: readonly Leg[], vessel: Vessel, cut: Cut) =>
  4 * expectedPieces(legs, vessel, cut) + (2 * MAX_WAITS_S) / cut.seconds;

/**
 * Moves a vessel along its route, piece by piece. Each piece has the weather at the place and time of its own
 * middle, and begins where and when the one before ended. The middle is found in two passes: with the speed
 * of the previous piece, then with the speed in the weather read there. The generator pauses whenever it
 * needs weather, so that many passages can be read together.
 *
 * @param departure Unix seconds.
 * @param cut Size of pieces, by default that of a plan; a comparison of many routes can use longer ones.
 * @param waitAt How long the vessel waits for the gate of a waypoint, s.
 */
export function* march(
  legs: readonly Leg[],
  vessel: Vessel,
  departure: number,
  cut = fine,
  waitAt: (waypoint: number, time: number) => number = () => 0,
): Generator<Wanted, Passage, Weather> {
  const pieces: Piece[] = [];
  const passes: WaypointPass[] = [];
  const maxWaits = MAX_WAITS_S / cut.seconds;
  const most = mostPieces(legs, vessel, cut);
  let time = departure;
  let sog = typicalSpeed(vessel);
  let [waits, moves] = [0, 0];
  let start: Passing = { ...(legs[0]?.at(0) ?? { latitude: 0, longitude: 0 }), time };
  yield* pass(0);
  for (const [index, leg] of legs.entries()) {
    for (let gone = 0; leg.miles - gone > 1e-6; ) {
      if (moves >= most) return { pieces, ending: "too_slow", end: start, passes };
      moves++;
      const left = leg.miles - gone;
      let way = alongFor(sog, left, cut);
      let at = middleOf(leg, gone, way, time);
      const first = motionAlong(vessel, leg.course(shareOf(leg, gone, way)), yield { ...at, whole: false });
      way = alongFor(first.sog, left, cut);
      at = middleOf(leg, gone, way, time);
      const course = leg.course(shareOf(leg, gone, way));
      const weather = yield { ...at, whole: true };
      const motion = motionAlong(vessel, course, weather);
      const { miles, seconds } = alongFor(motion.sog, left, cut);
      pieces.push({ leg: index, start, at, seconds, miles, course, motion, weather });
      gone = left - miles < 1e-6 ? leg.miles : gone + miles;
      time += seconds;
      start = { ...leg.at(gone / leg.miles), time };
      if (motion.mode === "held") {
        if (++waits >= maxWaits) return { pieces, ending: "held", end: start, passes };
        continue;
      }
      waits = 0;
      sog = motion.sog;
    }
    yield* pass(index + 1);
  }
  return { pieces, ending: "arrived", end: start, passes };

  /** Passes a waypoint, after waiting for its gate. */
  function* pass(waypoint: number): Generator<Wanted, void, Weather> {
    const waited = waitAt(waypoint, time);
    const leg = Math.max(0, waypoint - 1);
    const course = legs[leg]?.course(waypoint === 0 ? 0 : 1) ?? 0;
    for (const until = time + waited; until - time > 1e-3; ) {
      const seconds = Math.min(cut.seconds, until - time);
      const at = {
        latitude: rounded(start.latitude),
        longitude: rounded(start.longitude),
        time: Math.round(time + seconds / 2),
      };
      // Weather is asked for twice, as in every piece, so that passages that are read together stay in step.
      yield { ...at, whole: false };
      const weather = yield { ...at, whole: true };
      const motion: Motion = { mode: "held", heading: null, stw: 0, sog: 0, flags: [] };
      pieces.push({ leg, start, at, seconds, miles: 0, course, motion, weather, waits: true });
      time += seconds;
      start = { ...start, time };
    }
    passes.push({ time, waited });
  }
}

/** Length, n mi, and duration of a piece at a speed; a vessel that is held waits. */
function alongFor(sog: number, left: number, cut: Cut): { miles: number; seconds: number } {
  if (sog < SLOWEST_SOG) return { miles: 0, seconds: cut.seconds };
  const miles = Math.min(left, cut.miles, (sog * cut.seconds) / HOUR_S);
  return { miles, seconds: (miles / sog) * HOUR_S };
}

function shareOf(leg: Leg, gone: number, { miles }: { miles: number }): number {
  return Math.min(1, (gone + miles / 2) / leg.miles);
}

const rounded = (degrees: number) => Math.round(degrees * 1e5) / 1e5;

function middleOf(leg: Leg, gone: number, way: { miles: number; seconds: number }, time: number): Passing {
  const { latitude, longitude } = leg.at(shareOf(leg, gone, way));
  return {
    latitude: rounded(latitude),
    longitude: rounded(longitude),
    time: Math.round(time + way.seconds / 2),
  };
}
