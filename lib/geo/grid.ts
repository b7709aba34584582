/** Evenly spaced, ascending coordinates, degrees: `start + i · step` for i in [0, count). */
export interface Axis {
  start: number;
  step: number;
  count: number;
}

/**
 * A regular latitude/longitude grid, rows south to north, columns west to east.
 *
 * A global grid starts at or after −180 and wraps; the longitudes of a regional grid that crosses the antimeridian
 * continue past 180 (150 … 210), so that columns stay in order. A value at (row, column) is at `row · longitude.count + column`.
 */
export interface Grid {
  latitude: Axis;
  longitude: Axis;
  /**
   * Outline of the valid values, if it is not the box of the first and last rows and columns: values of a
   * projected grid are interpolated to the box around it. Corners in order, [longitude, latitude], degrees;
   * longitudes continue past ±180.
   */
  outline?: readonly (readonly [longitude: number, latitude: number])[];
}

/** Whether two grids have the same nodes. */
export function sameGrid(one: Grid, other: Grid): boolean {
  const same = (a: Axis, b: Axis) => a.start === b.start && a.step === b.step && a.count === b.count;
  return one === other || (same(one.latitude, other.latitude) && same(one.longitude, other.longitude));
}

/** Whether columns wrap around the globe. */
export function wraps(longitude: Axis): boolean {
  return Math.abs(longitude.step * longitude.count - 360) < longitude.step / 2;
}

/** Whether a grid covers the globe, except for less than one step around the poles. */
export function coversGlobe({ latitude, longitude }: Grid): boolean {
  const { start, step, count } = latitude;
  return wraps(longitude) && start - step < -90 && start + step * count > 90;
}

/** Coordinate of a node, degrees. */
export function coordinate(axis: Axis, index: number): number {
  return axis.start + index * axis.step;
}

/** Coordinates of all nodes, degrees. */
export function coordinates(axis: Axis): Float64Array {
  return Float64Array.from({ length: axis.count }, (_, index) => coordinate(axis, index));
}

/** Normalises a longitude to −180 ≤ λ < 180. */
export function normaliseLongitude(longitude: number): number {
  const east = (((longitude + 180) % 360) + 360) % 360;
  return east - 180;
}

/** Every `stride`-th node of an axis, the first included; for a global longitude axis the stride must divide the count. */
export function strided(axis: Axis, stride: number): Axis {
  return { start: axis.start, step: axis.step * stride, count: Math.floor((axis.count - 1) / stride) + 1 };
}
