import type { ListedPoint } from "./point-list.ts";

/** Points as columns: a worker hands them over without copying, and a long list takes little memory. */
export interface PointColumns {
  /** Degrees north and east. */
  latitude: Float64Array<ArrayBuffer>;
  longitude: Float64Array<ArrayBuffer>;
  /** Unix seconds; NaN where a point has none. */
  time: Float64Array<ArrayBuffer>;
  /** Speed of the leg that ends at a point, knots; NaN where it has none. */
  knots: Float64Array<ArrayBuffer>;
}

export function columnsOfPoints(points: readonly ListedPoint[]): PointColumns {
  return {
    latitude: Float64Array.from(points, ({ latitude }) => latitude),
    longitude: Float64Array.from(points, ({ longitude }) => longitude),
    time: Float64Array.from(points, ({ time }) => time ?? Number.NaN),
    knots: Float64Array.from(points, ({ knots }) => knots ?? Number.NaN),
  };
}

export function pointsOfColumns({ latitude, longitude, time, knots }: PointColumns): ListedPoint[] {
  return Array.from(latitude, (degrees, index) => ({
    latitude: degrees,
    longitude: longitude[index] ?? Number.NaN,
    time: present(time[index]),
    knots: present(knots[index]),
  }));
}

function present(value: number | undefined): number | undefined {
  return Number.isNaN(value) ? undefined : value;
}
