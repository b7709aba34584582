import type { VariableName } from "#lib/catalog/variables.ts";
import type { Place } from "#lib/geo/sphere.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { type Leg, type LegKind, legOf } from "./route.ts";
import { type Motion, motionAlong, SLOWEST_SOG, typicalSpeed, type Vessel, type Weather } from "./vessel.ts";

/** A waypoint, and the kind of the leg that ends there. */
export interface Waypoint extends Place {
  leg: LegKind;
}

export interface Passing extends Place {
  time: number;
}

/** A part of a passage, short enough for one reading of the weather. */
export interface Piece {
  /** Position of its leg in the route, from 0. */
  leg: number;
  start: Passing;
  /** Where and when the weather is read: its middle, in whole seconds and hundred-thousandths of a degree. */
  at: Passing;
  seconds: number;
  /** 0 while the vessel is held. */
  miles: number;
  /** Over ground in the middle, degrees, TO. */
  course: number;
  motion: Motion;
  weather: Weather;
  /** It waits before a gate. */
  waits?: true;
}

/** How a passage ended: at its last waypoint, or held for a day, or after more pieces than a plan may have. */
export const endings = ["arrived", "held", "too_slow"] as const;

export type Ending = (typeof endings)[number];

export interface Passage {
  pieces: Piece[];
  ending: Ending;
  end: Passing;
  /** Of the waypoints that it came to, by position. */
  passes: WaypointPass[];
}

/** A piece ends after this time or this distance, n mi. */
export const PIECE_S = 1800;
export const PIECE_MILES = 10;

/** Longest time that a vessel waits before a gate, s. */
export const MAX_GATE_WAIT_S = DAY_S;

/** When a vessel passes a waypoint. @see time After waiting for its gate. @see waited Seconds. */
export interface WaypointPass {
  time: number;
  waited: number;
}

export interface Cut {
  seconds: number;
  /** N mi. */
  miles: number;
}

const fine: Cut = { seconds: PIECE_S, miles: PIECE_MILES };

/** A vessel that is held waits for a piece; after this many in a row the plan is given up. */
const MAX_WAITS_S = DAY_S;

/** What the weather is asked for: where and when, and whether all of it or only what the speed depends on. */
export interface Wanted extends Passing {
  whole: boolean;
}

export function drivingVariables({ kind }: Vessel): VariableName[] {
  if (kind === "sail") return ["wind", "current"];
  return kind === "motor" ? ["wave", "current"] : ["current"];
}

/** The legs of a route. Legs of no length are among them: they have no pieces. */
export function legsOf(route: readonly Waypoint[]): Leg[] {
  return route.slice(1).map((to, index) => legOf(route[index]!, to, to.leg));
}

/** How many pieces a route has at the typical speed of a vessel: what a plan is measured by before it is made. */
export function expectedPieces(legs: readonly Leg[], vessel: Vessel, cut = fine): number {
  const longest = Math.min(cut.miles, (typicalSpeed(vessel) * cut.seconds) / HOUR_S);
  return legs.reduce((sum, { miles }) => sum + Math.ceil(miles / longest), 0);
}

/** How long a plan may take at most, s. */
export function longestPassage(legs: readonly Leg[], vessel: Vessel, gates: number): number {
  return PIECE_S * mostPieces(legs, vessel, fine) + gates * MAX_GATE_WAIT_S;
}

const mostPieces = (legs: readonly Leg[], vessel: Vessel, cut: Cut) =>
  4 * expectedPieces(legs, vessel, cut) + (2 * MAX_WAITS_S) / cut.seconds;

/**
 * A vessel on its route, piece by piece: each has the weather of its own middle, in place and time, and begins where and when
 * the one before ended. The middle is found in two passes: with the speed of the piece before, then with that of the weather
 * read there. The function pauses wherever it needs weather, so that many passages can be read together.
 *
 * @param departure Unix seconds.
 * @param cut Of a plan the default; a comparison of many routes can do with longer pieces.
 * @param waitAt How long it waits when it comes to a waypoint, for its gate, s.
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
      // Asked twice as in every piece: passages that are read together stay in step.
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

/** The length of a piece at a speed, n mi, and its time: a vessel that is held waits. */
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
