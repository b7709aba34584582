import { type Box, discBox, unionBox } from "./box.ts";
import { rhumbBetween, rhumbDistanceKm } from "./rhumb.ts";
import { dot, EARTH_KM, type Place, type Vector, vectorOf } from "./sphere.ts";

/** Distance of places along the line, as a share of the reach: its edge is off by a five-hundredth of the reach. */
const SPACING = 1 / 8;
const MAX_PLACES = 4000;

/** All places within a distance of a line of rhumb lines. */
export interface Corridor {
  box: Box;
  contains(place: Place): boolean;
}

/** @param line At least one place. @param km Reach on either side. */
export function corridorAround(line: readonly Place[], km: number): Corridor {
  const length = line.reduce((sum, place, i) => sum + (i > 0 ? rhumbDistanceKm(line[i - 1]!, place) : 0), 0);
  const spacing = Math.max(km * SPACING, length / MAX_PLACES);
  const places = [line[0]!];
  for (const [i, to] of line.slice(1).entries()) {
    const from = line[i]!;
    const parts = Math.max(1, Math.ceil(rhumbDistanceKm(from, to) / spacing));
    for (let part = 1; part <= parts; part++) places.push(rhumbBetween(from, to, part / parts));
  }
  const vectors = places.map(vectorOf);
  const reach = Math.min(Math.PI, km / EARTH_KM);
  const near = Math.cos(reach);
  const reachDegrees = (180 / Math.PI) * reach + 1e-6;
  const isNear = (vector: Vector, i: number) => dot(vector, vectors[i]!) >= near;
  // Nodes are asked for row by row, one beside the other.
  let [parallel, last] = [Number.NaN, 0];
  let besideParallel: number[] = [];
  return {
    box: unionBox(places.map((place) => discBox(place, km)))!,
    contains(place) {
      const vector = vectorOf(place);
      if (isNear(vector, last)) return true;
      if (place.latitude !== parallel) {
        parallel = place.latitude;
        besideParallel = [...places.keys()].filter(
          (i) => Math.abs(places[i]!.latitude - parallel) <= reachDegrees,
        );
      }
      for (const i of besideParallel)
        if (isNear(vector, i)) {
          last = i;
          return true;
        }
      return false;
    },
  };
}
