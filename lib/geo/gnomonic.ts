import { combined, cross, dot, unit, type Vector } from "./sphere.ts";

/** A point of the plane, Earth radii from the centre of the projection: x to the east, y to the north. */
export interface Flat {
  x: number;
  y: number;
}

/** The gnomonic projection, from the Earth's centre onto a tangent plane: great circles are straight lines. */
export interface Gnomonic {
  /** @param place Less than 90° from the centre. */
  project(place: Vector): Flat;
  unproject(point: Flat): Vector;
}

export function gnomonic(centre: Vector): Gnomonic {
  const { east, north } = frame(centre);
  return {
    project(place) {
      const height = dot(place, centre);
      return { x: dot(place, east) / height, y: dot(place, north) / height };
    },
    unproject: ({ x, y }) => unit(combined([1, centre], [x, east], [y, north])),
  };
}

/** East and north at a place. */
export function frame(place: Vector): { east: Vector; north: Vector } {
  const across = cross([0, 0, 1], place);
  const east: Vector = Math.hypot(...across) < 1e-12 ? [0, 1, 0] : unit(across);
  return { east, north: cross(place, east) };
}
