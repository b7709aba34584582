import { EARTH_KM } from "@open-metocean/geo/sphere";
import {
  bell,
  clamp,
  type Nodes,
  nodesOf,
  type Patch,
  sample,
  smoothstep,
  winter,
  worldGrid,
} from "#server/demo/math/grid.ts";
import { addBump, driftingNoise, kernel, spans, spansOf } from "#server/demo/math/patterns.ts";
import type { World } from "#server/demo/static/world.ts";
import {
  addVortexWind,
  atDistance,
  type Cyclone,
  cyclones,
  profileOf,
} from "#server/demo/storms/cyclones.ts";
import { addPressureTide, type BackgroundPressure, backgroundPressure, PRESSURE_BASE } from "./pressure.ts";

/** Components at 10 m, m s-1, (rows, columns). */
export interface Wind {
  eastward: Float32Array;
  northward: Float32Array;
}

export interface Atmosphere extends Wind {
  /** Mean sea level pressure, hPa. */
  pressure: Float32Array;
}

/** Rayleigh friction, s-1. The wind crosses the isobars by atan(κ/f), 22° at 45° of latitude. */
const FRICTION = 4.2e-5;
const AIR_DENSITY = 1.2;
/** 2 Ω, s-1. */
const TWO_OMEGA = 1.4584e-4;
/** hPa per km → Pa per m. */
const PA_PER_M = 0.1;
/** Share of the balanced wind that remains at 10 m. */
const SURFACE = 1;
/** Square of the speed at which the balance is damped by 1/√2, so that steep gradients give about 25 m/s. */
const SOFT_LIMIT = 650;
/** Tropical easterlies that no pressure gradient drives: speed, m s-1, and width, degrees. */
const TRADES = { speed: 3.6, width: 11 } as const;

/**
 * Regional winds with causes of their own: kernel, eastward and northward m s-1, and sign (1 in northern summer, −1 in
 * winter).
 */
const REGIONAL = [
  [kernel(12, 60, 2900, 1), 10, 8, 1], // south-west monsoon of the Arabian Sea
  [kernel(13, 88, 1700, 1), 5, 4, 1], // south-west monsoon of the Bay of Bengal
  [kernel(14, 113, 1900, 1), -4, -5, -1], // north-east monsoon of the South China Sea
  [kernel(14, -74, 1700, 1), -3, 0, 0], // low-level jet of the Caribbean
  [kernel(37, 25, 700, 1), 1, -5, 1], // Etesians
  [kernel(37, -124, 1200, 1), 1, -5, 1], // northerlies of California
] as const;
/**
 * Share of the wind lost over land, from `SHELTER_KM` inland, and the smaller share lost off a coast, up to this
 * distance.
 */
const SHELTER = 0.42;
const LEE = 0.16;
const LEE_KM = 120;
const SHELTER_KM = 60;

/** Pressure and 10 m wind, which are computed together. */
export function atmosphere(world: World, patch: Patch): Atmosphere {
  return blow(world, patch, true);
}

/** The 10 m wind without its small-scale texture. Waves and coasts depend on it. */
export function smoothWind(world: World, patch: Patch): Wind {
  return blow(world, patch, false);
}

/**
 * The balance of pressure, Coriolis and a friction proportional to the wind (as in Lindzen & Nigam 1987). It turns the
 * right way in both hemispheres and stays finite at the equator.
 *
 * @param out Overwritten: m s-1, without cyclones, texture and land.
 */
export function balancedWind(
  nodes: Nodes,
  time: number,
  { east, north }: BackgroundPressure,
  out: Wind,
): void {
  for (let row = 0; row < nodes.rows; row++) {
    const coriolis = TWO_OMEGA * nodes.sinLatitude[row]!;
    const perGradient = (SURFACE * PA_PER_M) / (AIR_DENSITY * (FRICTION * FRICTION + coriolis * coriolis));
    const trades = TRADES.speed * bell(nodes.latitude[row]!, 0, TRADES.width);
    const end = (row + 1) * nodes.columns;
    for (let at = row * nodes.columns; at < end; at++) {
      const u = -perGradient * (FRICTION * east[at]! + coriolis * north[at]!) - trades;
      const v = perGradient * (coriolis * east[at]! - FRICTION * north[at]!);
      const damp = 1 / Math.sqrt(1 + (u * u + v * v) / SOFT_LIMIT);
      out.eastward[at] = u * damp;
      out.northward[at] = v * damp;
    }
  }
  for (const [centre, eastward, northward, summer] of REGIONAL) {
    const share = summer === 0 ? 1 : Math.max(0, -summer * winter(time));
    if (share === 0 || spansOf(nodes, centre) === 0) continue;
    const near = new Float32Array(out.eastward.length);
    addBump(nodes, centre, near);
    for (let at = 0; at < near.length; at++) {
      out.eastward[at]! += share * near[at]! * eastward;
      out.northward[at]! += share * near[at]! * northward;
    }
  }
}

function blow(world: World, { grid, time }: Patch, textured: boolean): Atmosphere {
  const nodes = nodesOf(grid);
  const size = nodes.rows * nodes.columns;
  const background = backgroundPressure(world.seed, nodes, time);
  const pressure = background.value.slice();
  const air = { pressure, eastward: new Float32Array(size), northward: new Float32Array(size) };
  balancedWind(nodes, time, background, air);
  addPressureTide(nodes, time, pressure);

  const vortexSpeed = new Float32Array(size);
  for (const cyclone of cyclones(world.seed, time)) addCyclone(nodes, cyclone, air, vortexSpeed);
  if (textured) addTexture(world.seed, nodes, time, air, vortexSpeed);

  const coast = sample(world.static.coastDistance, worldGrid, nodes);
  for (let at = 0; at < size; at++) {
    pressure[at]! += PRESSURE_BASE;
    const km = coast[at]!;
    const taken =
      km < 0 ? LEE + (SHELTER - LEE) * Math.min(1, -km / SHELTER_KM) : LEE * Math.exp(-km / LEE_KM);
    const remaining = 1 - taken;
    air.eastward[at]! *= remaining;
    air.northward[at]! *= remaining;
  }
  return air;
}

/** @param vortexSpeed Speed of the vortices' own wind, m/s; raised where this cyclone's is higher. */
function addCyclone(nodes: Nodes, cyclone: Cyclone, air: Atmosphere, vortexSpeed: Float32Array): void {
  const mixed = new Float64Array(3);
  eachDistance(nodes, cyclone, (at, distance, towardEast, towardNorth) => {
    const profile = profileOf(cyclone);
    air.pressure[at]! += atDistance(profile.pressure, distance);
    mixed[0] = air.eastward[at]!;
    mixed[1] = air.northward[at]!;
    addVortexWind(cyclone, profile, towardEast, towardNorth, distance, mixed);
    air.eastward[at] = mixed[0]!;
    air.northward[at] = mixed[1]!;
    if (mixed[2]! > vortexSpeed[at]!) vortexSpeed[at] = mixed[2]!;
  });
}

/**
 * Visits the nodes within the reach of a cyclone.
 *
 * @param visit Called with the node, its distance from the centre (km), and the unit vector toward the centre.
 */
export function eachDistance(
  nodes: Nodes,
  { centre }: Cyclone,
  visit: (at: number, distance: number, towardEast: number, towardNorth: number) => void,
): void {
  const { x, y, z, radius } = centre;
  // The spans are copied, because the visitor may compute spans of its own.
  const count = spansOf(nodes, centre);
  if (count === 0) return;
  const own = spans.slice(0, count);
  for (let span = 0; span < own.length; span += 3) {
    const row = own[span]!;
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    const to = own[span + 2]!;
    for (let column = own[span + 1]!; column < to; column++) {
      const c = nodes.cosLongitude[column]!;
      const s = nodes.sinLongitude[column]!;
      const east = c * y - s * x;
      const north = cos * z - sin * (c * x + s * y);
      // The sine of the angle to the centre is used, which is exact at the centre, where 1 − cos would cancel.
      const sine = Math.sqrt(east * east + north * north);
      const distance = EARTH_KM * Math.asin(Math.min(1, sine));
      const inverse = sine > 0 ? 1 / sine : 0;
      if (distance < radius) visit(row * nodes.columns + column, distance, east * inverse, north * inverse);
    }
  }
}

/** Adds squalls and lulls about 200 km across, a tenth of the wind. A cyclone's own wind stays as its track states. */
function addTexture(seed: number, nodes: Nodes, time: number, air: Wind, vortexSpeed: Float32Array): void {
  const [first, second] = [seed + 21, seed + 22].map((one) => driftingNoise(nodes, one, 2.2, time));
  for (let at = 0; at < vortexSpeed.length; at++) {
    const u = air.eastward[at]!;
    const v = air.northward[at]!;
    const vortex = vortexSpeed[at]!;
    const free = vortex > 0 ? 1 - smoothstep(1, 4, vortex) : 1;
    const strength = (0.8 + 0.1 * Math.sqrt(u * u + v * v)) * free;
    air.eastward[at] = u + strength * first![at]!;
    air.northward[at] = v + strength * second![at]!;
  }
}

/** Exponents of the power law: Hsu, Meindl & Gilhousen (1994) at sea, and a usual neutral value over land. */
const SEA_EXPONENT = 0.11;
const LAND_EXPONENT = 0.16;

/** The wind at a height above 10 m, by the power law, m s-1. */
export function windAtHeight(world: World, patch: Patch, height: number): Wind {
  const { eastward, northward } = atmosphere(world, patch);
  const coast = sample(world.static.coastDistance, worldGrid, nodesOf(patch.grid));
  const logarithm = Math.log(height / 10);
  const atSea = Math.exp(logarithm * SEA_EXPONENT);
  for (let at = 0; at < coast.length; at++) {
    const inland = clamp(-coast[at]! / SHELTER_KM, 0, 1);
    const factor =
      inland === 0 ? atSea : Math.exp(logarithm * (SEA_EXPONENT + (LAND_EXPONENT - SEA_EXPONENT) * inland));
    eastward[at]! *= factor;
    northward[at]! *= factor;
  }
  return { eastward, northward };
}
