import { coordinate, type Grid, normaliseLongitude } from "@open-metocean/geo/grid";
import { RADIANS } from "@open-metocean/geo/sphere";
import { DAY_S } from "#lib/time.ts";

/** Grid of the coast and the sea floor: centres of quarter-degree cells. */
export const worldGrid: Grid = {
  latitude: { start: -89.875, step: 0.25, count: 720 },
  longitude: { start: -179.875, step: 0.25, count: 1440 },
};

/** Grid of the currents: nodes every half degree, including the poles. */
export const lattice: Grid = {
  latitude: { start: -90, step: 0.5, count: 361 },
  longitude: { start: -180, step: 0.5, count: 720 },
};

/** 1 on land, 0 at sea, at the cells of `worldGrid`, (latitude, longitude) row-major, south to north. */
export type LandMask = Uint8Array;

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
  /** Degrees in −180 ≤ λ < 180, one per column, so that 180, −180 and 540 are the same place with the same values. */
  longitude: Float64Array;
  /** Degrees between columns. */
  longitudeStep: number;
  sinLatitude: Float64Array;
  /** Never 0, so that it can be a divisor even at a pole. */
  cosLatitude: Float64Array;
  sinLongitude: Float64Array;
  cosLongitude: Float64Array;
}

const MIN_COS = 1e-3;

const known = new WeakMap<Grid, Nodes>();

export function nodesOf(grid: Grid): Nodes {
  const cached = known.get(grid);
  if (cached) return cached;
  const rows = grid.latitude.count;
  const columns = grid.longitude.count;
  // All coordinates share one buffer, because for single cells, of which there are thousands, arrays cost more than
  // their values.
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
  };
  for (let row = 0; row < rows; row++) {
    const degrees = clamp(coordinate(grid.latitude, row), -90, 90);
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

/** The part of a global lattice around a patch, and the positions of the patch's nodes in it. */
export interface Window {
  grid: Grid;
  nodes: Nodes;
  /** Row and column of the window's first node in the lattice. The row may be −1, beyond the pole. */
  firstRow: number;
  firstColumn: number;
  /** For each row and column of the patch: the window's row or column before it, and the share of the next one. */
  south: Int32Array;
  northward: Float64Array;
  west: Int32Array;
  eastward: Float64Array;
}

/**
 * Returns the part of a lattice starting at −90, −180 that a patch needs. Smooth fields are computed on its absolute
 * nodes, so that they are the same in every patch.
 *
 * @param margin Additional nodes around those between which the patch lies.
 */
export function windowOf(nodes: Nodes, step: number, margin: number): Window {
  const around = Math.round(360 / step);
  const last = Math.round(180 / step) - 1;
  const rowOf = (latitude: number) => Math.min(last, Math.floor((latitude + 90) / step));
  const columnOf = (longitude: number) => Math.floor((longitude + 180) / step);
  const firstRow = rowOf(nodes.latitude[0]!) - margin;
  const firstColumn = columnOf(nodes.longitude[0]!) - margin;
  const south = Int32Array.from(nodes.latitude, (latitude) => rowOf(latitude) - firstRow);
  const west = Int32Array.from(
    nodes.longitude,
    (longitude) => ((columnOf(longitude) - firstColumn - margin + around) % around) + margin,
  );
  const rows = south[nodes.rows - 1]! + 2 + margin;
  const grid = {
    latitude: { start: firstRow * step - 90, step, count: rows },
    longitude: { start: firstColumn * step - 180, step, count: Math.max(...west) + 2 + margin },
  };
  return {
    grid,
    nodes: nodesOf(grid),
    firstRow,
    firstColumn,
    south,
    northward: nodes.latitude.map((latitude) => (latitude + 90) / step - rowOf(latitude)),
    west,
    eastward: nodes.longitude.map((longitude) => (longitude + 180) / step - columnOf(longitude)),
  };
}

/**
 * Interpolates an array over a global grid at the nodes of a patch, bilinearly and cyclically in longitude. Beyond the
 * first and last row, their values are used.
 *
 * @returns (rows, columns), a new array.
 */
export function sample(values: Float32Array, { latitude, longitude }: Grid, nodes: Nodes): Float32Array {
  const out = new Float32Array(nodes.rows * nodes.columns);
  for (let row = 0; row < nodes.rows; row++) {
    const y = clamp((nodes.latitude[row]! - latitude.start) / latitude.step, 0, latitude.count - 1);
    const south = Math.min(latitude.count - 2, Math.floor(y));
    const low = south * longitude.count;
    const high = low + longitude.count;
    for (let column = 0; column < nodes.columns; column++) {
      const x = (nodes.longitude[column]! - longitude.start) / longitude.step;
      const floor = Math.floor(x);
      const west = floor < 0 ? floor + longitude.count : floor;
      const east = west + 1 === longitude.count ? 0 : west + 1;
      const below = values[low + west]! + (x - floor) * (values[low + east]! - values[low + west]!);
      const above = values[high + west]! + (x - floor) * (values[high + east]! - values[high + west]!);
      out[row * nodes.columns + column] = below + (y - south) * (above - below);
    }
  }
  return out;
}

/** Index of the cell around a place in arrays over `worldGrid`. */
export function cellAt(latitude: number, longitude: number): number {
  const { latitude: rows, longitude: columns } = worldGrid;
  const row = clamp(Math.floor((latitude + 90) / rows.step), 0, rows.count - 1);
  const column = Math.floor((longitude + 180) / columns.step) % columns.count;
  return row * columns.count + (column < 0 ? column + columns.count : column);
}

/** Land (1) or sea (0) at the nodes of a patch, by the quarter-degree cell around each. */
export function landAt(land: LandMask, nodes: Nodes): Uint8Array {
  const out = new Uint8Array(nodes.rows * nodes.columns);
  const columns = Int32Array.from(nodes.longitude, (longitude) => cellAt(-90, longitude));
  for (let row = 0; row < nodes.rows; row++) {
    const start = cellAt(nodes.latitude[row]!, -180);
    const at = row * nodes.columns;
    for (let column = 0; column < nodes.columns; column++) out[at + column] = land[start + columns[column]!]!;
  }
  return out;
}

/** Makes the values on land missing, in place. */
export function seaOnly(land: LandMask, nodes: Nodes, values: Float32Array): Float32Array {
  const dry = landAt(land, nodes);
  for (let at = 0; at < values.length; at++) if (dry[at] === 1) values[at] = Number.NaN;
  return values;
}

/** 0 below `from`, 1 above `to` (or reversed when `from` > `to`), smooth in between. */
export function smoothstep(from: number, to: number, value: number): number {
  const t = clamp((value - from) / (to - from), 0, 1);
  return t * t * (3 - 2 * t);
}

export function clamp(value: number, low: number, high: number): number {
  return Math.min(high, Math.max(low, value));
}

/** exp(−((value − centre) / width)²). */
export function bell(value: number, centre: number, width: number): number {
  const off = (value - centre) / width;
  return Math.exp(-off * off);
}

/** Annual cycle at a time in Unix seconds: +1 at a share of the year (0 = 1 January), −1 half a year later. */
export function yearly(time: number, peak: number): number {
  return Math.cos(2 * Math.PI * (time / DAY_S / 365.2425 - peak));
}

/** Northern winter: +1 in mid January, −1 in mid July. */
export function winter(time: number): number {
  return yearly(time, 0.04);
}

/** Mean solar time, hours in [0, 24). */
export function localHour(time: number, longitude: number): number {
  const hours = time / 3600 + longitude / 15;
  return hours - 24 * Math.floor(hours / 24);
}
