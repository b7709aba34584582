import { destination, distanceKm, initialBearing, MILE_KM, type Place, toArc } from "#lib/geo/sphere.ts";
import type { Coast } from "./coast.ts";
import { rounded } from "./steps.ts";

/**
 * The points of a way that are needed to stay within a tolerance of the others, and clear of land (after Ramer, Douglas and
 * Peucker).
 *
 * @param way Each leg is clear of land.
 * @param tolerance N mi.
 */
export function simplifiedWay(way: readonly Place[], tolerance: number, coast: Coast): Place[] {
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
 * Ways that differ from one in a single waypoint: moved to either side, to and fro, or left out. Those that cross land are
 * not among them.
 *
 * @param by N mi.
 */
export function variations(way: readonly Place[], by: number, coast: Coast): { at: number; way: Place[] }[] {
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

/** A way with a waypoint in the middle of each leg that is longer than some miles, so that it can bend there. */
export function subdivided(way: readonly Place[], miles: number): Place[] {
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
