import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, greatCircle, initialBearing, vectorOf } from "#lib/geo/sphere.ts";
import { type Four, type Least, leastClearance, type Stretch } from "./clearance-search.ts";
import { galeThreshold } from "./danger-area.ts";
import { forecastMarks, type Mark, type Passing, passingAt } from "./forecast-track.ts";
import type { Vessel } from "./vessel.ts";
import { type Radii, radiiOf, reachOf } from "./wind-reach.ts";

/**
 * The side of a moving storm that a vessel is on. In the dangerous semicircle, right of the track in the northern
 * hemisphere and left in the southern, the storm's motion adds to the wind, which sets a vessel into its path.
 */
export type Semicircle = "dangerous" | "navigable";

/** A vessel and a storm at one time. */
export interface Approach {
  /** Unix seconds. */
  time: number;
  /** From the vessel to the storm's centre, km and degrees. */
  km: number;
  bearing: number;
  /** How far gales reach towards the vessel, km; a typical value if `estimated`. */
  galeKm: number;
  estimated: boolean;
  /** Radius of the cone, km; null if none is given. */
  coneKm: number | null;
  /** Distance minus gales and cone, km; negative inside. */
  clearanceKm: number;
  /** null for a stationary storm. */
  semicircle: Semicircle | null;
}

export interface ClosestApproach {
  /** When the centre is nearest. */
  closest: Approach;
  /** When the clearance is smallest. The cone grows, so this may be later than the closest approach. */
  minClearance: Approach;
  /** The period that voyage and forecast have in common, Unix seconds. */
  from: number;
  until: number;
}

/** A storm from one forecast mark to the next, or at one mark. */
interface Leg {
  from: Mark;
  until: Mark;
  /** Gale radii at both ends; undefined if one of the two is not forecast. */
  radii: readonly [Radii, Radii] | undefined;
  /** Reach of gales without radii, km. */
  typicalKm: number;
}

/**
 * The closest approach of a vessel to a storm's forecast track.
 *
 * Reach and cone change suddenly at the edges of quadrants, where radii or cones end and at forecast hours: there both
 * sides count.
 *
 * @returns undefined if voyage and forecast have no time in common.
 */
export function closestApproach(entry: StormEntry, vessel: Vessel): ClosestApproach | undefined {
  const marks = forecastMarks(entry);
  const [first, last] = [marks[0], marks.at(-1)];
  if (!first || !last) return undefined;
  const from = Math.max(first.time, vessel.begins);
  const until = Math.min(last.time, vessel.ends);
  if (from > until) return undefined;
  const legs = legsOf(marks, galeThreshold(entry));
  const approachAt = ({ stretch, time, quadrant }: Least, leg: Leg): Approach => {
    const storm = passingAt(marks, time)!;
    const ship = vessel.at(time);
    const share = shareOf(leg, time);
    const galeKm = galesOf(leg, share)[quadrant]!;
    const coneKm = coneOf(leg, share);
    const km = distanceKm(ship, storm);
    return {
      time: Math.max(Math.ceil(stretch.from), Math.min(Math.floor(stretch.until), Math.round(time))),
      km,
      bearing: initialBearing(ship, storm),
      galeKm,
      estimated: leg.radii === undefined,
      coneKm,
      clearanceKm: km - galeKm - (coneKm ?? 0),
      semicircle: semicircleOf(storm, initialBearing(storm, ship)),
    };
  };
  const search = (reachOf: (leg: Leg, share: number) => Four) => {
    const legOf = new Map<Stretch, Leg>();
    for (const leg of legs) {
      for (const stretch of stretchesOf(leg, vessel, from, until, reachOf)) legOf.set(stretch, leg);
    }
    const least = leastClearance([...legOf.keys()]);
    return approachAt(least, legOf.get(least.stretch)!);
  };
  return {
    closest: search(() => NO_REACH),
    minClearance: search(clearanceReach),
    from,
    until,
  };
}

const NO_REACH: Four = [0, 0, 0, 0];

function clearanceReach(leg: Leg, share: number): Four {
  const [cone, gales] = [coneOf(leg, share) ?? 0, galesOf(leg, share)];
  return [gales[0] + cone, gales[1] + cone, gales[2] + cone, gales[3] + cone];
}

/** The marks, then the legs between them: of equal approaches that at a mark is given, with the radii of the mark. */
function legsOf(marks: readonly Mark[], threshold: number): Leg[] {
  const between = marks.slice(1).map((until, index): [Mark, Mark] => [marks[index]!, until]);
  return [...marks.map((mark): [Mark, Mark] => [mark, mark]), ...between].map(([from, until]) => {
    const [before, after] = [radiiOf(from.point, threshold), radiiOf(until.point, threshold)];
    const radii = before && after ? ([before, after] as const) : undefined;
    return { from, until, radii, typicalKm: reachOf(until.point, threshold).km };
  });
}

/** The parts of a leg within the voyage, from turn to turn of the vessel. */
function stretchesOf(
  leg: Leg,
  vessel: Vessel,
  begin: number,
  end: number,
  reachOf: (leg: Leg, share: number) => Four,
): Stretch[] {
  const [from, until] = [Math.max(begin, leg.from.time), Math.min(end, leg.until.time)];
  // A leg that the voyage only touches is that of the mark.
  if (from > until || (from === until && leg.from !== leg.until && until === leg.until.time)) return [];
  const times = [from, ...vessel.turns.filter((time) => time > from && time < until), until];
  const storm = greatCircle(leg.from, leg.until);
  return times.slice(1).map((next, index) => ({
    from: times[index]!,
    until: next,
    reachFrom: reachOf(leg, shareOf(leg, times[index]!)),
    reachUntil: reachOf(leg, shareOf(leg, next)),
    storm: (time) => storm(shareOf(leg, time)),
    vessel: (time) => vectorOf(vessel.at(time)),
  }));
}

function shareOf({ from, until }: Leg, time: number): number {
  return from === until ? 0 : (time - from.time) / (until.time - from.time);
}

function coneOf({ from, until }: Leg, share: number): number | null {
  if (from.coneKm === null || until.coneKm === null) return null;
  return from.coneKm + (until.coneKm - from.coneKm) * share;
}

/** Reach of gales in the quadrants, km. */
function galesOf({ radii, typicalKm }: Leg, share: number): Four {
  if (!radii) return [typicalKm, typicalKm, typicalKm, typicalKm];
  const [from, until] = radii;
  const at = (quadrant: keyof Radii) => from[quadrant] + (until[quadrant] - from[quadrant]) * share;
  return [at("ne"), at("se"), at("sw"), at("nw")];
}

/** @param towards Bearing from the storm's centre, degrees. */
function semicircleOf({ heading, latitude }: Passing, towards: number): Semicircle | null {
  if (heading === null) return null;
  const right = (towards - heading + 360) % 360 < 180;
  return right === latitude >= 0 ? "dangerous" : "navigable";
}
