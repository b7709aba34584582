import { coordinate, type Grid, normaliseLongitude } from "#lib/field/grid.ts";
import { RADIANS } from "#lib/geo/sphere.ts";

/** A rectangle of the world at one instant. Arrays over it are (latitude, longitude) row-major, south to north. */
export interface Patch {
  /** Regular axes in any longitude convention. */
  grid: Grid;
  /** Unix seconds. */
  time: number;
}

/** Coordinates that every field needs, computed once per grid. */
export interface Nodes {
  rows: number;
  columns: number;
  /** Degrees, one a row. */
  latitude: Float64Array;
  /** Degrees in −180 ≤ λ < 180, one a column, so that 180, −180 and 540 are one place with one set of numbers. */
  longitude: Float64Array;
  /** Degrees between columns. */
  longitudeStep: number;
  sinLatitude: Float64Array;
  /** Never 0, so that a node on a pole can still be divided by it. */
  cosLatitude: Float64Array;
  sinLongitude: Float64Array;
  cosLongitude: Float64Array;
  /** Computed on first use. */
  outline: Outline | undefined;
}

/** A circle around a patch, on the unit sphere: its centre, and the chord of its radius. */
export interface Outline {
  x: number;
  y: number;
  z: number;
  chord: number;
}

const MIN_COS = 1e-3;

const known = new WeakMap<Grid, Nodes>();

/** Coordinates and their sines and cosines at the nodes of a grid. */
export function nodesOf(grid: Grid): Nodes {
  const cached = known.get(grid);
  if (cached) return cached;
  const rows = grid.latitude.count;
  const columns = grid.longitude.count;
  // One piece of memory: for a single cell, of which there are many thousands, arrays cost more than their numbers.
  const numbers = new Float64Array(3 * (rows + columns));
  let from = 0;
  const take = (count: number) => {
    from += count;
    return numbers.subarray(from - count, from);
  };
  const nodes: Nodes = {
    rows,
    columns,
    latitude: take(rows),
    longitude: take(columns),
    longitudeStep: grid.longitude.step,
    sinLatitude: take(rows),
    cosLatitude: take(rows),
    sinLongitude: take(columns),
    cosLongitude: take(columns),
    outline: undefined,
  };
  for (let row = 0; row < rows; row++) {
    const degrees = Math.max(-90, Math.min(90, coordinate(grid.latitude, row)));
    nodes.latitude[row] = degrees;
    nodes.sinLatitude[row] = Math.sin(degrees * RADIANS);
    nodes.cosLatitude[row] = Math.max(MIN_COS, Math.cos(degrees * RADIANS));
  }
  for (let column = 0; column < columns; column++) {
    const degrees = normaliseLongitude(coordinate(grid.longitude, column));
    nodes.longitude[column] = degrees;
    nodes.sinLongitude[column] = Math.sin(degrees * RADIANS);
    nodes.cosLongitude[column] = Math.cos(degrees * RADIANS);
  }
  known.set(grid, nodes);
  return nodes;
}

/** 0 below `from`, 1 above `to` (or the other way around when `from` > `to`), smooth in between. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return t * t * (3 - 2 * t);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}
