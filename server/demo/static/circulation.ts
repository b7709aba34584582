import { DEGREE_KM, EARTH_KM, RADIANS } from "@open-metocean/geo/sphere";
import { bell, lattice, nodesOf, sample, smoothstep, worldGrid } from "#server/demo/math/grid.ts";
import { addBump, kernel, splineNoise } from "#server/demo/math/patterns.ts";

// This file derives inputs of the currents over the lattice: the mean streamfunction, and the ellipses of the tides.

const ROWS = lattice.latitude.count;
const COLUMNS = lattice.longitude.count;
export const LATTICE_NODES = ROWS * COLUMNS;
const STEP = lattice.latitude.step * RADIANS;
const EARTH_M = EARTH_KM * 1000;

/** Bottom friction, s⁻¹. */
const FRICTION = 5e-7;
const WATER_DENSITY = 1025;
/** Depth of the layer that carries the transport, metres. */
const LAYER_M = 260;
/** Streamfunction of the Antarctic Circumpolar Current in that layer (105 Sv), m² s⁻¹. */
const CIRCUMPOLAR = 105e6 / LAYER_M;
/** Step of each of the three fronts in which the circumpolar current flows. */
const FRONT_STEP = CIRCUMPOLAR / 3;

/** A shoal that is shallower than this, without deeper water next to it, deflects currents, metres. */
const SHELF_M = 90;
/** Islands up to this area do not obstruct the gyres, km². */
const MAX_ISLAND_KM2 = 25_000;
/** Gyres end at these parallels, because of ice and ice shelves. */
const POLEWARD = 80;
const SWEEPS = 300;

/** Distance from coasts that currents without a coast in their own equations keep, km. */
const SHORE_KM = 240;

const latitudeOf = (row: number) => row * lattice.latitude.step - 90;

/**
 * Mean circulation of the gyres: Stommel's (1948) balance of wind, friction and the Earth's curvature around the
 * continents, r∇²ψ + βψ_x = −∂τ/∂y/(ρh), relaxed from east to west, the direction of Rossby waves.
 *
 * @param coast From `coastDistance`, km.
 * @param depth From `deriveDepth`, metres.
 * @returns Streamfunction, m² s⁻¹ (u = −∂ψ/∂y, v = ∂ψ/∂x).
 */
export function deriveGyres(coast: Float32Array, depth: Float32Array): Float32Array {
  const [offshore, metres] = [coast, depth].map((values) => sample(values, worldGrid, nodesOf(lattice)));
  const fixed = continents(
    offshore!.map((km, node) => {
      const around = [-COLUMNS, 0, COLUMNS].flatMap((line) => [
        node + line - 1,
        node + line,
        node + line + 1,
      ]);
      return km > 0 && !around.every((one) => metres![one]! < SHELF_M) ? 0 : 1;
    }),
  );
  const psi = new Float64Array(LATTICE_NODES);
  for (let node = 0; node < LATTICE_NODES; node++) {
    const latitude = latitudeOf(Math.floor(node / COLUMNS));
    // The circumpolar current converges slowest, so the iteration starts near its solution.
    if (fixed[node] === 0) psi[node] = CIRCUMPOLAR * smoothstep(-38, -66, latitude);
    else if (latitude < -60) psi[node] = CIRCUMPOLAR;
  }
  const cell = (EARTH_M * STEP) ** 2;
  const cosAt = (row: number) => Math.cos(latitudeOf(row) * RADIANS);
  const drift = (2 * 7.292e-5) / (EARTH_M * EARTH_M * STEP);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let row = 1; row < ROWS - 1; row++) {
      const cos = cosAt(row);
      const side = FRICTION / (cell * cos * cos);
      const north = (FRICTION * cosAt(row + 0.5)) / (cell * cos);
      const south = (FRICTION * cosAt(row - 0.5)) / (cell * cos);
      const shear = (windStress(row + 0.5) - windStress(row - 0.5)) / (0.5 * DEGREE_KM * 1000);
      const forcing = shear / (WATER_DENSITY * LAYER_M);
      const sum = 2 * side + drift + north + south;
      const start = row * COLUMNS;
      for (let column = COLUMNS - 1; column >= 0; column--) {
        const node = start + column;
        if (fixed[node] === 1) continue;
        const east = psi[start + (column + 1 === COLUMNS ? 0 : column + 1)]!;
        const west = psi[start + (column === 0 ? COLUMNS - 1 : column - 1)]!;
        const meridional = north * psi[node + COLUMNS]! + south * psi[node - COLUMNS]!;
        psi[node] = ((side + drift) * east + side * west + meridional + forcing) / sum;
      }
    }
  }
  // The fronts meander as they do over the ridges of the sea floor.
  const winding = splineNoise(nodesOf(lattice), SEED, 9);
  return Float32Array.from(psi, (value, node) => {
    const southern = smoothstep(-36, -45, latitudeOf(Math.floor(node / COLUMNS)));
    const front = 2 * Math.PI * (value / FRONT_STEP + 0.45 * winding[node]!);
    return value - (southern * 0.6 * FRONT_STEP * Math.sin(front)) / (2 * Math.PI);
  });
}

/** Annual mean of the eastward wind stress in a row of the lattice, N m⁻². */
function windStress(row: number): number {
  const at = (height: number, centre: number, width: number) => height * bell(latitudeOf(row), centre, width);
  const westerlies = at(0.11, 44, 13) + at(0.17, -51, 13);
  const trades = at(0.075, 16, 9) + at(0.075, -15, 11) + at(0.03, 1, 5);
  return westerlies - trades - at(0.05, 72, 9) - at(0.05, -72, 8);
}

/** 1 on continents and the largest islands, and beyond the parallels at which gyres end; otherwise 0. */
function continents(solid: Float32Array): Uint8Array {
  const fixed = new Uint8Array(LATTICE_NODES);
  const seen = Uint8Array.from(solid, (one) => 1 - one);
  for (let start = 0; start < LATTICE_NODES; start++) {
    if (seen[start] === 1) continue;
    const mass = [start];
    seen[start] = 1;
    let km2 = 0;
    for (const node of mass) {
      const row = Math.floor(node / COLUMNS);
      km2 += Math.cos(latitudeOf(row) * RADIANS) * (DEGREE_KM * lattice.latitude.step) ** 2;
      const line = node - (node % COLUMNS);
      const [east, west] = [line + ((node + 1) % COLUMNS), line + ((node + COLUMNS - 1) % COLUMNS)];
      for (const next of [east, west, node + COLUMNS, node - COLUMNS]) {
        if (seen[next] !== 0) continue;
        seen[next] = 1;
        mass.push(next);
      }
    }
    // Larger islands count as continents, except the Antilles, between which the Gulf Stream passes.
    const [row, column] = [Math.floor(start / COLUMNS), start % COLUMNS];
    const isAntilles = km2 < 1e6 && Math.abs(latitudeOf(row) - 21) < 5 && Math.abs(column - 214) < 26;
    if (km2 > MAX_ISLAND_KM2 && !isAntilles) for (const node of mass) fixed[node] = 1;
  }
  return fixed.map((one, node) => (Math.abs(latitudeOf(Math.floor(node / COLUMNS))) >= POLEWARD ? 1 : one));
}

/** Factor for currents whose equations have no coast: 0 at coasts, 1 far from them. */
export function deriveCoastFactor(coast: Float32Array): Float32Array {
  return sample(coast, worldGrid, nodesOf(lattice)).map((km) => Math.tanh((Math.max(0, km) / SHORE_KM) ** 2));
}

const SEED = 0x71de5;

/**
 * Number of planes in the tide's array: eastward and northward, in phase and in quadrature, semidiurnal then diurnal.
 */
export const TIDE_BANDS = 8;

/** Speed of the streams in deep, open water, m s⁻¹, before shallow water amplifies them: semidiurnal, diurnal. */
const OPEN_STREAMS = [0.6, 0.2] as const;

/** Coasts align the streams out to this distance, km. */
const COAST_KM = 120;

/** Regions with a strong or weak tide: °N, °E, radius km, factors of the semidiurnal and diurnal streams. */
const regions = [
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
] as const;

/**
 * Tidal streams as ellipses: strong over shelves and in known narrows, weak in the deep and in enclosed seas, and
 * parallel to nearby coasts. Their shapes are synthetic, but their timing is that of the real Moon and Sun (see
 * `tideFactors`).
 *
 * @param coast From `coastDistance`, km.
 * @param depth From `deriveDepth`, metres.
 * @returns (8, latitude, longitude) over the lattice, m s⁻¹.
 */
export function deriveTide(coast: Float32Array, depth: Float32Array): Float32Array {
  const nodes = nodesOf(lattice);
  const noise = (degrees: number, salt: number) => splineNoise(nodes, SEED + salt, degrees);
  const [offshore, metres] = [sample(coast, worldGrid, nodes), sample(depth, worldGrid, nodes)];
  const patchy = noise(14, 1);
  const tide = new Float32Array(TIDE_BANDS * LATTICE_NODES);
  for (const kind of [0, 1] as const) {
    const regional = regionalStrength(kind);
    const [lead, tilt, sense] = [noise(40, 2 + kind), noise(26, 4 + kind), noise(30, 6 + kind)];
    for (let node = COLUMNS; node < LATTICE_NODES - COLUMNS; node++) {
      const latitude = latitudeOf(Math.floor(node / COLUMNS));
      const h = Math.max(8, metres[node]!);
      const shoal = 0.02 + 0.75 * Math.exp(-h / 75) + 2.4 / (h + 60);
      const usual = OPEN_STREAMS[kind] * (0.8 + 1.2 * Math.max(0, patchy[node]! + 0.25));
      const strength = usual * shoal * regional[node]! * smoothstep(87, 80, Math.abs(latitude));
      const phase = 2 * Math.PI * (2 * lead[node]! - ((2 - kind) * nodes.longitude[node % COLUMNS]!) / 360);
      // The longer axis is parallel to a nearby coast.
      const angle = Math.PI * tilt[node]!;
      const near = offshore[node]! > 0 ? Math.exp(-((offshore[node]! / COAST_KM) ** 2)) : 1;
      const cos = Math.cos(latitude * RADIANS);
      const towardSea = [
        (offshore[node + 1]! - offshore[node - 1]!) / cos,
        offshore[node + COLUMNS]! - offshore[node - COLUMNS]!,
      ] as const;
      const steep = Math.hypot(...towardSea) || 1;
      const [seaX, seaY] = [towardSea[0] / steep, towardSea[1] / steep];
      const flat = 0.6 * Math.tanh(4 * sense[node]!);
      for (const part of [0, 1]) {
        const [lag, quarter] =
          part === 0 ? [Math.cos(phase), Math.sin(phase)] : [Math.sin(phase), -Math.cos(phase)];
        const u = Math.cos(angle) * lag + flat * Math.sin(angle) * quarter;
        const v = Math.sin(angle) * lag - flat * Math.cos(angle) * quarter;
        // The component toward the coast is removed.
        const shut = near * (u * seaX + v * seaY);
        tide[(4 * kind + part) * LATTICE_NODES + node] = strength * (u - shut * seaX);
        tide[(4 * kind + 2 + part) * LATTICE_NODES + node] = strength * (v - shut * seaY);
      }
    }
  }
  return tide;
}

function regionalStrength(kind: 0 | 1): Float32Array {
  const out = new Float32Array(LATTICE_NODES).fill(1);
  const near = new Float32Array(LATTICE_NODES);
  for (const [latitude, longitude, km, ...times] of regions) {
    near.fill(0);
    addBump(nodesOf(lattice), kernel(latitude, longitude, km, 1), near);
    for (let node = 0; node < near.length; node++)
      if (near[node] !== 0) out[node]! *= 1 + (times[kind] - 1) * smoothstep(0, 0.25, near[node]!);
  }
  return out;
}

/**
 * The weights of the eight planes at a time: M2 with S2 (springs at full and new moon, neaps between) and K1 with O1,
 * by the mean longitudes of Moon and Sun (Schureman 1958).
 */
export function tideFactors(time: number): Float64Array {
  const days = time / 86_400 - 10_957.5; // since 2000-01-01 12:00
  const hourAngle = 2 * Math.PI * (days - Math.floor(days));
  const moon = (218.3164 + 13.17639648 * days) * RADIANS;
  const sun = (280.4661 + 0.98564736 * days) * RADIANS;
  // Springs follow the syzygy by about a day and a half, the age of the tide.
  const age = 37 * RADIANS;
  const m2 = 2 * (hourAngle - moon + sun);
  const s2 = 2 * hourAngle - age;
  const k1 = hourAngle + sun;
  const o1 = hourAngle + sun - 2 * moon - age;
  const [c2, q2] = [Math.cos(m2) + 0.42 * Math.cos(s2), Math.sin(m2) + 0.42 * Math.sin(s2)];
  const [c1, q1] = [Math.cos(k1) + 0.7 * Math.cos(o1), Math.sin(k1) + 0.7 * Math.sin(o1)];
  return Float64Array.of(c2, q2, c2, q2, c1, q1, c1, q1);
}
