import { clamp, nodesOf, type Patch } from "./patch.ts";
import { sampleWorld } from "./sample.ts";
import type { World } from "./world.types.ts";

/** Exponents of the power law: Hsu, Meindl & Gilhousen (1994) at sea; over land a usual neutral value. */
const SEA_EXPONENT = 0.11;
const LAND_EXPONENT = 0.16;
const ROUGH_KM = 60;

/**
 * What the 10 m wind is multiplied by at a height, (rows, columns).
 *
 * @param height Metres above the surface, ≥ 10.
 */
export function windFactor(world: World, patch: Patch, height: number): Float32Array {
  const coast = sampleWorld(world.static.coastDistance, nodesOf(patch.grid));
  const logarithm = Math.log(height / 10);
  return coast.map((distance) => {
    const inland = clamp(-distance / ROUGH_KM, 0, 1);
    return Math.exp(logarithm * (SEA_EXPONENT + (LAND_EXPONENT - SEA_EXPONENT) * inland));
  });
}
