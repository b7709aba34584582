import { frame } from "./gnomonic.ts";
import { combined, cross, dot, EARTH_KM, unit, type Vector } from "./sphere.ts";

/** A disc on the sphere: all places within a radius of its centre. */
export interface Cap {
  centre: Vector;
  /** Radians, below π/2. */
  radius: number;
}

/** Largest distance of a chord from its circle, radians: 100 m. */
const ARC_DEVIATION = 0.1 / EARTH_KM;

const TURN = 2 * Math.PI;

/**
 * The convex hull of two discs, counter-clockwise: two arcs, joined by the two great circles that touch both discs. Arcs
 * of one disc have the same vertices in every hull.
 *
 * The poles p of the tangent great circles satisfy p · c₁ = sin r₁ and p · c₂ = sin r₂, so p = a c₁ + b c₂ ± g n with n
 * normal to both centres; the tangent points are in the direction c − (sin r) p.
 */
export function capHull(first: Cap, second: Cap): Vector[] {
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
  // Seen from the first centre towards the second, the pole of the right tangent is on the left.
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

/** Counter-clockwise along a disc's edge from one point to another, both included. */
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
    // Vertices that almost coincide with a tangent point would make edges without a direction.
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
