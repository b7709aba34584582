import { drawnRing } from "./ring.ts";
import {
  combined,
  cross,
  dot,
  EARTH_KM,
  type Place,
  placeOf,
  RADIANS,
  unit,
  type Vector,
  vectorOf,
} from "./sphere.ts";

/** A disc around a place. */
export interface Disc extends Place {
  /** Radius, km. */
  km: number;
}

/** Most vertices of an outline, the repeated first included. */
const MAX_VERTICES = 120;

/**
 * Cosine of the largest angle from the centre. The gnomonic plane ends at 90° and is too coarse beyond 75°;
 * no storm track reaches that far.
 */
const REACH = Math.cos(75 * RADIANS);

/**
 * The outline of the area swept by a disc that moves and grows from each of the given discs to the next: the
 * union of the convex hulls of consecutive discs. Holes are filled, because an area that a storm goes around
 * is not safe.
 *
 * @param discs At least one, in the order of time.
 * @returns Closed ring in counter-clockwise order, longitudes in −180..180, within 1 km if drawn straight
 * from vertex to vertex. null if the area has no such outline because it contains a pole, spans more than
 * 150° or is empty.
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

/** A disc on the sphere: all places within a radius of its centre. */
interface Cap {
  centre: Vector;
  /** Radians, below π/2. */
  radius: number;
}

/** Largest distance between a chord and its circle, radians: 100 m. */
const ARC_DEVIATION = 0.1 / EARTH_KM;

const TURN = 2 * Math.PI;

/**
 * The convex hull of two discs, counter-clockwise: two arcs, joined by the two great circles that touch both discs. Arcs
 * of one disc have the same vertices in every hull.
 *
 * The poles p of the tangent great circles satisfy p · c₁ = sin r₁ and p · c₂ = sin r₂, so p = a c₁ + b c₂ ± g n with n
 * normal to both centres; the tangent points are in the direction c − (sin r) p.
 */
function capHull(first: Cap, second: Cap): Vector[] {
  const across = cross(first.centre, second.centre);
  const distance = Math.atan2(Math.hypot(...across), dot(first.centre, second.centre));
  if (distance <= Math.abs(first.radius - second.radius) + 1e-12) {
    return circle(first.radius >= second.radius ? first : second);
  }
  const [s1, s2] = [Math.sin(first.radius), Math.sin(second.radius)];
  const k = Math.cos(distance);
  const scale = Math.sin(distance) ** 2;
  const a = (s1 - k * s2) / scale;
  const b = (s2 - k * s1) / scale;
  const g = Math.sqrt(Math.max(0, 1 - a * a - b * b - 2 * a * b * k));
  const n = unit(across);
  // Seen from the first centre towards the second, the pole of the right tangent lies on the left.
  const right = combined([a, first.centre], [b, second.centre], [g, n]);
  const left = combined([a, first.centre], [b, second.centre], [-g, n]);
  return [
    ...arc(second, touching(second, right), touching(second, left)),
    ...arc(first, touching(first, left), touching(first, right)),
  ];
}

function touching({ centre, radius }: Cap, pole: Vector): Vector {
  return unit(combined([1, centre], [-Math.sin(radius), pole]));
}

function circle(cap: Cap): Vector[] {
  const count = cornersOf(cap);
  const at = pointsOf(cap);
  return Array.from({ length: count }, (_, index) => at((TURN * index) / count));
}

/** The points counter-clockwise along a disc's edge from one point to another, both included. */
function arc(cap: Cap, from: Vector, to: Vector): Vector[] {
  if (cap.radius < 1e-12) return [cap.centre];
  const count = cornersOf(cap);
  const step = TURN / count;
  const { east, north } = frame(cap.centre);
  const angle = (place: Vector) => Math.atan2(dot(place, north), dot(place, east));
  const begin = angle(from);
  const length = (((angle(to) - begin) % TURN) + TURN) % TURN;
  const at = pointsOf(cap);
  const places = [from];
  for (let index = Math.floor(begin / step) + 1; index * step < begin + length; index++) {
    // A vertex that almost coincides with a tangent point would produce an edge without a direction.
    if (index * step - begin > 1e-6 && begin + length - index * step > 1e-6)
      places.push(at(step * (index % count)));
  }
  places.push(to);
  return places;
}

/** Points on a disc's edge by their angle, radians counter-clockwise from east. */
function pointsOf({ centre, radius }: Cap): (angle: number) => Vector {
  const { east, north } = frame(centre);
  const [sin, cos] = [Math.sin(radius), Math.cos(radius)];
  return (angle) => combined([cos, centre], [sin * Math.cos(angle), east], [sin * Math.sin(angle), north]);
}

function cornersOf({ radius }: Cap): number {
  return Math.max(12, Math.ceil(Math.PI / Math.acos(1 - Math.min(0.1, ARC_DEVIATION / radius))));
}

/** Lines within this distance of each other coincide, in units of the plane (Earth radii; 1 mm). */
const SAME = 1.5e-10;

/**
 * The outline of the union of connected convex polygons; holes are filled.
 *
 * The parts of edges that no other polygon covers are joined end to end. Where edges of two polygons
 * coincide, the edge of the first is used. This is several times as fast as a general polygon clipper, and no
 * input makes it fail.
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

/** Signed area; positive if the corners are in counter-clockwise order. */
function area(ring: readonly Flat[]): number {
  let sum = 0;
  for (const [index, { x, y }] of ring.entries()) {
    const next = ring[(index + 1) % ring.length]!;
    sum += x * next.y - next.x * y;
  }
  return sum / 2;
}

/** A point of the plane, Earth radii from the centre of the projection: x to the east, y to the north. */
export interface Flat {
  x: number;
  y: number;
}

/** The gnomonic projection, from the Earth's centre onto a tangent plane: great circles are straight lines. */
interface Gnomonic {
  /** @param place Less than 90° from the centre. */
  project(place: Vector): Flat;
  unproject(point: Flat): Vector;
}

function gnomonic(centre: Vector): Gnomonic {
  const { east, north } = frame(centre);
  return {
    project(place) {
      const height = dot(place, centre);
      return { x: dot(place, east) / height, y: dot(place, north) / height };
    },
    unproject: ({ x, y }) => unit(combined([1, centre], [x, east], [y, north])),
  };
}

/** Unit vectors to the east and north at a place. */
function frame(place: Vector): { east: Vector; north: Vector } {
  const across = cross([0, 0, 1], place);
  const east: Vector = Math.hypot(...across) < 1e-12 ? [0, 1, 0] : unit(across);
  return { east, north: cross(place, east) };
}
