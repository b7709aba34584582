import { DEGREE_KM, EARTH_KM, RADIANS } from "#lib/geo/sphere.ts";
import { LATTICE_NODES, lattice, latticeLatitude, onLattice } from "#server/demo/math/lattice.ts";
import { smoothstep } from "#server/demo/math/patch.ts";
import { distanceTo } from "./coast-distance.ts";
import { cellAt } from "./land.ts";

const ROWS = lattice.latitude.count;
const COLUMNS = lattice.longitude.count;
const STEP = lattice.latitude.step * RADIANS;
const EARTH_M = EARTH_KM * 1000;

/** Bottom friction, s⁻¹. */
const FRICTION = 1e-6;
const ROTATION = 7.292e-5;
const WATER_DENSITY = 1025;
/** Depth that carries the transport, metres. */
const LAYER_M = 260;
/** Transport of the Antarctic Circumpolar Current in that depth, m³ s⁻¹. */
const CIRCUMPOLAR = 105e6;

/** The circumpolar current flows in fronts: one for each of these steps of the streamfunction, m² s⁻¹. */
const FRONT_STEP = CIRCUMPOLAR / LAYER_M / 3;

/** How the southern fronts wind: waves around the globe, degrees of latitude, phase. */
const WINDINGS = [
  [5, 1.1, 0.4],
  [11, 0.9, 2.1],
  [19, 0.7, 4.4],
  [31, 0.5, 1.3],
] as const;

/** A shoal shallower than this, without deeper water next to it, turns currents away, metres. */
const SHELF_M = 90;
/** Currents that have no coast in their own equations keep about this far from one, km. */
const SHORE_KM = 240;

const CONTINENT_KM2 = 9e6;
const ISLAND_KM2 = 15_000;
/** Gyres end at these parallels: ice and ice shelves. */
const POLEWARD = 80;

/** Over-relaxation: lagging western neighbours would hold each sweep back. */
const OVERSHOOT = 1.5;
const SWEEPS = 120;

/** What a node of the lattice is: open water, or prescribed, or (above 0) the number of its island. */
const WATER = 0;
const PRESCRIBED = -1;

/**
 * Mean circulation of the gyres: Stommel's (1948) balance of wind, friction and the Earth's curvature around the real coasts,
 * r∇²Ψ + βΨ_x = −∂τ/∂y/ρ.
 *
 * Solved column by column from east to west, the way Rossby waves carry it; the value of each island follows from the
 * same equation summed over the island (Godfrey's island rule).
 *
 * @param coast From `coastDistance`, km.
 * @param depth From `deriveDepth`, metres.
 * @returns Over the lattice: the streamfunction, m² s⁻¹ (u = −∂ψ/∂y, v = ∂ψ/∂x), and the coast factor of other currents.
 */
export function deriveGyres(
  coast: Float32Array,
  depth: Float32Array,
): { gyres: Float32Array; coastFactor: Float32Array } {
  const { kind, transport } = shores(solidGround(onLattice(coast), onLattice(depth)));
  solve(kind, transport);
  const coastFactor = coastFactorOf(kind);
  return { gyres: withFronts(transport, coastFactor), coastFactor };
}

/**
 * Streamfunction of a transport. In the far south its flow is gathered into fronts, which wind about their parallels as
 * they do over the ridges of the sea floor.
 */
function withFronts(transport: Float64Array, coastFactor: Float32Array): Float32Array {
  const gyres = new Float32Array(LATTICE_NODES);
  for (let row = 0; row < ROWS; row++) {
    const latitude = latticeLatitude(row);
    const southern = smoothstep(-36, -45, latitude);
    const winding = southern * smoothstep(-72, -64, latitude);
    for (let column = 0; column < COLUMNS; column++) {
      const node = row * COLUMNS + column;
      const turn = (2 * Math.PI * column) / COLUMNS;
      let swing = 0;
      for (const [number, degrees, phase] of WINDINGS) swing += degrees * Math.sin(number * turn + phase);
      const from = row + (swing * winding * coastFactor[node]!) / lattice.latitude.step;
      const south = Math.min(ROWS - 2, Math.max(0, Math.floor(from)));
      const below = transport[south * COLUMNS + column]!;
      const above = transport[(south + 1) * COLUMNS + column]!;
      const psi = (below + (from - south) * (above - below)) / LAYER_M;
      const front = (2 * Math.PI * psi) / FRONT_STEP;
      gyres[node] = psi - (southern * 0.6 * FRONT_STEP * Math.sin(front)) / (2 * Math.PI);
    }
  }
  return gyres;
}

/** 0 at coasts of continents and larger islands, 1 far from them; small islands do not count. */
function coastFactorOf(kind: Int16Array): Float32Array {
  const marked = new Uint8Array(4 * (ROWS - 1) * COLUMNS);
  for (let node = 0; node < LATTICE_NODES; node++) {
    if (kind[node] === WATER) continue;
    const row = Math.floor(node / COLUMNS);
    const longitude = (node - row * COLUMNS) * lattice.longitude.step - 180;
    marked[cellAt(latticeLatitude(row), longitude)] = 1;
  }
  return onLattice(distanceTo(marked)).map((km) => Math.tanh((km / SHORE_KM) ** 2));
}

/** Where the deep circulation cannot go: land, and shelves so wide that it passes them by. 1 or 0 over the lattice. */
function solidGround(offshore: Float32Array, depth: Float32Array): Uint8Array {
  const solid = Uint8Array.from(offshore, (km) => (km > 0 ? 0 : 1));
  for (let node = COLUMNS; node < LATTICE_NODES - COLUMNS; node++) {
    const row = Math.floor(node / COLUMNS);
    let shallow = true;
    for (let up = -1; up <= 1 && shallow; up++) {
      for (let right = -1; right <= 1 && shallow; right++) {
        shallow =
          depth[(row + up) * COLUMNS + ((node - row * COLUMNS + right + COLUMNS) % COLUMNS)]! < SHELF_M;
      }
    }
    if (shallow) solid[node] = 1;
  }
  return solid;
}

function bell(latitude: number, centre: number, width: number): number {
  const off = (latitude - centre) / width;
  return Math.exp(-off * off);
}

/** Eastward wind stress of the year's mean, N m⁻². */
function windStress(latitude: number): number {
  return (
    0.11 * bell(latitude, 44, 13) +
    0.17 * bell(latitude, -51, 13) -
    0.075 * bell(latitude, 16, 9) -
    0.075 * bell(latitude, -15, 11) -
    0.03 * bell(latitude, 1, 5) -
    0.05 * bell(latitude, 72, 9) -
    0.05 * bell(latitude, -72, 8)
  );
}

function shores(solid: Uint8Array): { kind: Int16Array; transport: Float64Array } {
  const kind = new Int16Array(LATTICE_NODES);
  const transport = new Float64Array(LATTICE_NODES);
  const seen = new Uint8Array(LATTICE_NODES);
  // The circumpolar current is the slowest to settle: start near it.
  for (let node = 0; node < LATTICE_NODES; node++) {
    transport[node] = CIRCUMPOLAR * smoothstep(-38, -66, latticeLatitude(Math.floor(node / COLUMNS)));
  }
  let islands = 0;
  for (let start = 0; start < LATTICE_NODES; start++) {
    if (seen[start] === 1 || solid[start] === 0) continue;
    const { nodes, km2, south } = landmass(solid, seen, start);
    if (km2 < ISLAND_KM2) continue;
    const antarctic = south <= -85;
    const isContinent = antarctic || km2 > CONTINENT_KM2;
    if (!isContinent) islands++;
    for (const node of nodes) {
      kind[node] = isContinent ? PRESCRIBED : islands;
      transport[node] = antarctic ? CIRCUMPOLAR : 0;
    }
  }
  for (let node = 0; node < LATTICE_NODES; node++) {
    const latitude = latticeLatitude(Math.floor(node / COLUMNS));
    if (Math.abs(latitude) < POLEWARD) continue;
    kind[node] = PRESCRIBED;
    transport[node] = latitude < 0 ? CIRCUMPOLAR : 0;
  }
  return { kind, transport };
}

function landmass(solid: Uint8Array, seen: Uint8Array, start: number) {
  const nodes = [start];
  seen[start] = 1;
  let km2 = 0;
  let south = 90;
  for (let at = 0; at < nodes.length; at++) {
    const node = nodes[at]!;
    const row = Math.floor(node / COLUMNS);
    const column = node - row * COLUMNS;
    const latitude = latticeLatitude(row);
    south = Math.min(south, latitude);
    km2 += Math.cos(latitude * RADIANS) * (DEGREE_KM * lattice.latitude.step) ** 2;
    for (let up = -1; up <= 1; up++) {
      for (let right = -1; right <= 1; right++) {
        if (row + up < 0 || row + up >= ROWS) continue;
        const neighbour = (row + up) * COLUMNS + ((column + right + COLUMNS) % COLUMNS);
        if (seen[neighbour] === 1 || solid[neighbour] === 0) continue;
        seen[neighbour] = 1;
        nodes.push(neighbour);
      }
    }
  }
  return { nodes, km2, south };
}

/** Coefficients of the balance in each row: its neighbours' shares, their sum and the forcing. */
function balance() {
  const cosAt = (row: number) => Math.max(1e-6, Math.cos(latticeLatitude(row) * RADIANS));
  const cell = (EARTH_M * STEP) ** 2;
  const side = new Float64Array(ROWS);
  const drift = new Float64Array(ROWS).fill((2 * ROTATION) / (EARTH_M * EARTH_M * STEP));
  const north = new Float64Array(ROWS);
  const south = new Float64Array(ROWS);
  const forcing = new Float64Array(ROWS);
  for (let row = 0; row < ROWS; row++) {
    const cos = cosAt(row);
    side[row] = FRICTION / (cell * cos * cos);
    north[row] = (FRICTION * cosAt(row + 0.5)) / (cell * cos);
    south[row] = (FRICTION * cosAt(row - 0.5)) / (cell * cos);
    const latitude = latticeLatitude(row);
    const shear = (windStress(latitude + 0.25) - windStress(latitude - 0.25)) / (0.5 * DEGREE_KM * 1000);
    forcing[row] = -shear / WATER_DENSITY;
  }
  return { side, drift, north, south, forcing };
}

function solve(kind: Int16Array, transport: Float64Array): void {
  const { side, drift, north, south, forcing } = balance();
  const ratio = new Float64Array(COLUMNS);
  const right = new Float64Array(COLUMNS);
  const groups = islandNodes(kind);
  for (let sweep = 0; sweep < SWEEPS; sweep++) {
    for (let column = COLUMNS - 1; column >= 0; column--) {
      const east = column + 1 === COLUMNS ? 0 : column + 1;
      const west = column === 0 ? COLUMNS - 1 : column - 1;
      // Thomas's elimination along the meridian.
      for (let row = 0; row < ROWS; row++) {
        const at = row * COLUMNS;
        if (kind[at + column] !== WATER) {
          ratio[row] = 0;
          right[row] = transport[at + column]!;
          continue;
        }
        const eastward = side[row]! + drift[row]!;
        const known = eastward * transport[at + east]! + side[row]! * transport[at + west]! - forcing[row]!;
        const pivot = eastward + side[row]! + north[row]! + south[row]! * (1 - ratio[row - 1]!);
        ratio[row] = north[row]! / pivot;
        right[row] = (known + south[row]! * right[row - 1]!) / pivot;
      }
      for (let row = ROWS - 2; row >= 0; row--) {
        right[row]! += ratio[row]! * right[row + 1]!;
        const node = row * COLUMNS + column;
        transport[node]! += (kind[node] === WATER ? OVERSHOOT : 1) * (right[row]! - transport[node]!);
      }
    }
    for (const island of groups) settle(island);
  }

  function settle(island: readonly number[]): void {
    const own = kind[island[0]!];
    let weight = 0;
    let sum = 0;
    for (const node of island) {
      const row = Math.floor(node / COLUMNS);
      const column = node - row * COLUMNS;
      const area = Math.cos(latticeLatitude(row) * RADIANS);
      sum -= area * forcing[row]!;
      const meet = (neighbour: number, share: number) => {
        if (kind[neighbour] === own) return;
        weight += area * share;
        sum += area * share * transport[neighbour]!;
      };
      meet(row * COLUMNS + ((column + 1) % COLUMNS), side[row]! + drift[row]!);
      meet(row * COLUMNS + ((column + COLUMNS - 1) % COLUMNS), side[row]!);
      meet(node + COLUMNS, north[row]!);
      meet(node - COLUMNS, south[row]!);
    }
    for (const node of island) transport[node] = sum / weight;
  }
}

function islandNodes(kind: Int16Array): number[][] {
  const groups: number[][] = [];
  for (let node = 0; node < kind.length; node++) {
    const island = kind[node]!;
    if (island <= 0) continue;
    groups[island - 1] ??= [];
    groups[island - 1]!.push(node);
  }
  return groups.filter((group) => group !== undefined);
}
