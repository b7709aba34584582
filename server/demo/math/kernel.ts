import { DEGREE_KM, EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import type { Nodes, Outline } from "./patch.ts";

/** A round hill (or hollow) on the sphere: amplitude × (1 − q)ⁿ, q = (chord / chord of the radius)², 0 beyond. */
export interface Kernel {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Great-circle distance at which it has fallen to exactly 0, km. */
  radius: number;
  amplitude: number;
  /** Unit vector of the centre. */
  x: number;
  y: number;
  z: number;
  /** 1 / (chord of the radius)², on the unit sphere. */
  sharpness: number;
  /** Chord of the radius, on the unit sphere. */
  chord: number;
}

export function kernel(latitude: number, longitude: number, radius: number, amplitude: number): Kernel {
  const cos = Math.cos(latitude * RADIANS);
  const chord = 2 * Math.sin(Math.min(Math.PI / 2, radius / (2 * EARTH_KM)));
  return {
    latitude,
    longitude,
    radius,
    amplitude,
    x: cos * Math.cos(longitude * RADIANS),
    y: cos * Math.sin(longitude * RADIANS),
    z: Math.sin(latitude * RADIANS),
    sharpness: 1 / (chord * chord),
    chord,
  };
}

/** Spans of columns, `from` included and `to` excluded, in pairs. */
type Spans = Int32Array;

/** What `reach` writes to, valid until its next call: a wide patch can meet both flanks of a centre across its edge. */
export const spans: Spans = new Int32Array(6);

/** Rows [from, to) of a patch that a centre may touch. */
export interface RowSpan {
  from: number;
  to: number;
}

/**
 * Rows that may lie within the radius of a centre: none where the patch lies beyond it. Conservative, as `reach`
 * is.
 */
export function rowsWithin(nodes: Nodes, centre: Kernel): RowSpan {
  nodes.outline ??= drawOutline(nodes);
  const { outline } = nodes;
  const x = centre.x - outline.x;
  const y = centre.y - outline.y;
  const z = centre.z - outline.z;
  // The chord of a sum is less than the sum of the chords.
  const far = centre.chord + outline.chord + SPARE;
  if (x * x + y * y + z * z > far * far) return NO_ROWS;
  const degrees = (centre.radius + 1) / DEGREE_KM;
  return {
    from: firstNorthOf(nodes.latitude, centre.latitude - degrees),
    to: firstNorthOf(nodes.latitude, centre.latitude + degrees),
  };
}

/** Number of latitudes, ascending, that lie south of one. */
function firstNorthOf(latitude: Float64Array, limit: number): number {
  let from = 0;
  let to = latitude.length;
  while (from < to) {
    const middle = (from + to) >> 1;
    if (latitude[middle]! < limit) from = middle + 1;
    else to = middle;
  }
  return from;
}

const NO_ROWS: RowSpan = { from: 0, to: 0 };

/** A kilometre to spare, on the unit sphere: far more than rounding. */
const SPARE = 1 / EARTH_KM;

function drawOutline({ rows, columns, latitude, longitude, longitudeStep, ...nodes }: Nodes): Outline {
  const south = latitude[0]!;
  const north = latitude[rows - 1]!;
  const width = (columns - 1) * longitudeStep;
  const middle = kernel((south + north) / 2, longitude[0]! + width / 2, 1, 0);
  // Half around the globe and more: the farthest place need not be on the edge.
  if (width >= 180) return { ...middle, chord: 2 };
  let least = 1;
  const measure = (row: number, column: number) => {
    const along = nodes.cosLongitude[column]! * middle.x + nodes.sinLongitude[column]! * middle.y;
    least = Math.min(least, nodes.cosLatitude[row]! * along + nodes.sinLatitude[row]! * middle.z);
  };
  for (let row = 0; row < rows; row++) {
    measure(row, 0);
    measure(row, columns - 1);
  }
  for (let column = 0; column < columns; column++) {
    measure(0, column);
    measure(rows - 1, column);
  }
  return { ...middle, chord: Math.sqrt(2 - 2 * Math.max(-1, least)) };
}

/**
 * Columns of a row that may lie within the radius of a centre. Conservative by up to a column a side: whether a
 * node is inside is decided at the node itself, so that the answer is the same in every patch.
 *
 * @returns How many entries of `spans` were written.
 */
export function reach(nodes: Nodes, row: number, centre: Kernel): number {
  if (Math.abs(nodes.latitude[row]! - centre.latitude) * DEGREE_KM > centre.radius + 1) return 0;
  const { columns, longitudeStep: step } = nodes;
  const cosRadius = 1 - 0.5 / centre.sharpness;
  const cosCentre = Math.sqrt(Math.max(1e-12, 1 - centre.z * centre.z));
  const cosWidth = (cosRadius - nodes.sinLatitude[row]! * centre.z) / (nodes.cosLatitude[row]! * cosCentre);
  if (cosWidth > 1.001) return 0;
  const width = cosWidth <= -1 ? 180 : Math.acos(Math.min(1, cosWidth)) / RADIANS;
  if (width > 178) {
    spans[0] = 0;
    spans[1] = columns;
    return 2;
  }
  let offset = (centre.longitude - nodes.longitude[0]!) % 360;
  if (offset < 0) offset += 360;
  let count = 0;
  let free = 0;
  for (let turn = -360; turn <= 360; turn += 360) {
    const from = Math.max(free, Math.ceil((offset + turn - width) / step) - 1);
    const to = Math.min(columns, Math.floor((offset + turn + width) / step) + 2);
    if (from >= to) continue;
    spans[count++] = from;
    spans[count++] = to;
    free = to;
  }
  return count;
}

/**
 * Adds a cubic kernel (n = 3) and its gradient.
 *
 * @param value (rows, columns), in units of the amplitude.
 * @param east Gradient toward the east, units of the amplitude a km.
 * @param north Gradient toward the north, likewise.
 */
export function addKernel(
  nodes: Nodes,
  centre: Kernel,
  value: Float32Array,
  east: Float32Array,
  north: Float32Array,
): void {
  const { from, to } = rowsWithin(nodes, centre);
  if (from >= to) return;
  const { columns, cosLongitude, sinLongitude } = nodes;
  const { x, y, z, sharpness, amplitude } = centre;
  const slope = (6 * sharpness * amplitude) / EARTH_KM;
  for (let row = from; row < to; row++) {
    const count = reach(nodes, row, centre);
    if (count === 0) continue;
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    const sinZ = sin * z;
    const cosZ = cos * z;
    for (let span = 0; span < count; span += 2) {
      const end = spans[span + 1]!;
      for (let column = spans[span]!; column < end; column++) {
        const c = cosLongitude[column]!;
        const s = sinLongitude[column]!;
        const along = c * x + s * y;
        const rest = 1 - 2 * (1 - cos * along - sinZ) * sharpness;
        if (rest <= 0) continue;
        const at = row * columns + column;
        const square = rest * rest;
        value[at]! += amplitude * square * rest;
        east[at]! += slope * square * (c * y - s * x);
        north[at]! += slope * square * (cosZ - sin * along);
      }
    }
  }
}

/** Adds a square kernel (n = 2), value alone. */
export function addBump(nodes: Nodes, centre: Kernel, value: Float32Array): void {
  const { from, to } = rowsWithin(nodes, centre);
  if (from >= to) return;
  const { columns, cosLongitude, sinLongitude } = nodes;
  const { x, y, z, sharpness, amplitude } = centre;
  for (let row = from; row < to; row++) {
    const count = reach(nodes, row, centre);
    if (count === 0) continue;
    const cos = nodes.cosLatitude[row]!;
    const sinZ = nodes.sinLatitude[row]! * z;
    for (let span = 0; span < count; span += 2) {
      const end = spans[span + 1]!;
      for (let column = spans[span]!; column < end; column++) {
        const along = cosLongitude[column]! * x + sinLongitude[column]! * y;
        const rest = 1 - 2 * (1 - cos * along - sinZ) * sharpness;
        if (rest > 0) value[row * columns + column]! += amplitude * rest * rest;
      }
    }
  }
}
