import {
  between,
  cross,
  DEGREE_KM,
  distanceKm,
  dot,
  EARTH_KM,
  type Place,
  RADIANS,
  unit,
  type Vector,
  vectorOf,
} from "./sphere.ts";

/**
 * Whether a place lies in a closed ring whose vertices are joined by straight lines of longitude and latitude, as maps
 * draw them. The ring may cross the antimeridian.
 */
export function inRing(ring: readonly Place[], place: Place): boolean {
  return insideOf(ring)(place);
}

/** Prepares `inRing` for many places. */
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
 * Measures distances to the edge of a closed ring, or to a line, km. The edge consists of great-circle arcs,
 * which for rings of `drawnRing` lie within a kilometre of the drawn lines.
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

/** Angle between two unit vectors, radians; this form is accurate for small angles too. */
function angleBetween(a: Vector, b: Vector): number {
  const [x, y, z] = [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
  return 2 * Math.asin(Math.min(1, Math.sqrt(x * x + y * y + z * z) / 2));
}

/** Largest spacing of vertices along a great circle, km, because maps draw straight lines between them. */
const DENSE_KM = 60;

/** Tolerances that are tried in turn until few enough vertices remain, km. */
const TOLERANCES_KM = [0.25, 0.4, 0.6, 0.8, 1, 1.5, 2.5, 4, 8, 16];

/**
 * A ring of great circles as a closed ring that maps can draw with straight lines of longitude and latitude.
 *
 * @param ring Corners in counter-clockwise order, joined by great circles; the first not repeated.
 * @param maxVertices Most vertices of the result, the repeated first included.
 * @returns Closed; longitudes in −180..180. null if the ring goes around a pole, because no such ring exists.
 */
export function drawnRing(ring: readonly Place[], maxVertices: number): Place[] | null {
  const dense = unwrappedLine(densified(ring));
  if (Math.abs(dense.at(-1)!.longitude - dense[0]!.longitude) > 180) return null;
  const deviation = (from: number, to: number) => (at: number) =>
    fromChord(dense[at]!, dense[from]!, dense[to]!);
  let kept: number[] = [];
  for (const tolerance of TOLERANCES_KM) {
    ({ kept } = simplified(dense.length, deviation, tolerance));
    if (kept.length <= maxVertices) break;
  }
  return kept.map((index) => {
    const { latitude, longitude } = dense[index]!;
    return { latitude, longitude: longitude - 360 * Math.round(longitude / 360) };
  });
}

function densified(ring: readonly Place[]): Place[] {
  const dense: Place[] = [];
  for (const [index, from] of ring.entries()) {
    const to = ring[(index + 1) % ring.length]!;
    const parts = Math.ceil(distanceKm(from, to) / DENSE_KM);
    dense.push(from);
    for (let part = 1; part < parts; part++) dense.push(between(from, to, part / parts));
  }
  dense.push(ring[0]!);
  return dense;
}

/**
 * Distance of a place from the line that a map draws between two others, km. Longitudes must be unwrapped.
 */
export function fromChord(place: Place, from: Place, to: Place): number {
  const east = DEGREE_KM * Math.cos(place.latitude * RADIANS);
  const [dx, dy] = [(to.longitude - from.longitude) * east, (to.latitude - from.latitude) * DEGREE_KM];
  const [px, py] = [(place.longitude - from.longitude) * east, (place.latitude - from.latitude) * DEGREE_KM];
  const square = dx * dx + dy * dy;
  const share = square === 0 ? 0 : Math.max(0, Math.min(1, (px * dx + py * dy) / square));
  return Math.hypot(px - share * dx, py - share * dy);
}

interface Span {
  from: number;
  to: number;
  /** Index of the point that is farthest from the straight line, and its distance. */
  farthest: number;
  off: number;
}

/**
 * Selects the points of a line that represent the others within a tolerance (Ramer, Douglas and Peucker). The
 * first and the last are always included. The worst span is divided first, so that a limit on the points also
 * limits the work.
 *
 * @param count Number of points.
 * @param deviation Distance of a point from the straight line between the points `from` and `to`.
 * @param most Most points that are kept, even if the tolerance is not reached.
 * @returns Their indices, ascending, and the greatest distance of a point that is left out.
 */
export function simplified(
  count: number,
  deviation: (from: number, to: number) => (at: number) => number,
  tolerance: number,
  most = count,
): { kept: number[]; within: number } {
  if (count < 3) return { kept: Array.from({ length: count }, (_, index) => index), within: 0 };
  const spanOf = (from: number, to: number): Span => {
    const deviationOf = deviation(from, to);
    let [farthest, off] = [from, 0];
    for (let at = from + 1; at < to; at++) {
      const distance = deviationOf(at);
      if (distance > off) [farthest, off] = [at, distance];
    }
    return { from, to, farthest, off };
  };
  const spans = [spanOf(0, count - 1)];
  for (;;) {
    let worst = 0;
    for (let index = 1; index < spans.length; index++)
      if (spans[index]!.off > spans[worst]!.off) worst = index;
    const { from, to, farthest, off } = spans[worst]!;
    if (off <= tolerance || spans.length + 1 >= most) {
      return { kept: [...spans.map((span) => span.from).sort((a, b) => a - b), count - 1], within: off };
    }
    spans[worst] = spanOf(from, farthest);
    spans.push(spanOf(farthest, to));
  }
}

/**
 * Removes jumps from longitudes by shifting each by whole turns to be nearest to the one before it.
 *
 * @param longitudes Degrees, any convention.
 */
export function unwrapped(longitudes: readonly number[]): number[] {
  const result: number[] = [];
  for (const longitude of longitudes) {
    const before = result.at(-1) ?? longitude;
    result.push(longitude - 360 * Math.round((longitude - before) / 360));
  }
  return result;
}

/**
 * A line with unwrapped longitudes, for maps that draw straight from vertex to vertex and accept longitudes
 * beyond 180.
 */
export function unwrappedLine<Vertex extends Place>(line: readonly Vertex[]): Vertex[] {
  const longitudes = unwrapped(line.map(({ longitude }) => longitude));
  return line.map((vertex, index) => ({ ...vertex, longitude: longitudes[index]! }));
}
