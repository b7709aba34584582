import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, initialBearing } from "#lib/geo/sphere.ts";
import { galeThreshold } from "./danger-area.ts";
import { forecastMarks, type Passing, passingAt } from "./forecast-track.ts";
import type { Vessel } from "./vessel.ts";
import { radiusTowards, reachOf } from "./wind-reach.ts";

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

/** Step of the first search, s; minima are then narrowed down to one second. */
const STEP_S = 600;

/**
 * The closest approach of a vessel to a storm's forecast track.
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
  const threshold = galeThreshold(entry);
  const approachAt = (time: number): Approach => {
    const storm = passingAt(marks, time)!;
    const ship = vessel.at(time);
    const towards = initialBearing(storm, ship);
    const radii = storm.radii(threshold);
    const next = marks.find((mark) => mark.time >= time)!;
    const galeKm = radii ? radiusTowards(radii, towards) : reachOf(next.point, threshold).km;
    const km = distanceKm(ship, storm);
    return {
      time,
      km,
      bearing: initialBearing(ship, storm),
      galeKm,
      estimated: radii === undefined,
      coneKm: storm.coneKm,
      clearanceKm: km - galeKm - (storm.coneKm ?? 0),
      semicircle: semicircleOf(storm, towards),
    };
  };
  return {
    closest: approachAt(minimum((time) => distanceKm(vessel.at(time), passingAt(marks, time)!), from, until)),
    minClearance: approachAt(minimum((time) => approachAt(time).clearanceKm, from, until)),
    from,
    until,
  };
}

/** @param towards Bearing from the storm's centre, degrees. */
function semicircleOf({ heading, latitude }: Passing, towards: number): Semicircle | null {
  if (heading === null) return null;
  const right = (towards - heading + 360) % 360 < 180;
  return right === latitude >= 0 ? "dangerous" : "navigable";
}

/** Minimum of a function of time, searched in steps and then by ternary search around the best. */
function minimum(value: (time: number) => number, from: number, until: number): number {
  let [best, least] = [from, Number.POSITIVE_INFINITY];
  const steps = Math.max(1, Math.ceil((until - from) / STEP_S));
  for (let step = 0; step <= steps; step++) {
    const time = from + ((until - from) * step) / steps;
    const found = value(time);
    if (found < least) [best, least] = [time, found];
  }
  let low = Math.max(from, best - STEP_S);
  let high = Math.min(until, best + STEP_S);
  while (high - low > 1) {
    const third = (high - low) / 3;
    if (value(low + third) <= value(high - third)) high -= third;
    else low += third;
  }
  const middle = (low + high) / 2;
  return Math.round(value(middle) <= least ? middle : best);
}
