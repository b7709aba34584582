import {
  destination,
  distanceKm,
  initialBearing,
  MILE_KM,
  type Place,
  toArc,
} from "@open-metocean/geo/sphere";
import type { Origin } from "#lib/passage/limits.ts";
import { legsOf, type Passage, type Waypoint } from "#lib/passage/march.ts";
import { typicalSpeed, type Vessel } from "#lib/passage/vessel.ts";
import { HOUR_S } from "#lib/time.ts";
import { type Coast, crossesLand } from "./coast.ts";
import { type Asking, isochrones, rounded, simulate, waypointsOf } from "./isochrones.ts";
import { coastOnRoute } from "./offing.ts";
import { compareScores, isWorthwhile, type Order, OVER_COUNTS, type Score, scoreOf } from "./order.ts";
import type { SeaDistances } from "./sea-distance.ts";

export interface RouteQuestion {
  /** The user's own route; the better route has the same first and last waypoint. */
  own: readonly Waypoint[];
  /** Unix seconds. */
  departure: number;
  vessel: Vessel;
  order: Order;
  coast: Coast;
  /** Ways by water between the first and the last waypoint. */
  sea: SeaDistances;
  /** Called with the share of the work that is done, which never decreases. */
  progress?: (share: number) => void;
}

export interface Found {
  route: Waypoint[];
  origin: Origin;
  score: Score;
  own: Score;
  /** Whether the user's own route crosses land and was therefore not compared. */
  ownCrossesLand: boolean;
}

interface Candidate {
  way: Waypoint[];
  origin: Found["origin"];
  passage: Passage;
  score: Score;
}

/**
 * Share of the limits that routes may use while they are constructed, because a finished plan reads the
 * weather a little earlier or later.
 */
const MARGIN = 0.98;

/** Settings of the isochrone search, tried in turn until one gives a route within the limits. */
const searches = [
  { share: 1, penalty: 0 },
  { share: 0.95, penalty: Number.POSITIVE_INFINITY },
  { share: 0.85, penalty: Number.POSITIVE_INFINITY },
  { share: 0.95, penalty: OVER_COUNTS },
  { share: 0.95, penalty: 1 },
];

/** Tolerances with which a way is simplified, in cells. */
const TOLERANCES = [0.1, 0.3, 0.6, 1, 1.6];

/** Approximate number of waypoints of a route that is refined, and the moves of each round, in cells. */
const REFINED_WAYPOINTS = 12;
const MOVES = [1.5, 1, 0.7, 0.5, 0.35, 0.25];

/** Share of the work that is done when the isochrones are finished. */
const SEARCHED = 0.7;

/** Time between two isochrones, s, from the duration of the shortest way at the typical speed. */
function stepFor(hours: number): number {
  if (hours <= 24) return HOUR_S / 2;
  if (hours <= 72) return HOUR_S;
  if (hours <= 144) return 2 * HOUR_S;
  return hours <= 360 ? 3 * HOUR_S : 6 * HOUR_S;
}

/** Number of cells along the whole way. More make the search longer with hardly better results. */
const MAX_CELLS = 130;

/**
 * Finds the best route for a vessel from the first to the last waypoint of a route: isochrones, then
 * simplification, simulation in pieces as for every plan, and refinement. The shortest way by water is a
 * candidate too. The result of the search depends on the ends only; it is then compared with the user's own
 * route, which is kept if nothing better was found.
 *
 * The generator pauses for the weather of places at their own times.
 */
export function* betterRoute(question: RouteQuestion): Asking<Found> {
  const { own, departure, vessel, order, coast, sea, progress = () => {} } = question;
  const [from, to] = [own[0]!, own.at(-1)!];
  const typical = typicalSpeed(vessel);
  const stepSeconds = stepFor(sea.miles / typical);
  const cellMiles = Math.max((0.45 * typical * stepSeconds) / HOUR_S, sea.miles / MAX_CELLS);
  let share = 0;
  const reach = (done: number) => {
    share = Math.max(share, done);
    progress(share);
  };

  function* scored(
    ways: readonly Waypoint[][],
    rough: boolean,
  ): Asking<Pick<Candidate, "passage" | "score">[]> {
    const cut = rough ? { seconds: stepSeconds, miles: 2 * cellMiles } : undefined;
    const passages = yield* simulate(ways, vessel, departure, cut);
    return passages.map((passage) => ({ passage, score: scoreOf(passage, departure, order, MARGIN) }));
  }

  const isBetter = (one: Candidate, other: Candidate) => compareScores(one.score, other.score) < 0;
  const ownCrossesLand = crossesLand(own, coast.line);
  const shortest = waypointsOf(sea.way);
  const [asBegun, direct] = yield* scored([[...own], shortest], false);
  let best: Candidate = { ...direct!, way: shortest, origin: "shortest" };
  const isDone = () => best.score.arrives && best.score.weighted === 0;
  for (const [at, { share: used, penalty }] of searches.entries()) {
    if (at > 0 && isDone()) break;
    const base = share;
    const ahead = (SEARCHED - share) * (at === 0 ? 0.5 : 0.4);
    const way = yield* isochrones({
      from,
      to,
      departure,
      vessel,
      coast,
      sea,
      stepSeconds,
      cellMiles,
      order,
      share: used,
      penalty,
      progress: (done) => reach(base + ahead * done),
    });
    if (!way) continue;
    const found = yield* smoothed(way);
    if (isBetter(found, best)) best = found;
  }
  reach(SEARCHED);
  const refined = yield* refine(best);
  const near = (way: readonly Waypoint[]) => ({ isNearCoast: isNearCoast(way, coast.line) });
  const score = { ...scoreOf(refined.passage, departure, order), ...near(refined.way) };
  const ownScore = { ...scoreOf(asBegun!.passage, departure, order), ...near(own) };
  if (!ownCrossesLand && !isWorthwhile(score, ownScore))
    return { route: [...own], origin: "own", score: ownScore, own: ownScore, ownCrossesLand };
  return { route: refined.way, origin: refined.origin, score, own: ownScore, ownCrossesLand };

  function* smoothed(way: readonly Place[]): Asking<Candidate> {
    const ways = TOLERANCES.map((cells) => waypointsOf(simplifiedWay(way, cells * cellMiles, coast)));
    const found = yield* scored(ways, false);
    return ways
      .map((one, at): Candidate => ({ ...found[at]!, way: one, origin: "search" }))
      .reduce((one, other) => (isBetter(other, one) ? other : one));
  }

  /**
   * Moves waypoints as long as that improves the route, using longer pieces, and simulates the result as a
   * plan.
   */
  function* refine(begun: Candidate): Asking<Candidate> {
    let way: Place[] = subdivided(begun.way, sea.miles / REFINED_WAYPOINTS);
    let score = (yield* scored([waypointsOf(way)], true))[0]!.score;
    for (const [round, move] of MOVES.entries()) {
      reach(SEARCHED + ((1 - SEARCHED) * round) / MOVES.length);
      const tries = variations(way, move * cellMiles, coast);
      const found = yield* scored(
        tries.map((one) => waypointsOf(one.way)),
        true,
      );
      const ranked = tries
        .map((one, at) => ({ ...one, score: found[at]!.score }))
        .filter((one) => compareScores(one.score, score) < 0)
        .sort((one, other) => compareScores(one.score, other.score));
      const [first] = ranked;
      if (!first) continue;
      const merged = mergedMoves(way, ranked);
      const [together] = yield* scored([waypointsOf(merged)], true);
      [way, score] =
        compareScores(together!.score, first.score) < 0
          ? [merged, together!.score]
          : [first.way, first.score];
    }
    const ways = [0.02, 0.1].map((cells) => waypointsOf(simplifiedWay(way, cells * cellMiles, coast)));
    const fine = yield* scored(ways, false);
    return [
      begun,
      ...ways.map((one, at): Candidate => ({ ...fine[at]!, way: one, origin: "search" })),
    ].reduce((one, other) => (isBetter(other, one) ? other : one));
  }
}

/** Whether a route comes too near to the coast somewhere. @param line Coast of which only the line counts. */
export function isNearCoast(route: readonly Waypoint[], line: Coast): boolean {
  return coastOnRoute(legsOf(route), line).close.some(({ miles }) => miles > 0);
}

/** Combines all moves that are improvements by themselves and do not affect each other. */
function mergedMoves(
  way: readonly Place[],
  ranked: readonly { at: number; way: readonly Place[] }[],
): Place[] {
  let merged = [...way];
  const moved = new Set<number>();
  for (const { at, way: other } of ranked) {
    if (other.length !== way.length || [at - 1, at, at + 1].some((one) => moved.has(one))) continue;
    moved.add(at);
    merged = merged.with(at, other[at]!);
  }
  return merged;
}

/**
 * Simplifies a way to the points that are needed to stay within a tolerance of the others and clear of land
 * (after Ramer, Douglas and Peucker).
 *
 * @param way Each leg is clear of land.
 * @param tolerance N mi.
 */
function simplifiedWay(way: readonly Place[], tolerance: number, coast: Coast): Place[] {
  const kept = new Set([0, way.length - 1]);
  const open: [number, number][] = [[0, way.length - 1]];
  for (let span = open.pop(); span; span = open.pop()) {
    const [first, last] = span;
    if (last - first < 2) continue;
    let [worst, where] = [-1, first + 1];
    for (let at = first + 1; at < last; at++) {
      const off = toArc(way[at]!, way[first]!, way[last]!).km;
      if (off > worst) [worst, where] = [off, at];
    }
    if (worst <= tolerance * MILE_KM && coast.isClear(way[first]!, way[last]!)) continue;
    kept.add(where);
    open.push([first, where], [where, last]);
  }
  return [...kept].sort((a, b) => a - b).map((at) => way[at]!);
}

/**
 * Ways that differ in a single waypoint, which is moved to either side, forward or back, or removed. Ways
 * across land are left out.
 *
 * @param by N mi.
 */
function variations(way: readonly Place[], by: number, coast: Coast): { at: number; way: Place[] }[] {
  const found: { at: number; way: Place[] }[] = [];
  for (let at = 1; at + 1 < way.length; at++) {
    const [before, place, after] = [way[at - 1]!, way[at]!, way[at + 1]!];
    const along = initialBearing(before, after);
    for (const turn of [90, -90, 0, 180]) {
      const moved = rounded(destination(place, along + turn, by * MILE_KM));
      if (coast.isClear(before, moved) && coast.isClear(moved, after))
        found.push({ at, way: way.with(at, moved) });
    }
    if (coast.isClear(before, after)) found.push({ at, way: way.toSpliced(at, 1) });
  }
  return found;
}

/** Adds a waypoint in the middle of each leg that is longer than `miles`, so that the way can bend there. */
function subdivided(way: readonly Place[], miles: number): Place[] {
  return way.flatMap((place, index) => {
    const before = way[index - 1];
    if (!before) return [place];
    const leg = distanceKm(before, place) / MILE_KM;
    const parts = Math.ceil(leg / miles);
    const bearing = initialBearing(before, place);
    const between = Array.from({ length: Math.max(0, parts - 1) }, (_, part) =>
      rounded(destination(before, bearing, (leg * MILE_KM * (part + 1)) / parts)),
    );
    return [...between, place];
  });
}
