import { DEGREE_KM, EARTH_KM, RADIANS } from "@open-metocean/geo/sphere";
import { LRUCache } from "lru-cache";
import { type Nodes, smoothstep } from "./grid.ts";

// This file has the building blocks of the fields: hashed chance, round kernels on the sphere, and smooth noise.

/**
 * Hashes up to four integers to 32 well-mixed bits. It is the only source of randomness in the demo.
 *
 * It applies Murmur3's finaliser to each word, in integer arithmetic only, so that every engine gets the same planet.
 */
export function hash(seed: number, a: number, b = 0, c = 0): number {
  let h = mix(seed ^ 0x9e3779b9);
  h = mix(h ^ Math.imul(a | 0, 0x85ebca6b));
  h = mix((h + 0x6d2b79f5) ^ Math.imul(b | 0, 0xc2b2ae35));
  return mix((h + 0x1b873593) ^ Math.imul(c | 0, 0x27d4eb2f));
}

/** `hash` as a number in [0, 1). */
export function hash01(seed: number, a: number, b = 0, c = 0): number {
  return hash(seed, a, b, c) / 4294967296;
}

function mix(word: number): number {
  let h = word;
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

/**
 * Number of instants for which results are kept. A forecast has 265 hours; its series are read from the first hour to
 * the last for one field after another, so with fewer an hour would be forgotten before it is needed again.
 */
export const HOURS_OF_FORECAST = 288;

/** Number of instants for which results are kept that need much memory or little time. */
const FEW_INSTANTS = 48;

/**
 * Caches the latest results of a pure function of seed and time, because every patch of an hour needs the same systems.
 *
 * @param max Number of results that are kept.
 */
export function memoByTime<Result extends object>(
  compute: (seed: number, time: number) => Result,
  max = FEW_INSTANTS,
): (seed: number, time: number) => Result {
  const cached = new LRUCache<string, Result>({ max });
  return (seed, time) => {
    const key = `${seed} ${time}`;
    const known = cached.get(key);
    if (known) return known;
    const result = compute(seed, time);
    cached.set(key, result);
    return result;
  };
}

/** A round hill (or hollow) on the sphere: amplitude × (1 − q)ⁿ, q = (chord / chord of the radius)², 0 beyond. */
export interface Kernel {
  /** Degrees. */
  latitude: number;
  longitude: number;
  /** Great-circle distance at which it reaches exactly 0, km. */
  radius: number;
  amplitude: number;
  /** Unit vector of the centre. */
  x: number;
  y: number;
  z: number;
  /** 1 / (chord of the radius)², on the unit sphere. */
  sharpness: number;
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
  };
}

/**
 * Many kernels, as `KERNEL_NUMBERS` numbers each: the properties of `Kernel` in their order. As objects they would take
 * three times the memory, and an hour has hundreds of them.
 */
export type Kernels = Float64Array;

const KERNEL_NUMBERS = 8;

/** @param rows °N, °E, radius km, amplitude. */
export function kernels(rows: readonly (readonly [number, number, number, number])[]): Kernels {
  const table = new Float64Array(KERNEL_NUMBERS * rows.length);
  for (const [index, row] of rows.entries()) {
    const { latitude, longitude, radius, amplitude, x, y, z, sharpness } = kernel(...row);
    table.set([latitude, longitude, radius, amplitude, x, y, z, sharpness], KERNEL_NUMBERS * index);
  }
  return table;
}

/** Calls `visit` with each kernel that may reach a patch, in their order. The object is valid only during the call. */
function eachNear(nodes: Nodes, table: Kernels, visit: (centre: Kernel) => void): void {
  const south = nodes.latitude[0]!;
  const north = nodes.latitude[nodes.rows - 1]!;
  for (let at = 0; at < table.length; at += KERNEL_NUMBERS) {
    const latitude = table[at]!;
    const radius = table[at + 2]!;
    const degrees = reach(radius);
    if (latitude + degrees < south || latitude - degrees > north) continue;
    visited.latitude = latitude;
    visited.longitude = table[at + 1]!;
    visited.radius = radius;
    visited.amplitude = table[at + 3]!;
    visited.x = table[at + 4]!;
    visited.y = table[at + 5]!;
    visited.z = table[at + 6]!;
    visited.sharpness = table[at + 7]!;
    visit(visited);
  }
}

const visited: Kernel = kernel(0, 0, 1, 0);

/** Degrees of latitude within which a kernel of a radius lies, with a margin for rounding. */
function reach(radius: number): number {
  return (radius + 1) / DEGREE_KM;
}

/** Output of `spansOf`, valid until its next call: row, first column and the column after the last of each span. */
export let spans = new Int32Array(1024);

/**
 * Finds the spans of columns of a patch that may lie within the radius of a centre. A span may have one column too many
 * on each side: each node decides itself whether it is inside, so that the result is the same in every patch.
 *
 * @returns Number of entries written to `spans`, three per span.
 */
export function spansOf(nodes: Nodes, centre: Kernel): number {
  const { columns, longitudeStep: step } = nodes;
  const degrees = reach(centre.radius);
  const [south, north] = [centre.latitude - degrees, centre.latitude + degrees];
  if (north < nodes.latitude[0]! || south > nodes.latitude[nodes.rows - 1]!) return 0;
  if (spans.length < 9 * nodes.rows) spans = new Int32Array(9 * nodes.rows);
  let count = 0;
  const add = (row: number, from: number, to: number) => {
    spans[count++] = row;
    spans[count++] = from;
    spans[count++] = to;
  };
  const cosRadius = 1 - 0.5 / centre.sharpness;
  const cosCentre = Math.sqrt(Math.max(1e-12, 1 - centre.z * centre.z));
  let offset = (centre.longitude - nodes.longitude[0]!) % 360;
  if (offset < 0) offset += 360;
  for (let row = 0; row < nodes.rows; row++) {
    if (nodes.latitude[row]! < south || nodes.latitude[row]! > north) continue;
    const cosWidth = (cosRadius - nodes.sinLatitude[row]! * centre.z) / (nodes.cosLatitude[row]! * cosCentre);
    if (cosWidth > 1.001) continue;
    const width = cosWidth <= -1 ? 180 : Math.acos(Math.min(1, cosWidth)) / RADIANS;
    if (width > 178) {
      add(row, 0, columns);
      continue;
    }
    // A wide patch may contain both flanks of a centre across its edge.
    let free = 0;
    for (let turn = -360; turn <= 360; turn += 360) {
      const from = Math.max(free, Math.ceil((offset + turn - width) / step) - 1);
      const to = Math.min(columns, Math.floor((offset + turn + width) / step) + 2);
      if (from >= to) continue;
      add(row, from, to);
      free = to;
    }
  }
  return count;
}

/**
 * Adds cubic kernels (n = 3) and their gradients.
 *
 * @param value (rows, columns), in units of the amplitude.
 * @param east Gradient toward the east, units of the amplitude per km.
 * @param north Gradient toward the north, likewise.
 */
export function addKernels(
  nodes: Nodes,
  table: Kernels,
  value: Float32Array,
  east: Float32Array,
  north: Float32Array,
): void {
  eachNear(nodes, table, (centre) => addKernel(nodes, centre, value, east, north));
}

function addKernel(
  nodes: Nodes,
  centre: Kernel,
  value: Float32Array,
  east: Float32Array,
  north: Float32Array,
): void {
  const { columns, cosLongitude, sinLongitude } = nodes;
  const { x, y, z, sharpness, amplitude } = centre;
  const slope = (6 * sharpness * amplitude) / EARTH_KM;
  const count = spansOf(nodes, centre);
  for (let span = 0; span < count; span += 3) {
    const row = spans[span]!;
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    const to = spans[span + 2]!;
    for (let column = spans[span + 1]!; column < to; column++) {
      const c = cosLongitude[column]!;
      const s = sinLongitude[column]!;
      const along = c * x + s * y;
      const rest = 1 - 2 * (1 - cos * along - sin * z) * sharpness;
      if (rest <= 0) continue;
      const at = row * columns + column;
      const square = rest * rest;
      value[at]! += amplitude * square * rest;
      east[at]! += slope * square * (c * y - s * x);
      north[at]! += slope * square * (cos * z - sin * along);
    }
  }
}

/** Adds square kernels (n = 2) without their gradients. */
export function addBumps(nodes: Nodes, table: Kernels, value: Float32Array): void {
  eachNear(nodes, table, (centre) => addBump(nodes, centre, value));
}

/** Adds a square kernel (n = 2) without its gradient. */
export function addBump(nodes: Nodes, centre: Kernel, value: Float32Array): void {
  const { columns, cosLongitude, sinLongitude } = nodes;
  const { x, y, z, sharpness, amplitude } = centre;
  const count = spansOf(nodes, centre);
  for (let span = 0; span < count; span += 3) {
    const row = spans[span]!;
    const cos = nodes.cosLatitude[row]!;
    const sinZ = nodes.sinLatitude[row]! * z;
    const to = spans[span + 2]!;
    for (let column = spans[span + 1]!; column < to; column++) {
      const along = cosLongitude[column]! * x + sinLongitude[column]! * y;
      const rest = 1 - 2 * (1 - cos * along - sinZ) * sharpness;
      if (rest > 0) value[row * columns + column]! += amplitude * rest * rest;
    }
  }
}

/** Scales uniform coefficients so that the noise has a standard deviation of about 0.45 and rarely leaves ±1.3. */
const COEFFICIENT = 1.6 / 2147483648;

/** Lifetime of one layer of drifting noise, seconds. */
const LAYER_S = 36 * 3600;

/**
 * Noise fades out over this many degrees before a pole, where the meridians of the lattice would otherwise show as a
 * star.
 */
const POLAR_FADE = 16;

/**
 * Smooth noise: a cubic B-spline over coefficients hashed at the nodes of a lattice that is periodic in longitude. The
 * lattice lies at absolute multiples of `degrees`, so that a place has the same value in every patch.
 *
 * @param degrees Size of the lattice's cells. 360 is divided into the nearest whole number of columns.
 * @returns (rows, columns), about ±1.
 */
export function splineNoise(nodes: Nodes, seed: number, degrees: number): Float32Array {
  const out = new Float32Array(nodes.rows * nodes.columns);
  addNoise(nodes, seed, degrees, 1, out);
  return out;
}

/** Memory of `driftingNoise`, likewise used again. */
let shift = new Float64Array(0);

/**
 * Noise that drifts with a zonal flow indefinitely without being sheared apart. It has two layers, half a lifetime
 * apart, each carried from 18 h before the middle of its life to 18 h after it, and weighted to constant variance.
 *
 * @param time Unix seconds.
 * @param eastward Drift of each row as if it were at 45° of latitude, m s-1. Rows of equal drift turn together, so that
 *   converging meridians do not shear the pattern near a pole.
 * @returns (rows, columns), about ±1.
 */
export function driftingNoise(
  nodes: Nodes,
  seed: number,
  degrees: number,
  time: number,
  eastward: (latitude: number) => number = zonalDrift,
): Float32Array {
  const out = new Float32Array(nodes.rows * nodes.columns);
  for (let layer = 0; layer < 2; layer++) {
    const life = time / LAYER_S + layer / 2;
    const generation = Math.floor(life);
    const age = life - generation;
    if (shift.length < nodes.rows) shift = new Float64Array(nodes.rows);
    for (let row = 0; row < nodes.rows; row++) {
      const drift = eastward(nodes.latitude[row]!) / 1000;
      shift[row] = (drift * (age - 0.5) * LAYER_S) / (DEGREE_KM * Math.SQRT1_2);
    }
    addNoise(nodes, hash(seed, layer, generation), degrees, Math.sqrt(1 - Math.abs(2 * age - 1)), out, shift);
  }
  return out;
}

/** Eastward drift of weather, m s-1: with the trades in the tropics, with the westerlies beyond. */
function zonalDrift(latitude: number): number {
  return -4.5 + 15 * smoothstep(14, 38, Math.abs(latitude));
}

/**
 * Memory of `addNoise`, which is used again by its next call. The noise of a cell has few numbers, and new arrays for
 * them would cost more than to compute them.
 */
const scratch = { line: new Float64Array(0), places: new Int32Array(0), weights: new Float64Array(0) };
const rowWeights = new Float64Array(4);

/** @returns Arrays of at least this many columns of the lattice and of the patch. Their values are to be overwritten. */
function scratchFor(latticeColumns: number, columns: number): typeof scratch {
  if (scratch.line.length < latticeColumns) scratch.line = new Float64Array(latticeColumns);
  if (scratch.places.length < columns) {
    scratch.places = new Int32Array(columns);
    scratch.weights = new Float64Array(4 * columns);
  }
  return scratch;
}

/** @param shift Degrees east by which the pattern is moved in each row; none by default. */
function addNoise(
  nodes: Nodes,
  seed: number,
  degrees: number,
  weight: number,
  out: Float32Array,
  shift?: Float64Array,
): void {
  const around = Math.round(360 / degrees);
  const { rows, columns } = nodes;
  // A row of the patch can touch this many columns of the lattice.
  const touched = Math.min(around, Math.ceil(((columns - 1) * nodes.longitudeStep * around) / 360) + 2);
  const { line, places, weights } = scratchFor(touched + 3, columns);
  const w = rowWeights;
  const rings = ringsOf(seed, around);
  let first = 0;
  let weighed = Number.NaN;
  for (let row = 0; row < rows; row++) {
    const latitude = nodes.latitude[row]!;
    const fade = COEFFICIENT * weight * smoothstep(90, 90 - POLAR_FADE, Math.abs(latitude));
    const moved = shift ? shift[row]! % 360 : 0;
    if (moved !== weighed) first = weigh(nodes, around, moved, places, weights);
    weighed = moved;
    if (fade === 0) continue;
    const y = (latitude + 90) / degrees;
    const south = Math.floor(y);
    splineWeights(y - south, w, 0);
    const r0 = ringAt(rings, seed, south - 1, around);
    const r1 = ringAt(rings, seed, south, around);
    const r2 = ringAt(rings, seed, south + 1, around);
    const r3 = ringAt(rings, seed, south + 2, around);
    let from = (((first - 1) % around) + around) % around;
    for (let k = 0; k < touched + 3; k++) {
      line[k] = fade * (w[0]! * r0[from]! + w[1]! * r1[from]! + w[2]! * r2[from]! + w[3]! * r3[from]!);
      if (++from === around) from = 0;
    }
    const at = row * columns;
    for (let column = 0; column < columns; column++) {
      const k = places[column]!;
      const tap = 4 * column;
      out[at + column]! +=
        weights[tap]! * line[k]! +
        weights[tap + 1]! * line[k + 1]! +
        weights[tap + 2]! * line[k + 2]! +
        weights[tap + 3]! * line[k + 3]!;
    }
  }
}

/**
 * Rings of hashed coefficients of the latest patterns, by row of the lattice. Each takes a hundred bytes to a kilobyte.
 */
const patterns = new LRUCache<number, Map<number, Int32Array>>({ max: 96 });

/** A number above the column count of every lattice. */
const MAX_AROUND = 2 ** 16;

/** @param seed An integer of 32 bits. */
function ringsOf(seed: number, around: number): Map<number, Int32Array> {
  const key = seed * MAX_AROUND + around;
  const rings = patterns.get(key) ?? new Map<number, Int32Array>();
  patterns.set(key, rings);
  return rings;
}

function ringAt(rings: Map<number, Int32Array>, seed: number, row: number, around: number): Int32Array {
  const known = rings.get(row);
  if (known) return known;
  const ring = Int32Array.from({ length: around }, (_, column) => hash(seed, row, column) - 2147483648);
  rings.set(row, ring);
  return ring;
}

/**
 * Finds the position of each column of the patch among the columns of the noise's lattice.
 *
 * @param places Written: index of the first coefficient in the line for each column.
 * @param weights Written: the four weights of the spline, (columns, 4).
 * @returns Number of the lattice's column just west of the patch's first column.
 */
function weigh(
  { longitude, columns }: Nodes,
  around: number,
  moved: number,
  places: Int32Array,
  weights: Float64Array,
): number {
  const perDegree = around / 360;
  const first = Math.floor((longitude[0]! + 180 - moved) * perDegree);
  for (let column = 0; column < columns; column++) {
    const x = (longitude[column]! + 180 - moved) * perDegree;
    const west = Math.floor(x);
    places[column] = (west - first + around) % around;
    splineWeights(x - west, weights, 4 * column);
  }
  return first;
}

/** Weights of the four coefficients of a cubic B-spline, at `t` between the second and the third. */
export function splineWeights(t: number, out: Float64Array, offset: number): void {
  const r = 1 - t;
  out[offset] = (r * r * r) / 6;
  out[offset + 1] = (4 + t * t * (3 * t - 6)) / 6;
  out[offset + 2] = (4 + r * r * (3 * r - 6)) / 6;
  out[offset + 3] = (t * t * t) / 6;
}
