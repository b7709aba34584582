import { normaliseLongitude } from "#lib/field/grid.ts";
import { DEGREE_KM, RADIANS } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { hash01 } from "#server/demo/math/hash.ts";
import { smoothstep } from "#server/demo/math/patch.ts";

/** The five places where the demo world always has a storm. */
export type StormSlot = "antimeridian" | "south" | "atlantic" | "invest" | "jmaInvest";

/** Day of the cycle, °N, °E (unwrapped), greatest 1-minute wind in kt. */
type Waypoint = readonly [day: number, latitude: number, longitude: number, wind: number];

interface Path {
  /** Hours by which the slot's cycles start after whole multiples of 12 days; a multiple of 6. */
  offset: number;
  points: readonly Waypoint[];
}

/** A storm is tracked for 12 days, and then the next one of its slot begins. */
export const CYCLE_S = 12 * 24 * HOUR_S;

/** Forecasts and fields know one day more, in which the storm dies. */
const FADED_S = CYCLE_S + 24 * HOUR_S;

export const stormSlots = ["antimeridian", "south", "atlantic", "invest", "jmaInvest"] as const;

const paths: Record<StormSlot, Path> = {
  antimeridian: {
    offset: 0,
    points: [
      [0, 9, -168, 20],
      [1, 10, -171.5, 30],
      [2, 11, -175, 40],
      [3, 12.2, -178.6, 55],
      [4, 13.5, -182.2, 75],
      [5, 15, -186, 95],
      [6, 16.5, -190, 110],
      [7, 18.5, -194, 120],
      [8, 21, -197.5, 110],
      [9, 24.5, -200, 95],
      [10, 29, -200.5, 75],
      [11, 34, -197, 55],
      [12, 39, -189, 40],
      [13, 43.5, -177, 25],
    ],
  },
  south: {
    offset: 108,
    points: [
      [0, -9, 92, 20],
      [1.5, -10.6, 87.6, 35],
      [3, -12.5, 82.5, 60],
      [4, -13.7, 79.1, 80],
      [5, -15, 75.5, 100],
      [6, -16.4, 72, 110],
      [8, -20, 66.6, 90],
      [10, -25.5, 65.8, 60],
      [12, -33, 74, 35],
      [13, -37, 80, 20],
    ],
  },
  atlantic: {
    offset: 198,
    points: [
      [0, 11, -35, 20],
      [1.5, 12.6, -41, 38],
      [3, 14.6, -47, 60],
      [5, 18.2, -55, 95],
      [6, 20.8, -58.6, 115],
      [7, 23.8, -61.5, 115],
      [8, 27.4, -63.4, 100],
      [10, 36.5, -59, 70],
      [12, 47, -38, 45],
      [13, 52, -27, 25],
    ],
  },
  invest: {
    offset: 42,
    points: [
      [0, 9, -95, 15],
      [3, 10.5, -101, 15],
      [6, 11.8, -107, 20],
      [9, 13.2, -113.5, 25],
      [12, 14.6, -120, 15],
      [13, 15, -122, 15],
    ],
  },
  jmaInvest: {
    offset: 162,
    points: [
      [0, 8, 150, 15],
      [4, 9.5, 144, 20],
      [8, 12, 137, 25],
      [12, 14, 131, 20],
      [13, 14.4, 129.4, 15],
    ],
  },
};

/** A storm of the demo world: one cycle of one slot. */
export interface Storm {
  slot: StormSlot;
  /** Cycles of this slot since 1970. */
  cycle: number;
  /** First and last instant at which it is tracked, Unix seconds, on synoptic hours. */
  begins: number;
  ends: number;
}

/** Where a storm is, how strong, and how it moves. */
export interface StormState {
  storm: Storm;
  /** Unix seconds. */
  time: number;
  latitude: number;
  /** In −180 ≤ λ < 180. */
  longitude: number;
  /** Greatest 1-minute wind, kt. */
  windKnots: number;
  /** Motion of the centre, m s-1. */
  eastward: number;
  northward: number;
  /** 0..1: how much of the storm is in the fields; below 1 only in its first and last half day. */
  presence: number;
}

/** The storm of a slot that is tracked at a time: there is always one. */
export function stormOf(slot: StormSlot, time: number): Storm {
  return stormOfCycle(slot, Math.floor((time - paths[slot].offset * HOUR_S) / CYCLE_S));
}

export function stormOfCycle(slot: StormSlot, cycle: number): Storm {
  const begins = cycle * CYCLE_S + paths[slot].offset * HOUR_S;
  return { slot, cycle, begins, ends: begins + CYCLE_S };
}

/** Every storm that is in the fields at a time: the tracked ones, and those that died less than a day before. */
export function stormsPresent(time: number): Storm[] {
  return stormSlots.flatMap((slot) => {
    const storm = stormOf(slot, time);
    const before = stormOfCycle(slot, storm.cycle - 1);
    return time < before.begins + FADED_S ? [before, storm] : [storm];
  });
}

/**
 * Where a storm is at a time.
 *
 * @param seed Each cycle's path is moved by up to 0.75° of latitude and 1.5° of longitude.
 * @returns undefined before it begins and from a day after its end, when nothing is left of it.
 */
export function stormState(seed: number, storm: Storm, time: number): StormState | undefined {
  const age = time - storm.begins;
  if (age < 0 || age >= FADED_S) return undefined;
  const day = age / 86_400;
  const { points } = paths[storm.slot];
  const slotIndex = stormSlots.indexOf(storm.slot);
  const jitter = (draw: number) => 2 * hash01(seed, 7000 + slotIndex, storm.cycle, draw) - 1;

  const [latitude, northward] = along(points, 1, day);
  const [longitude, eastward] = along(points, 2, day);
  const shifted = latitude + 0.75 * jitter(1);
  const metresPerDegree = (DEGREE_KM * 1000) / 86_400;
  return {
    storm,
    time,
    latitude: shifted,
    longitude: normaliseLongitude(longitude + 1.5 * jitter(2)),
    windKnots: along(points, 3, day)[0],
    eastward: eastward * metresPerDegree * Math.cos(shifted * RADIANS),
    northward: northward * metresPerDegree,
    presence: smoothstep(0, 0.5, day) * smoothstep(13, 12.5, day),
  };
}

/** Cubic Hermite through the way-points with slopes that never overshoot them; value and change a day. */
function along(points: readonly Waypoint[], what: 1 | 2 | 3, day: number): [number, number] {
  let leg = 0;
  while (leg < points.length - 2 && points[leg + 1]![0] <= day) leg++;
  const from = points[leg]!;
  const to = points[leg + 1]!;
  const span = to[0] - from[0];
  const t = (day - from[0]) / span;
  const rise = to[what] - from[what];
  const d0 = span * slopeAt(points, what, leg);
  const d1 = span * slopeAt(points, what, leg + 1);
  const bend = 3 * rise - 2 * d0 - d1;
  const twist = d0 + d1 - 2 * rise;
  return [from[what] + t * (d0 + t * (bend + t * twist)), (d0 + t * (2 * bend + 3 * t * twist)) / span];
}

/** Slope at a way-point: the mean of its two legs, weighted as in Fritsch & Butland (1984) so that peaks stay peaks. */
function slopeAt(points: readonly Waypoint[], what: 1 | 2 | 3, index: number): number {
  const slope = (from: Waypoint, to: Waypoint) => (to[what] - from[what]) / (to[0] - from[0]);
  const here = points[index]!;
  const before = points[index - 1];
  const after = points[index + 1];
  if (!before) return slope(here, after!);
  if (!after) return slope(before, here);
  const s0 = slope(before, here);
  const s1 = slope(here, after);
  if (s0 * s1 <= 0) return 0;
  const w0 = 2 * (after[0] - here[0]) + (here[0] - before[0]);
  const w1 = after[0] - here[0] + 2 * (here[0] - before[0]);
  return (w0 + w1) / (w0 / s0 + w1 / s1);
}
