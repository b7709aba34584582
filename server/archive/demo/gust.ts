import { clamp, nodesOf, type Patch } from "./patch.ts";
import { sampleWorld } from "./sample.ts";
import { weather } from "./weather.ts";
import { atmosphere } from "./wind.ts";
import type { World } from "./world.types.ts";

/** Gust over mean wind at sea, 3 s in 10 min, and how much more over rough land (Harper et al., WMO 2010). */
const SEA_FACTOR = 1.23;
const LAND_MORE = 0.43;
const ROUGH_KM = 60;

/** Gust at 10 m, m s-1, (rows, columns): turbulence of the mean wind, and squalls where it rains or may thunder. */
export function gust(world: World, patch: Patch): Float32Array {
  const air = atmosphere(world, patch);
  const { rain, cape } = weather(world, patch);
  const coast = sampleWorld(world.static.coastDistance, nodesOf(patch.grid));
  return coast.map((distance, at) => {
    const speed = Math.hypot(air.eastward[at]!, air.northward[at]!);
    const factor = SEA_FACTOR + LAND_MORE * clamp(-distance / ROUGH_KM, 0, 1);
    const squall = 0.12 * speed * Math.min(1, cape[at]! / 2500) + Math.min(6, 0.6 * rain[at]!);
    return speed * factor + squall;
  });
}
