/** A vertex: longitude and latitude, degrees. */
type Vertex = number[];

/**
 * Clips a ring to a box, by Sutherland and Hodgman (1974). Edges along the box may join parts that are
 * separate within it.
 *
 * @param ring Closed: its last vertex is its first.
 * @param box Plane coordinates; the ring must not jump over ±180°.
 * @returns Closed; empty if nothing lies within the box.
 */
export function clipRing(
  ring: readonly Vertex[],
  [west, south, east, north]: readonly [west: number, south: number, east: number, north: number],
): Vertex[] {
  let clipped = ring.slice(0, -1);
  for (const [axis, line, sense] of [
    [0, west, 1],
    [0, east, -1],
    [1, south, 1],
    [1, north, -1],
  ] as const) {
    clipped = clipAt(clipped, axis, line, sense);
  }
  const [first] = clipped;
  return first ? [...clipped, first] : [];
}

/** The part of a ring on one side of a line. @param sense 1 keeps the side with the greater coordinate. */
function clipAt(ring: readonly Vertex[], axis: 0 | 1, line: number, sense: 1 | -1): Vertex[] {
  const inside = (vertex: Vertex) => sense * (vertex[axis]! - line) >= 0;
  const kept: Vertex[] = [];
  ring.forEach((vertex, index) => {
    const last = ring[index - 1] ?? ring.at(-1)!;
    if (inside(vertex) !== inside(last)) kept.push(crossing(last, vertex, axis, line));
    if (inside(vertex)) kept.push(vertex);
  });
  return kept;
}

function crossing(one: Vertex, other: Vertex, axis: 0 | 1, line: number): Vertex {
  const across = axis === 0 ? 1 : 0;
  const share = (line - one[axis]!) / (other[axis]! - one[axis]!);
  const at: Vertex = [0, 0];
  at[axis] = line;
  at[across] = one[across]! + share * (other[across]! - one[across]!);
  return at;
}
