import { hash } from "./hash.ts";
import { DEGREE_KM, type Nodes, smoothstep } from "./patch.ts";

/** Scales uniform coefficients so that the noise has a standard deviation of about 0.45 and seldom leaves ±1.3. */
const COEFFICIENT = 1.6 / 2147483648;

/** How long one layer of drifting noise lives, seconds. */
const LAYER_S = 36 * 3600;

/** Noise fades out over this many degrees before a pole, where a lattice of meridians would draw a star. */
const POLAR_FADE = 12;

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
  addNoise(nodes, seed, degrees, 1, out.fill(0), shift);
}

/**
 * Noise that drifts with a zonal flow for ever and is never sheared apart: two layers, each carried for 36 h from 18 h
 * before the middle of its life to 18 h after, half a life apart, weighted to constant variance.
 *
 * @param time Unix seconds.
 * @param eastward Drift of each row, m s-1; `zonalDrift` is the usual one.
 * @param out (rows, columns), overwritten; about ±1.
 */
export function driftingNoise(
  nodes: Nodes,
  seed: number,
  degrees: number,
  time: number,
  eastward: (latitude: number) => number,
  out: Float32Array,
): void {
  out.fill(0);
  const shift = new Float64Array(nodes.rows);
  for (let layer = 0; layer < 2; layer++) {
    const life = time / LAYER_S + layer / 2;
    const generation = Math.floor(life);
    const age = life - generation;
    for (let row = 0; row < nodes.rows; row++) {
      const cos = Math.max(0.15, nodes.cosLatitude[row]!);
      shift[row] = ((eastward(nodes.latitude[row]!) / 1000) * (age - 0.5) * LAYER_S) / (DEGREE_KM * cos);
    }
    const weight = Math.sqrt(1 - Math.abs(2 * age - 1));
    addNoise(nodes, hash(seed, layer, generation), degrees, weight, out, shift);
  }
}

/** Eastward drift of weather, m s-1: with the trades in the tropics, with the westerlies beyond. */
export function zonalDrift(latitude: number): number {
  return -6 + 17 * smoothstep(14, 38, Math.abs(latitude));
}

function addNoise(
  nodes: Nodes,
  seed: number,
  degrees: number,
  weight: number,
  out: Float32Array,
  shift?: Float64Array,
): void {
  const around = Math.round(360 / degrees);
  const perDegree = around / 360;
  const { rows, columns, longitude } = nodes;
  // Columns of the lattice that a row of the patch can touch; a patch that is nearly global touches them all.
  const span = columns > 1 ? (((longitude[columns - 1]! - longitude[0]!) % 360) + 360) % 360 : 0;
  const touched = span < 1 && columns > 8 ? around : Math.min(around, Math.ceil(span * perDegree) + 2);
  const line = new Float64Array(touched + 3);
  for (let row = 0; row < rows; row++) {
    const latitude = nodes.latitude[row]!;
    const fade = weight * smoothstep(90, 90 - POLAR_FADE, Math.abs(latitude));
    if (fade === 0) continue;
    const moved = shift ? shift[row]! % 360 : 0;
    const y = (latitude + 90) / degrees;
    const south = Math.floor(y);
    const t = y - south;
    const w0 = ((1 - t) ** 3 / 6) * COEFFICIENT * fade;
    const w1 = (2 / 3 + t * t * (t / 2 - 1)) * COEFFICIENT * fade;
    const w3 = ((t * t * t) / 6) * COEFFICIENT * fade;
    const w2 = COEFFICIENT * fade - w0 - w1 - w3;
    const first = Math.floor((longitude[0]! + 180 - moved) * perDegree);
    for (let k = 0; k < line.length; k++) {
      const column = (((first - 1 + k) % around) + around) % around;
      line[k] =
        w0 * (hash(seed, south - 1, column) - 2147483648) +
        w1 * (hash(seed, south, column) - 2147483648) +
        w2 * (hash(seed, south + 1, column) - 2147483648) +
        w3 * (hash(seed, south + 2, column) - 2147483648);
    }
    const at = row * columns;
    for (let column = 0; column < columns; column++) {
      const x = (longitude[column]! + 180 - moved) * perDegree;
      const west = Math.floor(x);
      const s = x - west;
      let k = west - first;
      if (k < 0) k += around;
      else if (k >= around) k -= around;
      const r = 1 - s;
      const s2 = s * s;
      const r2 = r * r;
      out[at + column]! +=
        (r2 * r * line[k]! +
          (4 + s2 * (3 * s - 6)) * line[k + 1]! +
          (4 + r2 * (3 * r - 6)) * line[k + 2]! +
          s2 * s * line[k + 3]!) /
        6;
    }
  }
}
