import type { Flat } from "./gnomonic.ts";

/** Lines nearer to each other than this coincide, in units of the plane (Earth radii: 1 mm). */
const SAME = 1.5e-10;

/**
 * The outline of the union of connected convex polygons; holes are filled.
 *
 * The parts of edges that no other polygon covers are joined end to end. Where edges of two polygons coincide, that of the
 * first counts. Several times as fast as a general polygon clipper, without inputs that fail.
 *
 * @param polygons Corners in counter-clockwise order.
 * @returns Corners in counter-clockwise order, the first not repeated.
 */
export function convexUnion(polygons: readonly (readonly Flat[])[]): Flat[] {
  const shapes = polygons.map(shapeOf);
  const pieces = shapes.flatMap((shape, index) =>
    shape.edges.flatMap((edge) => uncovered(edge, shape, index, shapes)),
  );
  return largest(ringsOf(pieces));
}

interface Edge {
  from: Flat;
  to: Flat;
  /** Inward unit normal and its product with the edge: `nx · x + ny · y − offset` is the depth inside. */
  nx: number;
  ny: number;
  offset: number;
}

interface Shape {
  edges: Edge[];
  west: number;
  east: number;
  south: number;
  north: number;
}

type Piece = Pick<Edge, "from" | "to">;

function shapeOf(corners: readonly Flat[]): Shape {
  const edges: Edge[] = [];
  for (const [index, from] of corners.entries()) {
    const to = corners[(index + 1) % corners.length]!;
    const length = Math.hypot(to.x - from.x, to.y - from.y);
    if (length < SAME) continue;
    const [nx, ny] = [(from.y - to.y) / length, (to.x - from.x) / length];
    edges.push({ from, to, nx, ny, offset: nx * from.x + ny * from.y });
  }
  const [xs, ys] = [corners.map(({ x }) => x), corners.map(({ y }) => y)];
  return {
    edges,
    west: Math.min(...xs),
    east: Math.max(...xs),
    south: Math.min(...ys),
    north: Math.max(...ys),
  };
}

/** The parts of an edge that lie in no other shape. */
function uncovered(edge: Edge, own: Shape, ownIndex: number, shapes: readonly Shape[]): Piece[] {
  const covers: [number, number][] = [];
  for (const [index, shape] of shapes.entries()) {
    if (index === ownIndex || apart(shape, own)) continue;
    const cover = coveredBy(edge, shape, index < ownIndex ? -SAME : SAME);
    if (cover) covers.push(cover);
  }
  if (covers.length === 0) return [edge];
  covers.sort((a, b) => a[0] - b[0]);
  const pieces: Piece[] = [];
  let reached = 0;
  for (const [begin, end] of [...covers, [1, 1] as const]) {
    if (begin > reached) pieces.push({ from: along(edge, reached), to: along(edge, begin) });
    reached = Math.max(reached, end);
  }
  return pieces;
}

function apart(a: Shape, b: Shape): boolean {
  return a.west > b.east || b.west > a.east || a.south > b.north || b.south > a.north;
}

/** The share of an edge, [from, to] in 0..1, that is at least `depth` inside a convex shape (Cyrus and Beck). */
function coveredBy({ from, to }: Piece, shape: Shape, depth: number): [number, number] | undefined {
  let [begin, end] = [0, 1];
  for (const { nx, ny, offset } of shape.edges) {
    const first = nx * from.x + ny * from.y - offset - depth;
    const last = nx * to.x + ny * to.y - offset - depth;
    if (first < 0) {
      if (last < 0) return undefined;
      begin = Math.max(begin, first / (first - last));
    } else if (last < 0) end = Math.min(end, first / (first - last));
    if (begin >= end) return undefined;
  }
  return [begin, end];
}

function along({ from, to }: Piece, share: number): Flat {
  if (share === 0) return from;
  if (share === 1) return to;
  return { x: from.x + (to.x - from.x) * share, y: from.y + (to.y - from.y) * share };
}

/** Joins pieces end to end: each is followed by the one that begins nearest to its end. */
function ringsOf(pieces: readonly Piece[]): Flat[][] {
  const left = new Set(pieces);
  const rings: Flat[][] = [];
  for (const first of left) {
    left.delete(first);
    const ring = [first.from];
    let end = first.to;
    for (;;) {
      let next: Piece | undefined;
      let nearest = square(end, first.from);
      for (const piece of left) {
        const distance = square(end, piece.from);
        if (distance < nearest) [next, nearest] = [piece, distance];
        if (distance === 0) break;
      }
      if (!next) break;
      left.delete(next);
      ring.push(next.from);
      end = next.to;
    }
    rings.push(ring);
  }
  return rings;
}

function square(a: Flat, b: Flat): number {
  return (a.x - b.x) ** 2 + (a.y - b.y) ** 2;
}

function largest(rings: readonly Flat[][]): Flat[] {
  return rings.reduce((best, ring) => (area(ring) > area(best) ? ring : best), []);
}

/** Positive for corners in counter-clockwise order. */
function area(ring: readonly Flat[]): number {
  let sum = 0;
  for (const [index, { x, y }] of ring.entries()) {
    const next = ring[(index + 1) % ring.length]!;
    sum += x * next.y - next.x * y;
  }
  return sum / 2;
}
