import { edgeDistance, insideOf } from "#lib/geo/ring.ts";
import type { DangerArea } from "./danger-area.ts";
import type { Vessel } from "./vessel.ts";

/** A vessel on its way past or through a danger area. The area is that of all its hours together, as it is drawn. */
export interface DangerPassage {
  /** The period that the voyage and the area have in common, Unix seconds. */
  from: number;
  until: number;
  /** When the vessel is first within the area, `from` if it begins there; null if it keeps clear. */
  enters: number | null;
  /** When it is first outside again; null if it stays to the end, or never enters. */
  leaves: number | null;
  /** Least distance to the area, km; 0 if the vessel enters. */
  clearanceKm: number;
  /** The provider gives no radii for a part of the forecast; the reach of its gales is a typical value. */
  estimated: boolean;
}

/** Step of the search, seconds: a corner of the area that is crossed in less time may be missed. */
const STEP_S = 600;

/**
 * Whether and when a vessel is within a danger area.
 *
 * @returns undefined if the area has no outline, or no time in common with the voyage.
 */
export function dangerPassage(area: DangerArea, vessel: Vessel): DangerPassage | undefined {
  const { circles, outline } = area;
  const from = Math.max(circles[0]!.time, vessel.begins);
  const until = Math.min(circles.at(-1)!.time, vessel.ends);
  if (!outline || from > until) return undefined;
  const contains = insideOf(outline);
  const isInside = (time: number) => contains(vessel.at(time));
  const enters = firstTime(from, until, isInside);
  const leaves = enters === null ? null : firstTime(enters, until, (time) => !isInside(time));
  return {
    from,
    until,
    enters,
    leaves,
    clearanceKm: enters === null ? leastDistance(area, vessel, from, until) : 0,
    estimated: circles.some((circle) => circle.estimated),
  };
}

/** First time at which a condition is true, in steps and then by bisection to a second; null if it never is. */
function firstTime(from: number, until: number, condition: (time: number) => boolean): number | null {
  if (condition(from)) return from;
  for (let low = from; low < until; ) {
    let high = Math.min(until, low + STEP_S);
    if (!condition(high)) {
      low = high;
      continue;
    }
    while (high - low > 1) {
      const middle = Math.floor((low + high) / 2);
      if (condition(middle)) high = middle;
      else low = middle;
    }
    return Math.round(high);
  }
  return null;
}

function leastDistance({ outline }: DangerArea, vessel: Vessel, from: number, until: number): number {
  const distance = edgeDistance(outline!);
  let least = distance(vessel.at(until));
  for (let time = from; time < until; time += STEP_S) least = Math.min(least, distance(vessel.at(time)));
  return least;
}
