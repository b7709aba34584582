import type { Approach, ArrivalWindow, ClosestApproach } from "#lib/storms/approach.ts";
import type { ApproachAnswer } from "./approach-query.ts";

/** The closest approach of an answer of the service, as it is worked out. */
export function closestOf({ closest, least_clearance, from, until }: ApproachAnswer): ClosestApproach {
  return { closest: approachOf(closest), minClearance: approachOf(least_clearance), from, until };
}

/** The arrivals of an answer of the service, as they are worked out. */
export function windowsOf({ arrivals }: ApproachAnswer): ArrivalWindow[] {
  return arrivals.map(({ threshold_kt, outlook, earliest, likely, latest, ends, told_until }) => ({
    thresholdKt: threshold_kt,
    outlook,
    earliest,
    likely,
    latest,
    ends,
    radiiUntil: told_until,
  }));
}

function approachOf(approach: ApproachAnswer["closest"]): Approach {
  return {
    time: approach.time,
    km: approach.distance_km,
    bearing: approach.bearing_deg,
    galeKm: approach.gale_km,
    estimated: approach.gale_estimated,
    coneKm: approach.cone_km,
    clearanceKm: approach.clearance_km,
    semicircle: approach.semicircle,
  };
}
