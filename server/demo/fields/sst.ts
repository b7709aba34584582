import { stormState, stormsPresent } from "#server/demo/cyclones/storm-tracks.ts";
import { addBump, type Kernel, kernel } from "#server/demo/math/kernel.ts";
import { KernelList } from "#server/demo/math/kernel-list.ts";
import { LATTICE_NODES, lattice, sampleLattice } from "#server/demo/math/lattice.ts";
import { memoByTime } from "#server/demo/math/memo.ts";
import { driftingNoise } from "#server/demo/math/noise.ts";
import { clamp, type Nodes, nodesOf, type Patch, smoothstep } from "#server/demo/math/patch.ts";
import { landAt } from "#server/demo/math/sample.ts";
import { yearFraction } from "#server/demo/math/season.ts";
import { eddyWeights } from "#server/demo/static/eddies.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { jetFront, jetsOn, nearJets } from "./jets.ts";

const FREEZING = -1.8;
const WARM = 29.5;

/** Where currents and upwelling make the sea warmer or colder than its parallel: °N, °E, radius km, °C. */
const WARMTH = [
  [-12, -82, 1900, -5.5], // Peru
  [0, -112, 3200, -3], // cold tongue
  [-20, 10, 1500, -4], // Benguela
  [30, -122, 1600, -3.5], // California
  [24, -19, 1400, -3], // Canaries
  [-28, -73, 1300, -2.5], // Chile
  [14, 52, 900, -2.5], // Somalia
  [0, 150, 4200, 1.6], // warm pool
  [58, -6, 2300, 5], // North Atlantic Drift
  [66, 12, 1800, 5.5],
  [37, -66, 1500, 1.6], // Gulf Stream
  [35, 147, 1600, 1.5], // Kuroshio
  [48, -52, 1300, -6], // Labrador
  [46, 150, 1500, -4], // Oyashio
  [55, -160, 2500, -1], // Gulf of Alaska
  [22, -88, 1300, 1.2], // Campeche
  [38, 15, 1600, 1.5], // Mediterranean
  [73, 35, 1400, 4.5], // Barents
  [-33, 30, 1000, 2], // Agulhas
  [-44, -55, 1200, -2], // Falkland
  [66, -58, 1500, -2.5], // Baffin Bay
  [-67, -40, 2000, -1.2], // Weddell Sea
  [-70, -165, 1700, -0.8], // Ross Sea
] as const;

/** Half widths of the warm belt, degrees: the southern ocean is the colder one (zonal means of the World Ocean Atlas). */
const NORTHERN_WIDTH = 49;
const SOUTHERN_WIDTH = 46;

/** Temperature of the core of an eddy against its surroundings, °C for each m² s⁻¹ of its streamfunction. */
const EDDY_WARMTH = 5e-5;
/** Whole step across the strongest jet, half to each side, °C. */
const FRONT = 2.6;

/** Age of the waters that a cyclone has stirred, hours, and how much of their cooling is left. */
const WAKE_STEP_H = 8;
const WAKE_H = 192;
const WAKE_KM = 330;

/** Slow weather of the sea: the noise of the air, fifty times slower, drifting west. */
const SLOWNESS = 50;
const drift = (): number => -4;

/** Temperature of the sea surface, °C; NaN on land. */
export function seaSurfaceTemperature(world: World, patch: Patch): { sea_surface_temperature: Float32Array } {
  const nodes = nodesOf(patch.grid);
  const degrees = waterTemperature(world, patch);
  const land = landAt(world.static.land, nodes);
  for (let node = 0; node < land.length; node++) {
    if (land[node] === 1) degrees[node] = Number.NaN;
  }
  return { sea_surface_temperature: degrees };
}

/** Temperature of the sea surface, °C, carried on over land, where the air near coasts feels it. */
export function waterTemperature(world: World, patch: Patch): Float32Array {
  const { seed } = world;
  const nodes = nodesOf(patch.grid);
  const degrees = climate(world, nodes, patch.time);
  const [fine] = driftingNoise(nodes, [seed + 51], 1.6, patch.time / SLOWNESS, drift) as [Float32Array];
  const [broad] = driftingNoise(nodes, [seed + 52], 3.3, patch.time / SLOWNESS, drift) as [Float32Array];
  const cores = eddyCores(world, nodes, patch.time);
  const wake = new Float32Array(degrees.length);
  const axes = Array.from(nodes.longitude, (longitude) => jetsOn(seed, patch.time, longitude));
  const puddles = wakes(seed, patch.time);
  for (let index = 0; index < puddles.length; index++) addBump(nodes, puddles.at(index), wake);
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const spin = Math.tanh(latitude / 6);
    const jets = nearJets(latitude);
    // The tropics are even.
    const calm = 0.4 + 0.6 * smoothstep(6, 32, Math.abs(latitude));
    for (let column = 0; column < nodes.columns; column++) {
      const at = row * nodes.columns + column;
      const front = jets ? FRONT * jetFront(axes[column]!, latitude) : 0;
      const stirred = wake[at]! === 0 ? 0 : -3 * Math.tanh(wake[at]! / 3);
      const value =
        degrees[at]! +
        spin * EDDY_WARMTH * cores[at]! +
        front +
        calm * (0.35 * fine[at]! + 0.45 * broad[at]!) +
        stirred;
      // Evaporation and cloud hold the warmest seas together.
      degrees[at] = value < WARM ? Math.max(FREEZING, value) : WARM + 2 * Math.tanh((value - WARM) / 2);
    }
  }
  return degrees;
}

/** Share of the sea under ice, 0..1, by the climate of its temperature: what damps the waves. */
export function iceCover(world: World, patch: Patch): Float32Array {
  const nodes = nodesOf(patch.grid);
  const ice = climate(world, nodes, patch.time);
  const [winding] = driftingNoise(nodes, [world.seed + 53], 9, patch.time / SLOWNESS, drift) as [
    Float32Array,
  ];
  for (let at = 0; at < ice.length; at++) ice[at] = smoothstep(-0.5, -1.6, ice[at]! + winding[at]!);
  return ice;
}

/** Makes the warmth of the sea against its parallel, °C, over the lattice. */
export function deriveWarmth(): Float32Array {
  const nodes = nodesOf(lattice);
  const warmth = new Float32Array(LATTICE_NODES);
  for (const [latitude, longitude, km, degrees] of WARMTH) {
    addBump(nodes, kernel(latitude, longitude, km, degrees), warmth);
  }
  return warmth;
}

/** The mean of parallel and season, and its lasting departures; °C, not yet held at freezing. */
function climate(world: World, nodes: Nodes, time: number): Float32Array {
  const degrees = sampleLattice(world.static.warmth, nodes);
  // Warmest in the north in late August.
  const season = Math.cos(2 * Math.PI * (yearFraction(time) - 0.64));
  for (let row = 0; row < nodes.rows; row++) {
    const latitude = nodes.latitude[row]!;
    const off = Math.abs(latitude - 2.5 * season) / (latitude < 0 ? SOUTHERN_WIDTH : NORTHERN_WIDTH);
    const middle = (Math.abs(latitude) - 40) / 16;
    const side = Math.tanh(latitude / 8);
    const zonal =
      FREEZING +
      30.2 * Math.exp(-(off * off * off)) +
      side * season * (0.4 + 4.2 * Math.exp(-middle * middle) * (0.8 + 0.2 * side));
    for (let at = row * nodes.columns; at < (row + 1) * nodes.columns; at++) degrees[at]! += zonal;
  }
  return degrees;
}

/** Streamfunction of the eddies alone at the nodes of a patch. */
function eddyCores(world: World, nodes: Nodes, time: number): Float32Array {
  const weights = eddyWeights(world.seed, time, new Float64Array(4));
  const sum = new Float32Array(nodes.rows * nodes.columns);
  for (let plane = 0; plane < 4; plane++) {
    const texture = world.static.eddies.subarray(plane * LATTICE_NODES, (plane + 1) * LATTICE_NODES);
    const part = sampleLattice(texture, nodes);
    for (let at = 0; at < sum.length; at++) sum[at]! += weights[plane]! * part[at]!;
  }
  return sum;
}

/** Cold water that cyclones of the last eight days have stirred up, stronger on the side where their wind is. */
const wakes = memoByTime((seed, time) => {
  const puddles: Kernel[] = [];
  for (let hours = WAKE_STEP_H; hours <= WAKE_H; hours += WAKE_STEP_H) {
    const then = time - hours * 3600;
    const freshness = smoothstep(0, 24, hours) * smoothstep(WAKE_H, 72, hours);
    for (const storm of stormsPresent(then)) {
      const state = stormState(seed, storm, then);
      if (!state) continue;
      const cooling = 1.1 * clamp((state.windKnots - 45) / 60, 0, 1.2) * freshness * state.presence;
      if (cooling <= 0) continue;
      const side = state.latitude < 0 ? 1 : -1;
      const speed = Math.hypot(state.eastward, state.northward) || 1;
      puddles.push(
        kernel(
          state.latitude + (0.5 * side * state.eastward) / speed,
          state.longitude - (0.5 * side * state.northward) / speed,
          WAKE_KM,
          cooling,
        ),
      );
    }
  }
  return new KernelList(puddles);
});
