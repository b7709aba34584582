import { destination, type Place } from "#lib/geo/sphere.ts";
import { type Kernel, kernel } from "#server/demo/math/kernel.ts";
import { KernelList } from "#server/demo/math/kernel-list.ts";
import { memoByTime } from "#server/demo/math/memo.ts";
import { type MovingSystem, movingSystems } from "./systems.ts";

/** Depth at which a low carries its full weather, hPa. */
const FULL_DEPTH = 18;

/** Shallower lows bring none. */
const MIN_DEPTH = 1;

const CORE = { strength: 1.1, radius: 720 } as const;
const WARM_FRONT = { strength: 0.75, radius: 430, distances: [380, 680, 980] } as const;
const COLD_FRONT = { links: 16, spacing: 140, strength: 0.72, fading: 0.04, radius: 270 } as const;

/**
 * The weather of the travelling lows as overlapping bumps of 0..1: a shield at the centre, a warm front that runs east of
 * it, and a cold front that trails equatorward and curls back west, as a comma.
 */
export const fronts = memoByTime(
  (seed, time) =>
    new KernelList(
      movingSystems(seed, time).flatMap((one) =>
        one.kind === "low" && one.amplitude < -MIN_DEPTH ? comma(one) : [],
      ),
    ),
);

function comma(low: MovingSystem): Kernel[] {
  const strength = Math.min(1, (-low.amplitude - MIN_DEPTH) / FULL_DEPTH);
  const north = low.hemisphere === 1;
  const bump = (place: Place, share: number, radius: number) =>
    kernel(place.latitude, place.longitude, radius, share * strength);

  const warm = WARM_FRONT.distances.map((distance, link) =>
    bump(
      destination(low, north ? 98 + 6 * link : 82 - 6 * link, distance),
      WARM_FRONT.strength * (1 - 0.25 * link),
      WARM_FRONT.radius,
    ),
  );
  const cold: Kernel[] = [];
  let place: Place = low;
  for (let link = 0; link < COLD_FRONT.links; link++) {
    const towards = 138 + 6.8 * link;
    place = destination(place, north ? towards : 180 - towards, COLD_FRONT.spacing);
    cold.push(bump(place, COLD_FRONT.strength * (1 - COLD_FRONT.fading * link), COLD_FRONT.radius));
  }
  return [bump(low, CORE.strength, CORE.radius), ...warm, ...cold];
}
