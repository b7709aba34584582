import { type Cap, capHull } from "./cap-hull.ts";
import { convexUnion } from "./convex-union.ts";
import { drawnRing } from "./drawn-ring.ts";
import { gnomonic } from "./gnomonic.ts";
import { combined, dot, EARTH_KM, type Place, placeOf, RADIANS, unit, vectorOf } from "./sphere.ts";

/** A disc around a place. */
export interface Disc extends Place {
  /** Radius, km. */
  km: number;
}

/** Most vertices of an outline, the repeated first included. */
const MAX_VERTICES = 120;

/** The gnomonic plane ends at 90° and is too coarse beyond this distance. No storm goes so far. */
const REACH = Math.cos(75 * RADIANS);

/**
 * The outline of the area swept by a disc that moves and grows from each of the given discs to the next: the union of the
 * convex hulls of consecutive discs. Holes are filled: an area that a storm goes around is not safe.
 *
 * @param discs At least one, in the order of time.
 * @returns Closed ring in counter-clockwise order, longitudes in −180..180, within 1 km where it is drawn straight from
 *   vertex to vertex. null where the area has no such outline: it contains a pole, spans more than 150° or is empty.
 */
export function sweptArea(discs: readonly Disc[]): Place[] | null {
  const caps = discs.map((disc): Cap => ({ centre: vectorOf(disc), radius: disc.km / EARTH_KM }));
  const centre = unit(combined(...caps.map((cap) => [1, cap.centre] as const)));
  const distant = caps.some(
    (cap) => Math.acos(Math.min(1, dot(cap.centre, centre))) + cap.radius > Math.acos(REACH),
  );
  const polar = discs.some(({ latitude, km }) => Math.abs(latitude) + km / EARTH_KM / RADIANS >= 90);
  if (distant || polar || discs.every(({ km }) => km <= 0)) return null;
  const { project, unproject } = gnomonic(centre);
  const hulls = (caps.length === 1 ? [capHull(caps[0]!, caps[0]!)] : pairs(caps)).map((hull) =>
    hull.map(project),
  );
  const outline = convexUnion(hulls).map((point) => placeOf(unproject(point)));
  return drawnRing(outline, MAX_VERTICES);
}

function pairs(caps: readonly Cap[]) {
  return caps.slice(1).map((cap, index) => capHull(caps[index]!, cap));
}
