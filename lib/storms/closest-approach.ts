import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm, initialBearing } from "#lib/geo/sphere.ts";
import { galeThreshold } from "./danger-area.ts";
import { forecastMarks, type Passing, passingAt } from "./forecast-track.ts";
import type { Vessel } from "./vessel.ts";
import { radiusTowards, reachOf } from "./wind-reach.ts";

/**
 * The side of a moving storm that a vessel is on. In the dangerous semicircle, right of the track in the north and left in
 * the south, the storm's own motion adds to the wind and carries a vessel into its path.
 */
export type Semicircle = "dangerous" | "navigable";

/** A vessel and a storm at one time. */
export interface Approach {
  /** Unix seconds. */
  time: number;
  /** From the vessel to the storm's centre, km and degrees. */
  km: number;
  bearing: number;
  /** How far gales reach towards the vessel, km; typical of such a storm where `estimated`. */
  galeKm: number;
  estimated: boolean;
  /** Radius of the cone, km; null where none is given. */
  coneKm: number | null;
  /** What remains when gales and cone are taken off, km; negative inside. */
  clearanceKm: number;
  /** null for a storm that stays. */
  semicircle: Semicircle | null;
}

export interface ClosestApproach {
  /** When the centre is nearest. */
  closest: Approach;
  /** When least remains to gales and cone: the cone grows, so this may be later. */
  leastClearance: Approach;
  /** The time that was looked at, Unix seconds: both the voyage and the forecast. */
  from: number;
  until: number;
}

/** The first look is so fine, s; minima are then narrowed down to a second. */
const STEP_S = 600;

/**
 * The closest approach of a vessel to a storm's forecast track.
 *
 * @returns undefined where voyage and forecast have no time in common.
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
    const told = storm.radii(threshold);
    const next = marks.find((mark) => mark.time >= time)!;
    const galeKm = told ? radiusTowards(told, towards) : reachOf(next.point, threshold).km;
    const km = distanceKm(ship, storm);
    return {
      time,
      km,
      bearing: initialBearing(ship, storm),
      galeKm,
      estimated: told === undefined,
      coneKm: storm.coneKm,
      clearanceKm: km - galeKm - (storm.coneKm ?? 0),
      semicircle: semicircleOf(storm, towards),
    };
  };
  return {
    closest: approachAt(minimum((time) => distanceKm(vessel.at(time), passingAt(marks, time)!), from, until)),
    leastClearance: approachAt(minimum((time) => approachAt(time).clearanceKm, from, until)),
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

/** Where a function of time is least: by steps, then between the neighbours of the best by thirds. */
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
