import { rhumbBetween, rhumbCourse, rhumbDistanceKm } from "#lib/geo/rhumb.ts";
import {
  destination,
  distanceKm,
  finalBearing,
  initialBearing,
  MILE_KM,
  type Place,
} from "#lib/geo/sphere.ts";

export const legKinds = ["great_circle", "rhumb"] as const;

export type LegKind = (typeof legKinds)[number];

/** A way from one waypoint to the next. */
export interface Leg {
  kind: LegKind;
  /** Length, n mi; 0 where both waypoints are one place. */
  miles: number;
  /** The place at a share 0..1 of the length. */
  at(share: number): Place;
  /** True course over ground there, degrees clockwise from north, TO, [0, 360). */
  course(share: number): number;
}

/**
 * A leg on the sphere that the rest of the service uses; lengths differ from those on WGS84 by at most 0.5 %. It takes the
 * shorter way across 180°, and a great circle may pass over a pole.
 */
export function legOf(from: Place, to: Place, kind: LegKind): Leg {
  return kind === "rhumb" ? rhumbLeg(from, to) : greatCircleLeg(from, to);
}

function greatCircleLeg(from: Place, to: Place): Leg {
  const km = distanceKm(from, to);
  const begins = initialBearing(from, to);
  const at = (share: number) => destination(from, begins, km * share);
  return {
    kind: "great_circle",
    miles: km / MILE_KM,
    at,
    // Places opposite each other have no bearing of their own: the course is that of the way from the start.
    course: (share) => (share * km < 1e-3 ? begins : finalBearing(from, at(share))),
  };
}

function rhumbLeg(from: Place, to: Place): Leg {
  const course = rhumbCourse(from, to);
  return {
    kind: "rhumb",
    miles: rhumbDistanceKm(from, to) / MILE_KM,
    at: (share) => rhumbBetween(from, to, share),
    course: () => course,
  };
}
