import { cross, dot, EARTH_KM, type Place, unit, type Vector, vectorOf } from "./sphere.ts";
import { unwrappedLine } from "./unwrap.ts";

/**
 * Whether a place lies in a closed ring whose vertices are joined by straight lines of longitude and latitude, as maps
 * draw them. The ring may cross the antimeridian.
 */
export function inRing(ring: readonly Place[], place: Place): boolean {
  return insideOf(ring)(place);
}

/** `inRing` for many places. */
export function insideOf(ring: readonly Place[]): (place: Place) => boolean {
  const line = unwrappedLine(ring);
  const middle = (Math.min(...line.map((v) => v.longitude)) + Math.max(...line.map((v) => v.longitude))) / 2;
  return ({ latitude, longitude }) => {
    const x = longitude - 360 * Math.round((longitude - middle) / 360);
    let inside = false;
    for (let index = 1; index < line.length; index++) {
      const [a, b] = [line[index - 1]!, line[index]!];
      if (a.latitude > latitude === b.latitude > latitude) continue;
      const crossing =
        a.longitude + ((b.longitude - a.longitude) * (latitude - a.latitude)) / (b.latitude - a.latitude);
      if (x < crossing) inside = !inside;
    }
    return inside;
  };
}

/**
 * Measures distances to the edge of a closed ring, or to a line, km: of its great-circle arcs, which for rings of `drawnRing` lie within
 * a kilometre of the drawn lines.
 */
export function edgeDistance(ring: readonly Place[]): (place: Place) => number {
  const vertices = ring.map(vectorOf);
  const arcs = vertices.slice(1).flatMap((to, index): Record<"normal" | "after" | "before", Vector>[] => {
    const from = vertices[index]!;
    const normal = cross(from, to);
    if (Math.hypot(...normal) < 1e-12) return [];
    const ahead = unit(normal);
    return [{ normal: ahead, after: cross(ahead, from), before: cross(to, ahead) }];
  });
  return (place) => {
    const at = vectorOf(place);
    let least = Math.PI;
    for (const vertex of vertices) least = Math.min(least, angleBetween(at, vertex));
    for (const { normal, after, before } of arcs) {
      // The nearest point of the great circle lies between the ends of the arc.
      if (dot(after, at) > 0 && dot(before, at) > 0)
        least = Math.min(least, Math.abs(Math.asin(Math.max(-1, Math.min(1, dot(normal, at))))));
    }
    return least * EARTH_KM;
  };
}

/** Accurate for small angles too. */
function angleBetween(a: Vector, b: Vector): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return 2 * Math.asin(Math.min(1, Math.sqrt(x * x + y * y + z * z) / 2));
}
