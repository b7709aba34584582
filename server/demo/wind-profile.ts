import { clamp } from "./patch.ts";

/** Exponents of the power law: Hsu, Meindl & Gilhousen (1994) at sea; over land a usual neutral value. */
const SEA_EXPONENT = 0.11;
const LAND_EXPONENT = 0.16;
const ROUGH_KM = 60;

/**
 * What the wind at 10 m is multiplied by at a height, by the power law.
 *
 * @param coast Distance to the coast, km, negative inland.
 * @param height Metres above the surface, ≥ 10.
 * @returns A factor a node, ≥ 1.
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
