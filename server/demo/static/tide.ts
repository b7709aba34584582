import { RADIANS } from "#lib/geo/sphere.ts";
import { kernel } from "#server/demo/math/kernel.ts";
import { LATTICE_NODES, lattice, latticeLatitude, onLattice } from "#server/demo/math/lattice.ts";
import { splineNoise } from "#server/demo/math/noise.ts";
import { nodesOf, smoothstep } from "#server/demo/math/patch.ts";

const ROWS = lattice.latitude.count;
const COLUMNS = lattice.longitude.count;
const SEED = 0x71de5;

/** Planes of the tide's array: eastward and northward, in phase and a quarter behind, semidiurnal then diurnal. */
export const TIDE_BANDS = 8;

/** Streams in deep, open water are this strong, m s⁻¹, before shallow water amplifies them. */
const SEMIDIURNAL = 0.6;
const DIURNAL = 0.2;

/** Coasts turn the streams along themselves as far out as this, km. */
const COAST_KM = 120;

/** Where the tide is known to be strong or weak: how many times the usual semidiurnal and diurnal streams. */
const regions: readonly (readonly [
  latitude: number,
  longitude: number,
  km: number,
  semi: number,
  diurnal: number,
])[] = [
  [50, -2.5, 450, 3, 1], // English Channel
  [54, -4.5, 350, 2.6, 1], // Irish Sea
  [45, -65.5, 400, 3, 1], // Fundy
  [-49, -66, 800, 3.2, 1], // Patagonia
  [-17, 122, 700, 3.4, 1], // Kimberley
  [60, -151, 500, 2.6, 1.6], // Cook Inlet
  [21.5, 71, 500, 2.6, 1.5], // Cambay
  [61, -68, 600, 2.6, 0.8], // Ungava and Hudson Strait
  [36, 126, 400, 2.6, 1], // western Korea
  [48.5, -124, 400, 2, 2.5], // Juan de Fuca
  [52.5, 3, 350, 1.5, 1], // southern North Sea
  [58, -3, 300, 2.6, 1], // Pentland
  [38, 5, 1100, 0.06, 0.2], // western Mediterranean
  [36, 22, 1300, 0.06, 0.2], // eastern Mediterranean
  [43.5, 34, 800, 0.03, 0.1], // Black Sea
  [58.5, 20, 800, 0.04, 0.15], // Baltic
  [42, 51, 700, 0.02, 0.05], // Caspian
  [46, -84, 800, 0.02, 0.05], // Great Lakes
  [15, -74, 1500, 0.25, 0.8], // Caribbean
  [25, -91, 1000, 0.25, 1.6], // Gulf of Mexico
  [15, 113, 1300, 0.6, 2.2], // South China Sea
  [39, 135, 700, 0.15, 0.3], // Sea of Japan
  [22, 38, 1000, 0.25, 0.3], // Red Sea
  [74, 60, 1000, 0.4, 0.6], // Kara
  [74, 140, 1500, 0.1, 0.25], // Siberian shelves
  [71, -178, 1000, 0.1, 0.2], // Chukchi
  [74, -100, 1100, 0.4, 0.5], // Canadian archipelago
  [76, 30, 900, 0.5, 0.5], // northern Barents
];

/**
 * Tidal streams as ellipses: strong over shelves and in known narrows, weak in the deep and in closed seas, along the
 * coast where there is one. Their shapes are synthetic; their clock is the real Moon's and Sun's (see `tideFactors`).
 *
 * @param coast From `coastDistance`, km.
 * @param depth From `deriveDepth`, metres.
 * @returns (8, latitude, longitude) over the lattice, m s⁻¹.
 */
export function deriveTide(coast: Float32Array, depth: Float32Array): Float32Array {
  const offshore = onLattice(coast);
  const metres = onLattice(depth);
  const strengthNoise = noise(14, 1);
  const wall = coastTensor(offshore);
  const tide = new Float32Array(TIDE_BANDS * LATTICE_NODES);
  for (let kind = 0; kind < 2; kind++) {
    const regional = regionalStrength(kind);
    const [lead, tilt, sense] = [noise(40, 2 + kind), noise(26, 4 + kind), noise(30, 6 + kind)];
    for (let node = 0; node < LATTICE_NODES; node++) {
      const row = Math.floor(node / COLUMNS);
      const longitude = (node - row * COLUMNS) * lattice.longitude.step - 180;
      const h = Math.max(8, metres[node]!);
      const shoal = 0.02 + 0.75 * Math.exp(-h / 75) + 2.4 / (h + 60);
      const usual =
        (kind === 0 ? SEMIDIURNAL : DIURNAL) * (0.8 + 1.2 * Math.max(0, strengthNoise[node]! + 0.25));
      const strength = usual * shoal * regional[node]! * smoothstep(87, 80, Math.abs(latticeLatitude(row)));
      const phase = 2 * Math.PI * (2 * lead[node]! + (kind === 0 ? 2 : 1) * (-longitude / 360));
      const axis = Math.PI * tilt[node]!;
      // Round enough that a coast across the axis leaves a stream along itself.
      const flat = (kind === 0 ? 0.55 : 0.65) * Math.tanh(4 * sense[node]!);
      // Along the coast only: what points at it is taken away.
      const shut = offshore[node]! > 0 ? Math.exp(-((offshore[node]! / COAST_KM) ** 2)) : 1;
      const [nn, ne, ee] = [wall.nn[node]!, wall.ne[node]!, wall.ee[node]!];
      const bands = [
        [Math.cos(axis) * Math.cos(phase) + flat * Math.sin(axis) * Math.sin(phase), 0],
        [Math.cos(axis) * Math.sin(phase) - flat * Math.sin(axis) * Math.cos(phase), 0],
      ] as [number, number][];
      bands[0]![1] = Math.sin(axis) * Math.cos(phase) - flat * Math.cos(axis) * Math.sin(phase);
      bands[1]![1] = Math.sin(axis) * Math.sin(phase) + flat * Math.cos(axis) * Math.cos(phase);
      for (let part = 0; part < 2; part++) {
        const [u, v] = bands[part]!;
        const east = u - shut * (ee * u + ne * v);
        const north = v - shut * (ne * u + nn * v);
        tide[(4 * kind + part) * LATTICE_NODES + node] = strength * east;
        tide[(4 * kind + 2 + part) * LATTICE_NODES + node] = strength * north;
      }
    }
  }
  return tide;

  function noise(degrees: number, salt: number): Float32Array {
    const out = new Float32Array(LATTICE_NODES);
    splineNoise(nodesOf(lattice), SEED + salt, degrees, out);
    return out;
  }
}

/**
 * The weights of the eight bands at a time: M2 with S2 (springs at full and new moon, neaps between) and K1 with O1, by
 * the mean longitudes of Moon and Sun (Schureman 1958).
 */
export function tideFactors(time: number, out: Float64Array): Float64Array {
  const days = time / 86_400 - 10_957.5; // since 2000-01-01 12:00
  const hourAngle = 2 * Math.PI * (days - Math.floor(days));
  const moon = (218.3164 + 13.17639648 * days) * RADIANS;
  const sun = (280.4661 + 0.98564736 * days) * RADIANS;
  // Springs follow the syzygy by about a day and a half: the age of the tide.
  const age = 37 * RADIANS;
  const m2 = 2 * (hourAngle - moon + sun);
  const s2 = 2 * hourAngle - age;
  const k1 = hourAngle + sun;
  const o1 = hourAngle + sun - 2 * moon - age;
  const semi = [Math.cos(m2) + 0.42 * Math.cos(s2), Math.sin(m2) + 0.42 * Math.sin(s2)] as const;
  const daily = [Math.cos(k1) + 0.7 * Math.cos(o1), Math.sin(k1) + 0.7 * Math.sin(o1)] as const;
  for (let kind = 0; kind < 2; kind++) {
    const [cos, sin] = kind === 0 ? semi : daily;
    out[4 * kind] = out[4 * kind + 2] = cos;
    out[4 * kind + 1] = out[4 * kind + 3] = sin;
  }
  return out;
}

function regionalStrength(kind: number): Float32Array {
  const nodes = nodesOf(lattice);
  const out = new Float32Array(LATTICE_NODES).fill(1);
  for (const [latitude, longitude, km, semi, diurnal] of regions) {
    const { x, y, z, sharpness } = kernel(latitude, longitude, km, 1);
    const times = kind === 0 ? semi : diurnal;
    for (let node = 0; node < LATTICE_NODES; node++) {
      const row = Math.floor(node / COLUMNS);
      const column = node - row * COLUMNS;
      const cos = nodes.cosLatitude[row]!;
      const near =
        cos * (nodes.cosLongitude[column]! * x + nodes.sinLongitude[column]! * y) +
        nodes.sinLatitude[row]! * z;
      const rest = 1 - 2 * (1 - near) * sharpness;
      if (rest > 0) out[node]! *= 1 + (times - 1) * smoothstep(0, 0.5, rest);
    }
  }
  return out;
}

/** n·nᵀ of the unit vector toward the open sea, smoothed: unlike the vector it has no seam in the middle of a strait. */
function coastTensor(offshore: Float32Array) {
  const [nn, ne, ee] = [0, 1, 2].map(() => new Float32Array(LATTICE_NODES)) as [
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (let row = 2; row < ROWS - 2; row++) {
    const cos = Math.cos(latticeLatitude(row) * RADIANS);
    for (let column = 0; column < COLUMNS; column++) {
      let [sumNN, sumNE, sumEE] = [0, 0, 0];
      for (let up = -1; up <= 1; up++) {
        for (let right = -1; right <= 1; right++) {
          const line = (row + up) * COLUMNS;
          const at = (column + right + COLUMNS) % COLUMNS;
          const e =
            (offshore[line + ((at + 1) % COLUMNS)]! - offshore[line + ((at + COLUMNS - 1) % COLUMNS)]!) / cos;
          const n = offshore[line + COLUMNS + at]! - offshore[line - COLUMNS + at]!;
          sumNN += n * n;
          sumNE += n * e;
          sumEE += e * e;
        }
      }
      const node = row * COLUMNS + column;
      const trace = sumNN + sumEE || 1;
      nn[node] = sumNN / trace;
      ne[node] = sumNE / trace;
      ee[node] = sumEE / trace;
    }
  }
  return { nn, ne, ee };
}
