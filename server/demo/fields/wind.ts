import { EARTH_KM } from "#lib/geo/sphere.ts";
import {
  addVortexWind,
  atDistance,
  type Cyclone,
  cyclones,
  profileOf,
} from "#server/demo/cyclones/vortex.ts";
import { reach, rowsWithin, spans } from "#server/demo/math/kernel.ts";
import { driftingNoise, zonalDrift } from "#server/demo/math/noise.ts";
import { clamp, type Nodes, nodesOf, type Patch, smoothstep } from "#server/demo/math/patch.ts";
import { sampleWorld } from "#server/demo/math/sample.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { addPressureTide, backgroundPressure, PRESSURE_BASE } from "./pressure.ts";

/** Components at 10 m, m s-1, (rows, columns). */
export interface Wind {
  eastward: Float32Array;
  northward: Float32Array;
}

export interface Atmosphere extends Wind {
  /** Mean sea level pressure, hPa. */
  pressure: Float32Array;
}

/** Rayleigh friction, s-1: the wind crosses the isobars by atan(κ/f), 22° at 45° of latitude. */
const FRICTION = 4.2e-5;
const AIR_DENSITY = 1.2;
/** 2 Ω, s-1. */
const TWO_OMEGA = 1.4584e-4;
/** hPa per km → Pa per m. */
const PA_PER_M = 0.1;
/** Square of the speed at which the balance is damped by 1/√2: keeps steep gradients from blowing 60 m/s. */
const SOFT_LIMIT = 1300;
/** How much of the wind the land takes, from `SHELTER_KM` inland. */
const SHELTER = 0.42;
const SHELTER_KM = 60;

/** Pressure and 10 m wind together, as they are computed. */
export function atmosphere(world: World, patch: Patch): Atmosphere {
  return blow(world, patch, true);
}

/** The 10 m wind without its small-scale texture: what seas and coasts feel. */
export function smoothWind(world: World, patch: Patch): Wind {
  return blow(world, patch, false);
}

/**
 * The balance of pressure, Coriolis and a friction in proportion to the wind (as in Lindzen & Nigam 1987), which turns
 * the right way round in both hemispheres and stays finite on the equator.
 *
 * @param out Overwritten: m s-1, without cyclones, texture and land.
 */
export function balancedWind(nodes: Nodes, east: Float32Array, north: Float32Array, out: Wind): void {
  for (let row = 0; row < nodes.rows; row++) {
    const coriolis = TWO_OMEGA * nodes.sinLatitude[row]!;
    const perGradient = PA_PER_M / (AIR_DENSITY * (FRICTION * FRICTION + coriolis * coriolis));
    const end = (row + 1) * nodes.columns;
    for (let at = row * nodes.columns; at < end; at++) {
      const u = -perGradient * (FRICTION * east[at]! + coriolis * north[at]!);
      const v = perGradient * (coriolis * east[at]! - FRICTION * north[at]!);
      const damp = 1 / Math.sqrt(1 + (u * u + v * v) / SOFT_LIMIT);
      out.eastward[at] = u * damp;
      out.northward[at] = v * damp;
    }
  }
}

function blow(world: World, { grid, time }: Patch, textured: boolean): Atmosphere {
  const nodes = nodesOf(grid);
  const size = nodes.rows * nodes.columns;
  const { value, east, north } = backgroundPressure(world.seed, nodes, time);
  const pressure = value.slice();
  const air: Atmosphere = {
    pressure,
    eastward: new Float32Array(size),
    northward: new Float32Array(size),
  };
  balancedWind(nodes, east, north, air);
  addPressureTide(nodes, time, pressure);

  const vortexSpeed = new Float32Array(size);
  for (const cyclone of cyclones(world.seed, time)) addCyclone(nodes, cyclone, air, vortexSpeed);
  if (textured) addTexture(world.seed, nodes, time, air, vortexSpeed);

  const coast = sampleWorld(world.static.coastDistance, nodes);
  for (let at = 0; at < size; at++) {
    pressure[at]! += PRESSURE_BASE;
    if (coast[at]! >= 0) continue;
    const remaining = 1 - SHELTER * Math.min(1, -coast[at]! / SHELTER_KM);
    air.eastward[at]! *= remaining;
    air.northward[at]! *= remaining;
  }
  return air;
}

/** @param vortexSpeed Raised to the wind of the vortex alone where that is greater. */
function addCyclone(nodes: Nodes, cyclone: Cyclone, air: Atmosphere, vortexSpeed: Float32Array): void {
  const mixed = new Float64Array(3);
  const { x, y, z, radius } = cyclone.centre;
  const { from, to } = rowsWithin(nodes, cyclone.centre);
  if (from >= to) return;
  const profile = profileOf(cyclone);
  for (let row = from; row < to; row++) {
    const count = reach(nodes, row, cyclone.centre);
    if (count === 0) continue;
    const sin = nodes.sinLatitude[row]!;
    const cos = nodes.cosLatitude[row]!;
    for (let span = 0; span < count; span += 2) {
      for (let column = spans[span]!; column < spans[span + 1]!; column++) {
        const c = nodes.cosLongitude[column]!;
        const s = nodes.sinLongitude[column]!;
        const along = c * x + s * y;
        const towardEast = c * y - s * x;
        const towardNorth = cos * z - sin * along;
        // Sine of the angle to the centre: within 950 km, and exact at the centre where 1 − cos would cancel.
        const sine = Math.sqrt(towardEast * towardEast + towardNorth * towardNorth);
        const distance = EARTH_KM * Math.asin(Math.min(1, sine));
        if (distance >= radius) continue;
        const at = row * nodes.columns + column;
        air.pressure[at]! += atDistance(profile.pressure, distance);
        mixed[0] = air.eastward[at]!;
        mixed[1] = air.northward[at]!;
        const inverse = sine > 0 ? 1 / sine : 0;
        addVortexWind(cyclone, profile, towardEast * inverse, towardNorth * inverse, distance, mixed);
        air.eastward[at] = mixed[0]!;
        air.northward[at] = mixed[1]!;
        if (mixed[2]! > vortexSpeed[at]!) vortexSpeed[at] = mixed[2]!;
      }
    }
  }
}

/** Squalls and lulls some 200 km across, a tenth of the wind; a cyclone's own wind is left as its track says. */
function addTexture(seed: number, nodes: Nodes, time: number, air: Wind, vortexSpeed: Float32Array): void {
  const [first, second] = driftingNoise(nodes, [seed + 21, seed + 22], 2.2, time, zonalDrift);
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

/** Exponents of the power law: Hsu, Meindl & Gilhousen (1994) at sea; over land a usual neutral value. */
const SEA_EXPONENT = 0.11;
const LAND_EXPONENT = 0.16;
const ROUGH_KM = 60;

/**
 * Factor from the wind at 10 m to that at a height, by the power law.
 *
 * @param coast Distance to the coast, km, negative inland.
 * @param height Metres above the surface, ≥ 10.
 * @returns One factor per node, ≥ 1.
 */
export function windFactor(coast: Float32Array, height: number): Float32Array {
  const logarithm = Math.log(height / 10);
  const atSea = Math.exp(logarithm * SEA_EXPONENT);
  const out = new Float32Array(coast.length);
  for (let at = 0; at < coast.length; at++) {
    const inland = clamp(-coast[at]! / ROUGH_KM, 0, 1);
    out[at] =
      inland === 0 ? atSea : Math.exp(logarithm * (SEA_EXPONENT + (LAND_EXPONENT - SEA_EXPONENT) * inland));
  }
  return out;
}

/** @returns `values · factor`, a new array. */
export function scaled(values: Float32Array, factor: Float32Array): Float32Array {
  const out = new Float32Array(values.length);
  for (let at = 0; at < out.length; at++) out[at] = values[at]! * factor[at]!;
  return out;
}
