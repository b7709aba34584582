import { DEGREE_KM } from "#lib/geo/sphere.ts";
import {
  LATTICE_NODES,
  lattice,
  latticeLatitude,
  rowStart,
  splineSlopes,
  splineWeights,
  type Window,
  windowOf,
} from "#server/demo/math/lattice.ts";
import { type Nodes, nodesOf, type Patch } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import { eddyWeights } from "#server/demo/static/eddies.ts";
import { TIDE_BANDS, tideFactors } from "#server/demo/static/tide.ts";
import type { StaticWorld, World } from "#server/demo/static/world.types.ts";
import { equatorialStream, equatorialWaves, nearEquator } from "./equator.ts";
import { jetStream, jetsOn, nearJets } from "./jets.ts";

/** Surface currents, m s⁻¹, toward the east and north; NaN on land. */
export interface Currents {
  surface_eastward_sea_water_velocity: Float32Array;
  surface_northward_sea_water_velocity: Float32Array;
}

const STEP_M = lattice.latitude.step * DEGREE_KM * 1000;

/** Gyres, currents of the equator, jets, eddies and tidal streams at an instant. */
export function currents(world: World, patch: Patch): Currents {
  const nodes = nodesOf(patch.grid);
  const flow = circulation(world, patch);
  const { surface_eastward_sea_water_velocity: east, surface_northward_sea_water_velocity: north } = flow;
  addTide(world.static, nodes, patch.time, east, north);
  const land = landAt(world.static.land, nodes);
  for (let node = 0; node < land.length; node++) {
    if (land[node] === 1) east[node] = north[node] = Number.NaN;
  }
  return flow;
}

/**
 * The currents without tides, over land too: the curl of one cubic B-spline of all streamfunctions together, so that no
 * water is made or lost and coasts (where the streamfunction is level) are followed.
 */
export function circulation(world: World, patch: Patch): Currents {
  const nodes = nodesOf(patch.grid);
  const window = windowOf(nodes);
  const psi = streamfunction(world, window, patch.time);
  const width = window.columns.length;
  const east = new Float32Array(nodes.rows * nodes.columns);
  const north = new Float32Array(east.length);
  const level = new Float64Array(width);
  const rise = new Float64Array(width);
  const [w, s] = [new Float64Array(4), new Float64Array(4)];
  const across = splineTable(window.eastward);
  for (let row = 0; row < nodes.rows; row++) {
    const y = (nodes.latitude[row]! - lattice.latitude.start) / lattice.latitude.step;
    const floor = Math.floor(y);
    splineWeights(y - floor, w);
    splineSlopes(y - floor, s);
    const at = (floor - 1 - window.south) * width;
    for (let k = 0; k < width; k++) {
      const [a, b] = [psi[at + k]!, psi[at + width + k]!];
      const [c, d] = [psi[at + 2 * width + k]!, psi[at + 3 * width + k]!];
      level[k] = w[0]! * a + w[1]! * b + w[2]! * c + w[3]! * d;
      rise[k] = s[0]! * a + s[1]! * b + s[2]! * c + s[3]! * d;
    }
    const perNorth = -1 / STEP_M;
    const perEast = 1 / (STEP_M * nodes.cosLatitude[row]!);
    for (let column = 0; column < nodes.columns; column++) {
      const k = window.firstColumn[column]!;
      const tap = 8 * column;
      const node = row * nodes.columns + column;
      east[node] =
        perNorth *
        (across[tap]! * rise[k]! +
          across[tap + 1]! * rise[k + 1]! +
          across[tap + 2]! * rise[k + 2]! +
          across[tap + 3]! * rise[k + 3]!);
      north[node] =
        perEast *
        (across[tap + 4]! * level[k]! +
          across[tap + 5]! * level[k + 1]! +
          across[tap + 6]! * level[k + 2]! +
          across[tap + 7]! * level[k + 3]!);
    }
  }
  return { surface_eastward_sea_water_velocity: east, surface_northward_sea_water_velocity: north };
}

/** Weights and slopes of the four coefficients of each column, eight numbers a column. */
function splineTable(eastward: Float64Array): Float64Array {
  const table = new Float64Array(8 * eastward.length);
  for (let column = 0; column < eastward.length; column++) {
    splineWeights(eastward[column]!, table.subarray(8 * column, 8 * column + 4));
    splineSlopes(eastward[column]!, table.subarray(8 * column + 4, 8 * column + 8));
  }
  return table;
}

function streamfunction(world: World, window: Window, time: number): Float64Array {
  const { gyres, eddies, coastFactor } = world.static;
  const [a, b, c, d] = eddyWeights(world.seed, time, new Float64Array(4)) as unknown as [
    number,
    number,
    number,
    number,
  ];
  const width = window.columns.length;
  const psi = new Float64Array(window.rows * width);
  const meridians = Array.from(
    window.columns,
    (column) => lattice.longitude.start + column * lattice.longitude.step,
  );
  const axes = meridians.map((longitude) => jetsOn(world.seed, time, longitude));
  const belts = meridians.map((longitude) => equatorialWaves(world.seed, time, longitude));
  for (let row = 0; row < window.rows; row++) {
    const start = rowStart(window, row);
    const latitude = latticeLatitude(start / lattice.longitude.count);
    const jets = nearJets(latitude);
    const tropics = nearEquator(latitude);
    for (let column = 0; column < width; column++) {
      const from = window.columns[column]!;
      const node = start + from;
      let value =
        gyres[node]! +
        a * eddies[node]! +
        b * eddies[LATTICE_NODES + node]! +
        c * eddies[2 * LATTICE_NODES + node]! +
        d * eddies[3 * LATTICE_NODES + node]!;
      if (jets) value += coastFactor[node]! * jetStream(axes[column]!, latitude);
      else if (tropics) value += coastFactor[node]! * equatorialStream(belts[column]!, latitude);
      psi[row * width + column] = value;
    }
  }
  return psi;
}

/** Adds the tidal streams at the nodes of a patch, bilinear between the nodes of the lattice. */
function addTide(
  { tide }: StaticWorld,
  nodes: Nodes,
  time: number,
  east: Float32Array,
  north: Float32Array,
): void {
  const window = windowOf(nodes);
  const factors = tideFactors(time, new Float64Array(TIDE_BANDS));
  const width = window.columns.length;
  const [u, v] = [new Float64Array(window.rows * width), new Float64Array(window.rows * width)];
  for (let row = 0; row < window.rows; row++) {
    const start = rowStart(window, row);
    for (let column = 0; column < width; column++) {
      const node = start + window.columns[column]!;
      let toEast = 0;
      let toNorth = 0;
      for (let kind = 0; kind < TIDE_BANDS; kind += 4) {
        const at = kind * LATTICE_NODES + node;
        toEast += factors[kind]! * tide[at]! + factors[kind + 1]! * tide[at + LATTICE_NODES]!;
        toNorth +=
          factors[kind + 2]! * tide[at + 2 * LATTICE_NODES]! +
          factors[kind + 3]! * tide[at + 3 * LATTICE_NODES]!;
      }
      u[row * width + column] = toEast;
      v[row * width + column] = toNorth;
    }
  }
  for (let row = 0; row < nodes.rows; row++) {
    const y = (nodes.latitude[row]! - lattice.latitude.start) / lattice.latitude.step;
    const northward = y - Math.floor(y);
    const south = (Math.floor(y) - window.south) * width;
    for (let column = 0; column < nodes.columns; column++) {
      const low = south + window.firstColumn[column]! + 1;
      const high = low + width;
      const eastward = window.eastward[column]!;
      const node = row * nodes.columns + column;
      const below = u[low]! + eastward * (u[low + 1]! - u[low]!);
      east[node]! += below + northward * (u[high]! + eastward * (u[high + 1]! - u[high]!) - below);
      const beneath = v[low]! + eastward * (v[low + 1]! - v[low]!);
      north[node]! += beneath + northward * (v[high]! + eastward * (v[high + 1]! - v[high]!) - beneath);
    }
  }
}
