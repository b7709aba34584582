import { DEGREE_KM, destination, type Place, RADIANS } from "#lib/geo/sphere.ts";
import { hash01 } from "#server/demo/math/hash.ts";
import { type Kernel, kernel } from "#server/demo/math/kernel.ts";
import { KernelList } from "#server/demo/math/kernel-list.ts";
import { memoByTime } from "#server/demo/math/memo.ts";
import { winter } from "#server/demo/math/season.ts";

/** A travelling low or high of the middle latitudes at one instant. */
export interface MovingSystem extends Place {
  kind: "low" | "high";
  /** 1 north, −1 south. */
  hemisphere: 1 | -1;
  /** How far the centre stands off the field around it, hPa: negative for lows; 0 at birth and death. */
  amplitude: number;
  /** Km. */
  radius: number;
}

/** Life of a system, seconds. */
const LIFE_S = 7.2 * 86_400;

/** How many systems of each kind share a hemisphere. */
const LOWS = { 1: 11, [-1]: 13 } as const;
const HIGHS = 9;

/** Three lesser hollows that trail equatorward and west of a low: its cold front. */
const TROUGH = { spacing: 480, radius: 900, depths: [0.3, 0.2, 0.12] } as const;
const TROUGH_BEARINGS = { 1: [208, 226, 244], [-1]: [332, 314, 296] } as const;

/** All travelling lows and highs at a time, in a fixed order. Amplitude is continuous in time. */
export const movingSystems = memoByTime((seed, time): readonly MovingSystem[] => {
  const systems: MovingSystem[] = [];
  for (const hemisphere of [1, -1] as const) {
    const lows = LOWS[hemisphere];
    for (let slot = 0; slot < lows + HIGHS; slot++) {
      const low = slot < lows;
      systems.push(
        low
          ? system(seed, time, "low", hemisphere, slot, lows)
          : system(seed, time, "high", hemisphere, slot - lows, HIGHS),
      );
    }
  }
  return systems;
});

/** The travelling systems and the troughs of the lows as pressure kernels, hPa. */
export const movingKernels = memoByTime(
  (seed, time) =>
    new KernelList(
      movingSystems(seed, time).flatMap((one) => {
        const centre = kernel(one.latitude, one.longitude, one.radius, one.amplitude);
        return one.kind === "high" ? [centre] : [centre, ...trough(one)];
      }),
    ),
);

function trough(low: MovingSystem): Kernel[] {
  let place: Place = low;
  return TROUGH.depths.map((share, link) => {
    place = destination(place, TROUGH_BEARINGS[low.hemisphere][link]!, TROUGH.spacing);
    return kernel(place.latitude, place.longitude, TROUGH.radius, share * low.amplitude);
  });
}

function system(
  seed: number,
  time: number,
  kind: "low" | "high",
  hemisphere: 1 | -1,
  slot: number,
  slots: number,
): MovingSystem {
  const stream = (kind === "low" ? 11 : 12) + (hemisphere === 1 ? 0 : 2);
  const life = time / LIFE_S + hash01(seed, stream, slot);
  const generation = Math.floor(life);
  const age = life - generation;
  const chance = (draw: number) => hash01(seed, 100 * stream + slot, generation, draw);
  const low = kind === "low";
  // Winter of this system's own hemisphere.
  const cold = hemisphere * winter(time);

  const poleward = (low ? 39 : 29) + 9 * chance(2) + (low ? 14 : -2) * age - 3 * cold;
  const kmPerHour = (low ? 38 : 25) + 14 * chance(3);
  const degreesAlong =
    (kmPerHour * age * (LIFE_S / 3600)) / (DEGREE_KM * Math.cos(Math.min(70, poleward) * RADIANS));
  const strength = low ? -(9 + 21 * chance(4) ** 1.3) : 4 + 7 * chance(4);
  const seasonal = 1 + (hemisphere === 1 ? 0.5 : 0.2) * cold;
  const longitude = (360 * (slot + 0.9 * chance(1))) / slots + 34.4 * generation + degreesAlong;
  return {
    kind,
    hemisphere,
    latitude: hemisphere * poleward,
    longitude: longitude - 360 * Math.floor((longitude + 180) / 360),
    amplitude: strength * seasonal * Math.sin(Math.PI * age) ** 1.1,
    radius: (low ? 1750 : 2300) * (0.8 + 0.45 * chance(5)),
  };
}
