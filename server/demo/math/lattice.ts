import { coordinate, type Grid } from "#lib/field/grid.ts";
import { type Nodes, nodesOf } from "./patch.ts";
import { sampleWorld } from "./sample.ts";

/** Nodes of the fields that are smooth by nature (streamfunction, tides, warmth): every half degree, poles included. */
export const lattice: Grid = {
  latitude: { start: -90, step: 0.5, count: 361 },
  longitude: { start: -180, step: 0.5, count: 720 },
};

export const LATTICE_NODES = lattice.latitude.count * lattice.longitude.count;

/** An array over `worldGrid` at the nodes of the lattice. */
export function onLattice(values: Float32Array): Float32Array {
  return sampleWorld(values, nodesOf(lattice));
}

/** Part of the lattice that a patch needs: every node within reach of a cubic spline around each of its own nodes. */
export interface Window {
  /** Lattice row of the first row; may be −1 (a row beyond the pole repeats the pole's). */
  south: number;
  rows: number;
  /** Lattice columns, already wrapped. */
  columns: Int32Array;
  /** For each column of the patch: first of its four columns of the window, and how far beyond the second it lies. */
  firstColumn: Int32Array;
  eastward: Float64Array;
}

/** The window of a patch; columns that are met twice (a patch around the globe) are there once for each part. */
export function windowOf(nodes: Nodes): Window {
  const { latitude: rows, longitude: around } = lattice;
  const south = Math.floor((nodes.latitude[0]! - rows.start) / rows.step) - 1;
  const north = Math.floor((nodes.latitude[nodes.rows - 1]! - rows.start) / rows.step) + 2;
  const entryOf = new Int32Array(around.count).fill(-1);
  const columns: number[] = [];
  const firstColumn = new Int32Array(nodes.columns);
  const eastward = new Float64Array(nodes.columns);
  // Taps of a node must be neighbours in the window: each lattice column that starts a quartet gets a sequence of its own
  // unless it continues the last one.
  let lastTap = -10;
  for (let column = 0; column < nodes.columns; column++) {
    const x = (nodes.longitude[column]! - around.start) / around.step;
    const floor = Math.floor(x);
    eastward[column] = x - floor;
    const first = floor - 1;
    if (entryOf[floor % around.count]! < 0) {
      const gap = first + 3 - lastTap;
      const fresh = gap > 0 && gap < 4 ? gap : 4;
      for (let tap = 4 - fresh; tap < 4; tap++) {
        columns.push((first + tap + around.count) % around.count);
      }
      entryOf[floor % around.count] = columns.length - 4;
      lastTap = first + 3;
    }
    firstColumn[column] = entryOf[floor % around.count]!;
  }
  return { south, rows: north - south + 1, columns: Int32Array.from(columns), firstColumn, eastward };
}

/** Start in lattice arrays of a row of a window; beyond a pole the pole's row. */
export function rowStart(window: Window, row: number): number {
  const { latitude: rows, longitude: around } = lattice;
  return Math.min(rows.count - 1, Math.max(0, window.south + row)) * around.count;
}

/** Weights of the four coefficients of a cubic B-spline, at `t` of the way from the second to the third. */
export function splineWeights(t: number, out: Float64Array): Float64Array {
  const r = 1 - t;
  out[0] = (r * r * r) / 6;
  out[1] = (4 + t * t * (3 * t - 6)) / 6;
  out[2] = (4 + r * r * (3 * r - 6)) / 6;
  out[3] = (t * t * t) / 6;
  return out;
}

/** Derivatives of `splineWeights`, a lattice step. */
export function splineSlopes(t: number, out: Float64Array): Float64Array {
  const r = 1 - t;
  out[0] = (-r * r) / 2;
  out[1] = (t * (3 * t - 4)) / 2;
  out[2] = (-r * (3 * r - 4)) / 2;
  out[3] = (t * t) / 2;
  return out;
}

/** Latitude of a row of the lattice, degrees. */
export function latticeLatitude(row: number): number {
  return coordinate(lattice.latitude, row);
}

/** Values of an array over the lattice at the nodes of a patch, bilinear. */
export function sampleLattice(values: Float32Array, nodes: Nodes): Float32Array {
  const { latitude: rows, longitude: around } = lattice;
  const out = new Float32Array(nodes.rows * nodes.columns);
  for (let row = 0; row < nodes.rows; row++) {
    const y = (nodes.latitude[row]! - rows.start) / rows.step;
    const south = Math.min(rows.count - 2, Math.floor(y));
    const northward = y - south;
    const low = south * around.count;
    const high = low + around.count;
    for (let column = 0; column < nodes.columns; column++) {
      const x = (nodes.longitude[column]! - around.start) / around.step;
      const west = Math.floor(x);
      const east = west + 1 === around.count ? 0 : west + 1;
      const below = values[low + west]! + (x - west) * (values[low + east]! - values[low + west]!);
      const above = values[high + west]! + (x - west) * (values[high + east]! - values[high + west]!);
      out[row * nodes.columns + column] = below + northward * (above - below);
    }
  }
  return out;
}
