import { LRUCache } from "lru-cache";
import { DEGREE_KM } from "#lib/geo/sphere.ts";
import { hash } from "./hash.ts";
import { type Nodes, smoothstep } from "./patch.ts";

/** Scales uniform coefficients so that the noise has a standard deviation of about 0.45 and seldom leaves ±1.3. */
const COEFFICIENT = 1.6 / 2147483648;

/** How long one layer of drifting noise lives, seconds. */
const LAYER_S = 36 * 3600;

/** Noise fades out over this many degrees before a pole, where a lattice of meridians would draw a star. */
const POLAR_FADE = 16;

/**
 * Smooth noise: a cubic B-spline over coefficients hashed at the nodes of a lattice that is periodic in longitude.
 *
 * The lattice stands at absolute multiples of `degrees`, so the same place has the same value in every patch.
 *
 * @param degrees Size of the lattice's cells; 360 is divided into the nearest whole number of columns.
 * @param out (rows, columns), overwritten; about ±1.
 * @param shift Degrees east by which the pattern is moved in each row; none where absent.
 */
export function splineNoise(
  nodes: Nodes,
  seed: number,
  degrees: number,
  out: Float32Array,
  shift?: Float64Array,
): void {
  addNoise(nodes, [seed], degrees, 1, [out.fill(0)], shift);
}

/**
 * Noise that drifts with a zonal flow indefinitely without being sheared apart: two layers, each carried for 36 h from 18 h
 * before the middle of its life to 18 h after, half a life apart, weighted to constant variance.
 *
 * @param seeds One a pattern; patterns of one call share their lattice and drift.
 * @param time Unix seconds.
 * @param eastward Drift of each row as if it were at 45° of latitude, m s-1; `zonalDrift` is the usual one. Rows of equal
 *   drift turn together, so that meridians that close in toward a pole do not shear the pattern to streaks.
 * @returns A new array (rows, columns) a pattern; about ±1.
 */
export function driftingNoise(
  nodes: Nodes,
  seeds: readonly number[],
  degrees: number,
  time: number,
  eastward: (latitude: number) => number,
): Float32Array[] {
  const outs = seeds.map(() => new Float32Array(nodes.rows * nodes.columns));
  const shift = new Float64Array(nodes.rows);
  for (let layer = 0; layer < 2; layer++) {
    const life = time / LAYER_S + layer / 2;
    const generation = Math.floor(life);
    const age = life - generation;
    for (let row = 0; row < nodes.rows; row++) {
      shift[row] =
        ((eastward(nodes.latitude[row]!) / 1000) * (age - 0.5) * LAYER_S) / (DEGREE_KM * Math.SQRT1_2);
    }
    const weight = Math.sqrt(1 - Math.abs(2 * age - 1));
    addNoise(
      nodes,
      seeds.map((seed) => hash(seed, layer, generation)),
      degrees,
      weight,
      outs,
      shift,
    );
  }
  return outs;
}

/** Eastward drift of weather, m s-1: with the trades in the tropics, with the westerlies beyond. */
export function zonalDrift(latitude: number): number {
  return -4.5 + 15 * smoothstep(14, 38, Math.abs(latitude));
}

function addNoise(
  nodes: Nodes,
  seeds: readonly number[],
  degrees: number,
  weight: number,
  outs: readonly Float32Array[],
  shift?: Float64Array,
): void {
  const around = Math.round(360 / degrees);
  const { rows, columns, longitude } = nodes;
  // Columns of the lattice that a row of the patch can touch; a patch that is nearly global touches them all.
  const span = columns > 1 ? (((longitude[columns - 1]! - longitude[0]!) % 360) + 360) % 360 : 0;
  const touched = span < 1 && columns > 8 ? around : Math.min(around, Math.ceil((span * around) / 360) + 2);
  const line = new Float64Array(touched + 3);
  const places = new Int32Array(columns);
  const weights = new Float64Array(4 * columns);
  const rings = seeds.map((seed) => ringsOf(seed, around));
  /** The four rings of coefficients around a row, a pattern. */
  const fours: Int32Array[][] = seeds.map(() => []);
  let filledRow = Number.NaN;
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
    const t = y - south;
    const w0 = ((1 - t) ** 3 / 6) * fade;
    const w1 = (2 / 3 + t * t * (t / 2 - 1)) * fade;
    const w3 = ((t * t * t) / 6) * fade;
    const w2 = fade - w0 - w1 - w3;
    const asLastRow = south === filledRow;
    filledRow = south;
    for (let which = 0; which < outs.length; which++) {
      const out = outs[which]!;
      const four = fours[which]!;
      for (let k = 0; k < 4 && !asLastRow; k++)
        four[k] = ringAt(rings[which]!, seeds[which]!, south - 1 + k, around);
      const r0 = four[0]!;
      const r1 = four[1]!;
      const r2 = four[2]!;
      const r3 = four[3]!;
      let column = (((first - 1) % around) + around) % around;
      for (let k = 0; k < line.length; k++) {
        line[k] = w0 * r0[column]! + w1 * r1[column]! + w2 * r2[column]! + w3 * r3[column]!;
        if (++column === around) column = 0;
      }
      const at = row * columns;
      for (let column = 0; column < columns; column++) {
        const k = places[column]!;
        const w = 4 * column;
        out[at + column]! +=
          weights[w]! * line[k]! +
          weights[w + 1]! * line[k + 1]! +
          weights[w + 2]! * line[k + 2]! +
          weights[w + 3]! * line[k + 3]!;
      }
    }
  }
}

/** Rings of hashed coefficients of the latest patterns, by the lattice's row: some hundred bytes to a kilobyte each. */
const patterns = new LRUCache<number, Map<number, Int32Array>>({ max: 96 });

/** Above the columns of every lattice. */
const MAX_AROUND = 2 ** 16;

/** @param seed An integer of 32 bits. */
function ringsOf(seed: number, around: number): Map<number, Int32Array> {
  const key = seed * MAX_AROUND + around;
  let rings = patterns.get(key);
  if (!rings) {
    rings = new Map();
    patterns.set(key, rings);
  }
  return rings;
}

function ringAt(
  rings: Map<number, Int32Array>,
  seed: number,
  latticeRow: number,
  around: number,
): Int32Array {
  let ring = rings.get(latticeRow);
  if (!ring) {
    ring = new Int32Array(around);
    for (let column = 0; column < around; column++)
      ring[column] = hash(seed, latticeRow, column) - 2147483648;
    rings.set(latticeRow, ring);
  }
  return ring;
}

/**
 * Finds where each column of the patch lies among the columns of the lattice.
 *
 * @param places Written: which entry of the line of coefficients comes first for each column.
 * @param weights Written: the four weights of the spline, (columns, 4).
 * @returns Number of the lattice's column that lies just west of the patch's first.
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
    const s = x - west;
    const r = 1 - s;
    let k = west - first;
    if (k < 0) k += around;
    else if (k >= around) k -= around;
    places[column] = k;
    const w = 4 * column;
    weights[w] = (r * r * r) / 6;
    weights[w + 1] = (4 + s * s * (3 * s - 6)) / 6;
    weights[w + 2] = (4 + r * r * (3 * r - 6)) / 6;
    weights[w + 3] = (s * s * s) / 6;
  }
  return first;
}
