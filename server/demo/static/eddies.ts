import { DEGREE_KM, RADIANS } from "#lib/geo/sphere.ts";
import { jetStream, jetsOn, nearJets } from "#server/demo/fields/jets.ts";
import { hash } from "#server/demo/math/hash.ts";
import { LATTICE_NODES, lattice, latticeLatitude, onLattice } from "#server/demo/math/lattice.ts";
import { splineNoise } from "#server/demo/math/noise.ts";
import { clamp, nodesOf, smoothstep } from "#server/demo/math/patch.ts";

const ROWS = lattice.latitude.count;
const COLUMNS = lattice.longitude.count;
const STEP = lattice.latitude.step;
const SEED = 0x0eddee5;

/** Standard deviation of the smaller of the two bells whose difference is the texture, degrees. */
const SMALL = 0.62;
const LARGE = 2 * SMALL;
/** About a quarter of the wavelength that dominates the difference of the bells. */
const QUARTER_WAVE = (6.54 * SMALL) / 4;

/** Days in which each pair of textures drifts west by one wavelength: two, so that nothing ever repeats. */
export const EDDY_DAYS = [73, 101] as const;

/**
 * Eddies as a streamfunction: two textures, each with its copy a quarter of a wavelength further east. Cosine and sine of
 * time make a pair drift west without being moved (see `eddyWeights`).
 *
 * They are strongest where the mean current is, end at the coast and fade toward the equator and the poles.
 *
 * @param gyres From `deriveGyres`, m² s⁻¹.
 * @param coast From `coastDistance`, km.
 * @returns (4, latitude, longitude) over the lattice, m² s⁻¹.
 */
export function deriveEddies(gyres: Float32Array, coast: Float32Array): Float32Array {
  const offshore = onLattice(coast);
  const strength = amplitude(gyres, offshore);
  const eddies = new Float32Array(4 * LATTICE_NODES);
  for (let pair = 0; pair < 2; pair++) {
    for (let copy = 0; copy < 2; copy++) {
      const texture = bandNoise(SEED + pair, copy * QUARTER_WAVE);
      const at = (2 * pair + copy) * LATTICE_NODES;
      for (let node = 0; node < LATTICE_NODES; node++) {
        eddies[at + node] = texture[node]! * strength[node]!;
      }
    }
  }
  return eddies;
}

/** Shares of the four textures at a time (Unix seconds); their squares add up to 1. */
export function eddyWeights(seed: number, time: number, out: Float64Array): Float64Array {
  for (let pair = 0; pair < 2; pair++) {
    const turn = 2 * Math.PI * (time / (EDDY_DAYS[pair]! * 86_400) + hash(seed, 801, pair) / 4294967296);
    out[2 * pair] = Math.SQRT1_2 * Math.cos(turn);
    out[2 * pair + 1] = -Math.SQRT1_2 * Math.sin(turn);
  }
  return out;
}

function amplitude(gyres: Float32Array, offshore: Float32Array): Float32Array {
  const gyre = smooth(meanSpeed(gyres), 2);
  const jet = smooth(meanSpeed(jetsAlone()), 2);
  const patchy = new Float32Array(LATTICE_NODES);
  splineNoise(nodesOf(lattice), SEED + 7, 15, patchy);
  const out = new Float32Array(LATTICE_NODES);
  for (let row = 0; row < ROWS; row++) {
    const latitude = Math.abs(latticeLatitude(row));
    const zonal = (0.3 + 0.7 * smoothstep(4, 16, latitude)) * smoothstep(84, 72, latitude);
    for (let column = 0; column < COLUMNS; column++) {
      const node = row * COLUMNS + column;
      const ramp = Math.tanh(Math.max(0, offshore[node]!) / 110);
      // Broad flows share their energy among many eddies; the jets shed rings.
      const energetic =
        4200 + (200_000 * gyre[node]!) / (1 + gyre[node]! / 0.18) + 110_000 * Math.min(0.35, jet[node]!);
      out[node] = 0.62 * zonal * ramp * energetic * (0.55 + 0.9 * Math.max(0, patchy[node]! + 0.45));
    }
  }
  return out;
}

function jetsAlone(): Float32Array {
  const psi = new Float32Array(LATTICE_NODES);
  for (let column = 0; column < COLUMNS; column++) {
    const axes = jetsOn(0, Number.NaN, column * STEP - 180);
    if (axes.length === 0) continue;
    for (let row = 0; row < ROWS; row++) {
      const latitude = latticeLatitude(row);
      if (nearJets(latitude)) psi[row * COLUMNS + column] = jetStream(axes, latitude);
    }
  }
  return psi;
}

/** Speed of a flow, m s⁻¹, from its streamfunction. */
function meanSpeed(psi: Float32Array): Float32Array {
  const metres = STEP * DEGREE_KM * 1000;
  const speed = new Float32Array(LATTICE_NODES);
  for (let row = 1; row < ROWS - 1; row++) {
    const cos = Math.cos(latticeLatitude(row) * RADIANS);
    for (let column = 0; column < COLUMNS; column++) {
      const node = row * COLUMNS + column;
      const east = psi[row * COLUMNS + ((column + 1) % COLUMNS)]!;
      const west = psi[row * COLUMNS + ((column + COLUMNS - 1) % COLUMNS)]!;
      const u = (psi[node + COLUMNS]! - psi[node - COLUMNS]!) / (2 * metres);
      const v = (east - west) / (2 * metres * cos);
      speed[node] = Math.min(1.5, Math.hypot(u, v));
    }
  }
  return speed;
}

/** Noise of one scale, of mean square 1 in every row, moved east by `shift` degrees. */
function bandNoise(seed: number, shift: number): Float32Array {
  const white = new Float32Array(LATTICE_NODES);
  for (let row = 0; row < ROWS; row++) {
    for (let column = 0; column < COLUMNS; column++) {
      white[row * COLUMNS + column] = hash(seed, row, column) / 2147483648 - 1;
    }
  }
  const small = smooth(white, SMALL, shift);
  const large = smooth(white, LARGE, shift);
  for (let row = 0; row < ROWS; row++) {
    let square = 0;
    for (let node = row * COLUMNS; node < (row + 1) * COLUMNS; node++) {
      small[node]! -= large[node]!;
      square += small[node]! ** 2;
    }
    const scale = 1 / Math.sqrt(square / COLUMNS || 1);
    for (let node = row * COLUMNS; node < (row + 1) * COLUMNS; node++) small[node]! *= scale;
  }
  return small;
}

/**
 * Means under a round Gaussian bell, true in kilometres on every parallel.
 *
 * @param width Standard deviation, degrees.
 * @param shift Degrees (of a great circle) by which the result is moved east.
 */
function smooth(values: Float32Array, width: number, shift = 0): Float32Array {
  const half = new Float32Array(values.length);
  for (let row = 0; row < ROWS; row++) {
    const stretch = 1 / Math.max(0.15, Math.cos(latticeLatitude(row) * RADIANS));
    const bell = gaussian((width * stretch) / STEP, (shift * stretch) / STEP);
    const line = row * COLUMNS;
    for (let column = 0; column < COLUMNS; column++) {
      let sum = 0;
      for (let tap = 0; tap < bell.weights.length; tap++) {
        let from = column + bell.first + tap;
        if (from < 0) from += COLUMNS;
        else if (from >= COLUMNS) from -= COLUMNS;
        sum += bell.weights[tap]! * values[line + from]!;
      }
      half[line + column] = sum;
    }
  }
  const out = new Float32Array(values.length);
  const bell = gaussian(width / STEP, 0);
  for (let row = 0; row < ROWS; row++) {
    for (let tap = 0; tap < bell.weights.length; tap++) {
      const from = clamp(row + bell.first + tap, 0, ROWS - 1) * COLUMNS;
      const weight = bell.weights[tap]!;
      for (let column = 0; column < COLUMNS; column++) {
        out[row * COLUMNS + column]! += weight * half[from + column]!;
      }
    }
  }
  return out;
}

/** Weights of neighbours `first`, `first` + 1 …; moving a pattern east looks to the west. */
function gaussian(sigma: number, shift: number): { first: number; weights: Float64Array } {
  const reach = Math.ceil(2.6 * sigma);
  const first = Math.floor(-shift) - reach;
  const weights = Float64Array.from({ length: 2 * reach + 2 }, (_, tap) => {
    const off = (first + tap + shift) / sigma;
    return Math.exp(-0.5 * off * off);
  });
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return { first, weights: weights.map((weight) => weight / sum) };
}
