import { clamp } from "./patch.ts";

/** Exponents of the power law: Hsu, Meindl & Gilhousen (1994) at sea; over land a usual neutral value. */
const SEA_EXPONENT = 0.11;
const LAND_EXPONENT = 0.16;
const ROUGH_KM = 60;

/**
 * Wind at a height from the wind at 10 m, by the power law.
 *
 * @param wind A component at 10 m, m s-1; left as it is.
 * @param coast Distance to the coast, km, negative inland: of the same nodes.
 * @param height Metres above the surface, ≥ 10.
 * @returns A new array.
 */
export function atHeight(wind: Float32Array, coast: Float32Array, height: number): Float32Array {
  const logarithm = Math.log(height / 10);
  const atSea = Math.exp(logarithm * SEA_EXPONENT);
  const out = new Float32Array(wind.length);
  for (let at = 0; at < wind.length; at++) {
    const inland = clamp(-coast[at]! / ROUGH_KM, 0, 1);
    const factor =
      inland === 0 ? atSea : Math.exp(logarithm * (SEA_EXPONENT + (LAND_EXPONENT - SEA_EXPONENT) * inland));
    out[at] = wind[at]! * factor;
  }
  return out;
}
