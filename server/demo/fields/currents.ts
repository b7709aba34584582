import { normaliseLongitude } from "@open-metocean/geo/grid";
import { DEGREE_KM } from "@open-metocean/geo/sphere";
import { DAY_S } from "#lib/time.ts";
import {
  bell,
  lattice,
  type Nodes,
  nodesOf,
  type Patch,
  seaOnly,
  smoothstep,
  type Window,
  windowOf,
} from "#server/demo/math/grid.ts";
import { driftingNoise, hash01, splineWeights } from "#server/demo/math/patterns.ts";
import { LATTICE_NODES, TIDE_BANDS, tideFactors } from "#server/demo/static/circulation.ts";
import type { StaticWorld, World } from "#server/demo/static/world.ts";

/** Surface currents, m s⁻¹, toward the east and north; NaN on land. */
export interface Currents {
  surface_eastward_sea_water_velocity: Float32Array;
  surface_northward_sea_water_velocity: Float32Array;
}

const STEP = lattice.latitude.step;
const STEP_M = STEP * DEGREE_KM * 1000;
const COLUMNS = lattice.longitude.count;

/** Currents at an instant: gyres, equatorial currents, jets, eddies and tidal streams. */
export function currents(world: World, patch: Patch): Currents {
  const nodes = nodesOf(patch.grid);
  const flow = circulation(world, patch);
  addTide(world.static, nodes, patch.time, flow);
  for (const values of Object.values(flow)) seaOnly(world.static.land, nodes, values);
  return flow;
}

/**
 * Currents without tides, computed over land too. They are the curl of a single cubic B-spline of the summed
 * streamfunctions, so that the flow is free of divergence and follows coasts, where the streamfunction is constant.
 */
function circulation(world: World, patch: Patch): Currents {
  const nodes = nodesOf(patch.grid);
  const window = windowOf(nodes, STEP, 1);
  const psi = streamfunction(world, window, patch.time);
  const width = window.nodes.columns;
  const east = new Float32Array(nodes.rows * nodes.columns);
  const north = new Float32Array(east.length);
  const [level, rise] = [new Float64Array(width), new Float64Array(width)];
  const up = new Float64Array(8);
  const across = new Float64Array(8 * nodes.columns);
  for (let column = 0; column < nodes.columns; column++) spline(window.eastward[column]!, across, 8 * column);
  for (let row = 0; row < nodes.rows; row++) {
    spline(window.northward[row]!, up, 0);
    const start = (window.south[row]! - 1) * width;
    for (let k = 0; k < width; k++) {
      level[k] = rise[k] = 0;
      for (let tap = 0; tap < 4; tap++) {
        const value = psi[start + tap * width + k]!;
        level[k]! += up[tap]! * value;
        rise[k]! += up[tap + 4]! * value;
      }
    }
    const perEast = 1 / (STEP_M * nodes.cosLatitude[row]!);
    for (let column = 0; column < nodes.columns; column++) {
      const from = window.west[column]! - 1;
      let [u, v] = [0, 0];
      for (let tap = 0; tap < 4; tap++) {
        u += across[8 * column + tap]! * rise[from + tap]!;
        v += across[8 * column + 4 + tap]! * level[from + tap]!;
      }
      east[row * nodes.columns + column] = -u / STEP_M;
      north[row * nodes.columns + column] = v * perEast;
    }
  }
  return { surface_eastward_sea_water_velocity: east, surface_northward_sea_water_velocity: north };
}

/** Writes the weights of the four coefficients of a cubic B-spline, and their slopes per lattice step. */
function spline(t: number, out: Float64Array, at: number): void {
  const r = 1 - t;
  splineWeights(t, out, at);
  out[at + 4] = (-r * r) / 2;
  out[at + 5] = (t * (3 * t - 4)) / 2;
  out[at + 6] = (-r * (3 * r - 4)) / 2;
  out[at + 7] = (t * t) / 2;
}

/** Index of a window's node in arrays over the lattice. Beyond a pole it is the pole's row. */
function latticeNode({ firstRow, firstColumn }: Window, row: number, column: number): number {
  const southward = Math.min(lattice.latitude.count - 1, Math.max(0, firstRow + row));
  return southward * COLUMNS + ((firstColumn + column + 2 * COLUMNS) % COLUMNS);
}

/** Cell size of the noise that makes eddies, degrees, and the factor by which it changes more slowly than the air. */
const EDDY_DEGREES = 1.9;
const EDDY_SLOWNESS = 45;
const eddyDrift = (): number => -3;

/** Streamfunction without tides over a window, m² s⁻¹. */
function streamfunction(
  { seed, static: { gyres, coastFactor } }: World,
  window: Window,
  time: number,
): Float64Array {
  const { rows, columns, latitude, longitude } = window.nodes;
  const eddies = driftingNoise(window.nodes, seed + 71, EDDY_DEGREES, time / EDDY_SLOWNESS, eddyDrift);
  const axes = Array.from(longitude, (degrees) => jetsOn(seed, time, degrees));
  const psi = new Float64Array(rows * columns);
  for (let row = 0; row < rows; row++) {
    const poleward = Math.abs(latitude[row]!);
    const quiet = (0.3 + 0.7 * smoothstep(4, 16, poleward)) * smoothstep(84, 72, poleward);
    for (let column = 0; column < columns; column++) {
      const node = latticeNode(window, row, column);
      const { psi: jets, energy } = jetStream(axes[column]!, latitude[row]!);
      const equatorial = poleward < 24 ? equatorialStream(longitude[column]!, latitude[row]!, time) : 0;
      // Jets shed rings, so eddies are stronger near them.
      const eddy = quiet * (26_000 + 30_000 * energy) * eddies[row * columns + column]!;
      psi[row * columns + column] = gyres[node]! + coastFactor[node]! * (jets + equatorial + eddy);
    }
  }
  return psi;
}

/**
 * Streamfunction of the South Equatorial Current and the North Equatorial Counter Current, m² s⁻¹, ignoring coasts:
 * westward across the equator, eastward between 5°N and 9°N, meandering like tropical instability waves.
 */
function equatorialStream(longitude: number, latitude: number, time: number): number {
  const wave = (number: number, days: number) =>
    Math.sin((((number * longitude + (360 * time) / (days * DAY_S)) % 360) * Math.PI) / 180);
  const north = latitude - wave(33, 31) * (0.6 + 0.4 * wave(2, 190)) - 0.7 * wave(9, -130);
  return 1.4e5 * (1 + 0.25 * wave(4, 300)) * bell(north, 4.5, north > 4.5 ? 3.8 : 6);
}

/**
 * Western boundary currents after they have left the coast: narrow eastward streams that meander, with slow
 * recirculation on either side. Stommel's balance has no inertia and cannot produce them. Each axis has latitudes at
 * even steps of longitude (unwrapped, west to east), the speed on the axis, m s⁻¹, and the largest meanders, degrees of
 * latitude.
 */
const jets = [
  // Gulf Stream, from Hatteras
  {
    from: -76,
    spacing: 4,
    axis: [34.4, 36.8, 37.9, 38.6, 39.3, 39.9, 40.6, 42.2, 44.6, 47],
    speed: 1.9,
    meander: 1,
  },
  // Kuroshio, from Boso
  {
    from: 139,
    spacing: 4,
    axis: [34.2, 35.6, 35.9, 35.2, 35.4, 35.6, 35.4, 35.9, 36.4],
    speed: 1.8,
    meander: 0.9,
  },
  // Agulhas Return Current
  {
    from: 17,
    spacing: 6,
    axis: [-38.6, -39.8, -39.3, -40.2, -40.4, -41.5, -42.8, -44],
    speed: 1.4,
    meander: 0.7,
  },
  // Brazil-Malvinas confluence and South Atlantic Current
  { from: -55, spacing: 6, axis: [-38.2, -40.5, -41, -41.2, -41.4, -41.6, -41.6], speed: 1, meander: 0.8 },
] as const;

/** Half-width of the stream and of the recirculation around it, km. */
const STREAM_KM = 55;
const RECIRCULATION_KM = 300;

/** Meanders: wavelength, degrees; period, days; share of the amplitude. */
const MEANDERS = [
  [6.1, 83, 0.55],
  [4.3, 51, 0.3],
  [9.7, 167, 0.5],
] as const;

/** A jet where it crosses one meridian. */
interface JetAxis {
  /** Degrees. */
  latitude: number;
  /** Strength 0..1, which rises from the jet's start and falls toward its end. */
  strength: number;
  speed: number;
}

/** The jets on a meridian at a time, Unix seconds. */
export function jetsOn(seed: number, time: number, longitude: number): JetAxis[] {
  return jets.flatMap(({ from, spacing, axis, speed, meander }, number) => {
    const length = spacing * (axis.length - 1);
    const along = normaliseLongitude(longitude - from - length / 2) + length / 2;
    if (along <= -2 || along >= length) return [];
    const x = Math.max(0, along) / spacing;
    const knot = Math.min(axis.length - 2, Math.floor(x));
    const swing = MEANDERS.reduce((sum, [degrees, days, share], wave) => {
      const turns = along / degrees - time / (days * DAY_S) + hash01(seed, 701 + number, wave);
      return sum + share * Math.sin(2 * Math.PI * turns);
    }, 0);
    const mean = axis[knot]! + smoothstep(0, 1, x - knot) * (axis[knot + 1]! - axis[knot]!);
    return {
      latitude: mean + swing * meander * (0.12 + 0.88 * smoothstep(1, 14, along)),
      strength: smoothstep(-2, 1.5, along) * smoothstep(length, 0.45 * length, along),
      speed,
    };
  });
}

/** Streamfunction of the jets at a latitude on their meridian, m² s⁻¹, and their proximity, 0..1. */
function jetStream(axes: readonly JetAxis[], latitude: number): { psi: number; energy: number } {
  let [psi, energy] = [0, 0];
  for (const { latitude: axis, strength, speed } of axes) {
    const offset = (latitude - axis) * DEGREE_KM;
    const near = strength * bell(offset, 0, RECIRCULATION_KM);
    psi -= near * speed * STREAM_KM * 1000 * Math.tanh(offset / STREAM_KM);
    energy += near;
  }
  return { psi, energy };
}

/**
 * Temperature step across the jets ("north wall"), in shares of the full step; positive on the warm, equatorward side.
 */
export function jetFront(axes: readonly JetAxis[], latitude: number): number {
  return axes.reduce((front, { latitude: axis, strength, speed }) => {
    const poleward = Math.sign(latitude) * (latitude - axis) * DEGREE_KM;
    const near = strength * bell(poleward, 0, 1.6 * RECIRCULATION_KM);
    return front - near * (speed / 2) * Math.tanh(poleward / 45);
  }, 0);
}

/** Adds the tidal streams at the nodes of a patch, bilinear between the nodes of the lattice. */
function addTide({ tide }: StaticWorld, nodes: Nodes, time: number, flow: Currents): void {
  const window = windowOf(nodes, STEP, 0);
  const factors = tideFactors(time);
  const { rows, columns } = window.nodes;
  const streams = [new Float64Array(rows * columns), new Float64Array(rows * columns)] as const;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      const node = latticeNode(window, row, column);
      for (let band = 0; band < TIDE_BANDS; band++)
        streams[(band >> 1) & 1]![row * columns + column]! +=
          factors[band]! * tide[band * LATTICE_NODES + node]!;
    }
  }
  for (const [part, values] of Object.values(flow).entries()) {
    const stream = streams[part]!;
    for (let row = 0; row < nodes.rows; row++) {
      for (let column = 0; column < nodes.columns; column++) {
        const low = window.south[row]! * columns + window.west[column]!;
        const right = window.eastward[column]!;
        const below = stream[low]! + right * (stream[low + 1]! - stream[low]!);
        const above = stream[low + columns]! + right * (stream[low + columns + 1]! - stream[low + columns]!);
        values[row * nodes.columns + column]! += below + window.northward[row]! * (above - below);
      }
    }
  }
}
