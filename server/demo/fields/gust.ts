import { clamp, nodesOf, type Patch } from "#server/demo/math/patch.ts";
import { sampleWorld } from "#server/demo/math/sample.ts";
import type { World } from "#server/demo/static/world.types.ts";
import { weather } from "./weather.ts";
import { atmosphere } from "./wind.ts";

/** Gust over mean wind at sea, 3 s in 10 min, and how much more over rough land (Harper et al., WMO 2010). */
const SEA_FACTOR = 1.23;
const LAND_MORE = 0.43;
const ROUGH_KM = 60;

/** Gust at 10 m, m s-1, (rows, columns): turbulence of the mean wind, and squalls where it rains or may thunder. */
export function gust(world: World, patch: Patch): Float32Array {
  const air = atmosphere(world, patch);
  const { rain, cape } = weather(world, patch);
  const coast = sampleWorld(world.static.coastDistance, nodesOf(patch.grid));
  const out = new Float32Array(coast.length);
  for (let at = 0; at < out.length; at++) {
    const u = air.eastward[at]!;
    const v = air.northward[at]!;
    const speed = Math.sqrt(u * u + v * v);
    const factor = SEA_FACTOR + LAND_MORE * clamp(-coast[at]! / ROUGH_KM, 0, 1);
    const squall = 0.12 * speed * Math.min(1, cape[at]! / 2500) + Math.min(6, 0.6 * rain[at]!);
    out[at] = speed * factor + squall;
  }
  return out;
}
