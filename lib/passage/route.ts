import { rhumbBetween, rhumbCourse, rhumbDistanceKm } from "@open-metocean/geo/rhumb";
import {
  destination,
  distanceKm,
  finalBearing,
  initialBearing,
  MILE_KM,
  type Place,
  RADIANS,
} from "@open-metocean/geo/sphere";

export const legKinds = ["great_circle", "rhumb"] as const;

export type LegKind = (typeof legKinds)[number];

export interface Leg {
  kind: LegKind;
  /** Length, n mi; 0 if both waypoints are the same place. */
  miles: number;
  /** The place at a share 0..1 of the length. */
  at(share: number): Place;
  /** True course over ground at that share, degrees clockwise from north, TO, [0, 360). */
  course(share: number): number;
}

/**
 * A leg on the sphere that the rest of the service uses; lengths differ from those on WGS84 by at most 0.5 %.
 * It takes the shorter way across 180°, and a great circle may pass over a pole.
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
    // Antipodal places have no unique bearing, so the course is taken from the way from the start.
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

/** Latitude at which Mercator maps end, degrees; nothing beyond it is drawn. */
const MERCATOR_END = 85.0511;

/** Largest distance of a line from the leg, degrees of the equator on the map; three pixels at zoom 10. */
const TOLERANCE = 0.002;

/**
 * Distance below which two places count as one, n mi, because rounding separates the two names of a place at
 * 180°.
 */
const NO_MILES = 1e-6;

/** Most times that a leg is halved. */
const MAX_DEPTH = 9;

/**
 * Parts with which the search starts, because a great circle across the equator has its middle on the chord.
 */
const PARTS = 8;

/**
 * A leg as lines for a map that draws straight from vertex to vertex in Mercator and accepts longitudes
 * beyond ±180: one line, or its parts within the map; empty for a leg of length 0. A rhumb line is straight
 * on such a map.
 */
export function legLines(from: Place, to: Place, kind: LegKind): Place[][] {
  const leg = legOf(from, to, kind);
  if (leg.miles < NO_MILES) return [];
  const line: Place[] = [];
  const push = (place: Place) => {
    const before = line.at(-1) ?? from;
    line.push({
      latitude: place.latitude,
      longitude: place.longitude - 360 * Math.round((place.longitude - before.longitude) / 360),
    });
  };
  const between = (start: number, end: number, depth: number) => {
    const middle = (start + end) / 2;
    if (depth > 0 && off(leg.at(start), leg.at(middle), leg.at(end)) > TOLERANCE) {
      between(start, middle, depth - 1);
      between(middle, end, depth - 1);
    } else push(leg.at(end));
  };
  push(from);
  const [parts, depth] = kind === "rhumb" ? [2, 0] : [PARTS, MAX_DEPTH];
  for (let part = 0; part < parts; part++) between(part / parts, (part + 1) / parts, depth);
  return withinMap(line);
}

/** Distance of the middle of a part from the middle of its chord on the map, degrees of the equator. */
function off(start: Place, middle: Place, end: Place): number {
  const turn = (one: Place) => 360 * Math.round((one.longitude - middle.longitude) / 360);
  const east = (start.longitude - turn(start) + end.longitude - turn(end)) / 2 - middle.longitude;
  const north = (northing(start) + northing(end)) / 2 - northing(middle);
  return Math.hypot(east, north);
}

function northing({ latitude }: Place): number {
  const within = Math.max(-MERCATOR_END, Math.min(MERCATOR_END, latitude));
  return Math.asinh(Math.tan(within * RADIANS)) / RADIANS;
}

/** The parts of a line that lie within a Mercator map. */
function withinMap(line: readonly Place[]): Place[][] {
  const parts: Place[][] = [[]];
  for (const place of line) {
    if (Math.abs(place.latitude) <= MERCATOR_END) parts.at(-1)!.push(place);
    else if (parts.at(-1)!.length > 0) parts.push([]);
  }
  return parts.filter((part) => part.length > 1);
}
