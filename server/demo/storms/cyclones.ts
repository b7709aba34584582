import { normaliseLongitude } from "@open-metocean/geo/grid";
import { DEGREE_KM, RADIANS } from "@open-metocean/geo/sphere";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { backgroundPressureAt } from "#server/demo/fields/pressure.ts";
import { clamp, smoothstep, yearly } from "#server/demo/math/grid.ts";
import { hash01, type Kernel, kernel, memoByTime } from "#server/demo/math/patterns.ts";

/** The five places where the demo always has a storm. A storm is strong only in its season. */
export type StormSlot = "antimeridian" | "south" | "atlantic" | "invest" | "jmaInvest";

interface Path {
  /** Hours by which the slot's cycles start after whole multiples of 12 days; a multiple of 6. */
  offset: number;
  /** Share of the year at which the season culminates, and the share of the year that it takes. */
  season: readonly [peak: number, length: number];
  /** Way-points, four numbers each: day of the cycle, °N, °E (unwrapped), greatest 1-minute wind in kt. */
  points: readonly number[];
}

/** Time for which a storm is tracked. Then the next one of its slot begins. */
export const CYCLE_S = 12 * DAY_S;

/** Time after which a storm has gone from forecasts and fields, seconds: it fades during a day after its track ends. */
const FADED_S = CYCLE_S + DAY_S;

export const stormSlots = ["antimeridian", "south", "atlantic", "invest", "jmaInvest"] as const;

const paths: Record<StormSlot, Path> = {
  // The path comes out of the central Pacific over 180°, May to December.
  antimeridian: {
    offset: 0,
    season: [0.67, 0.6],
    points: [
      0, 9, -168, 20, 1, 10, -171.5, 30, 2, 11, -175, 40, 3, 12.2, -178.6, 55, 4, 13.5, -182.2, 75, 5, 15,
      -186, 95, 6, 16.5, -190, 110, 7, 18.5, -194, 120, 8, 21, -197.5, 110, 9, 24.5, -200, 95, 10, 29, -200.5,
      75, 11, 34, -197, 55, 12, 39, -189, 40, 13, 43.5, -177, 25,
    ],
  },
  // The path is in the south-west Indian Ocean, November to April.
  south: {
    offset: 108,
    season: [0.12, 0.42],
    points: [
      0, -9, 92, 20, 1.5, -10.6, 87.6, 35, 3, -12.5, 82.5, 60, 4, -13.7, 79.1, 80, 5, -15, 75.5, 100, 6,
      -16.4, 72, 110, 8, -20, 66.6, 90, 10, -25.5, 65.8, 60, 12, -33, 74, 35, 13, -37, 80, 20,
    ],
  },
  // The path is that of Cape Verde hurricanes, July to October.
  atlantic: {
    offset: 198,
    season: [0.7, 0.36],
    points: [
      0, 11, -35, 20, 1.5, 12.6, -41, 38, 3, 14.6, -47, 60, 5, 18.2, -55, 95, 6, 20.8, -58.6, 115, 7, 23.8,
      -61.5, 115, 8, 27.4, -63.4, 100, 10, 36.5, -59, 70, 12, 47, -38, 45, 13, 52, -27, 25,
    ],
  },
  // These are disturbances off Central America, May to November, and near Micronesia.
  invest: {
    offset: 42,
    season: [0.63, 0.55],
    points: [
      0, 9, -95, 15, 3, 10.5, -101, 15, 6, 11.8, -107, 20, 9, 13.2, -113.5, 25, 12, 14.6, -120, 15, 13, 15,
      -122, 15,
    ],
  },
  jmaInvest: {
    offset: 162,
    season: [0, 1],
    points: [0, 8, 150, 15, 4, 9.5, 144, 20, 8, 12, 137, 25, 12, 14, 131, 20, 13, 14.4, 129.4, 15],
  },
};

/** A storm of the demo: one cycle of one slot. */
export interface Storm {
  slot: StormSlot;
  /** Number of cycles of this slot since 1970. */
  cycle: number;
  /** First and last instant at which it is tracked, Unix seconds, on synoptic hours. */
  begins: number;
  ends: number;
}

/** Place, strength and motion of a storm. */
export interface StormState {
  storm: Storm;
  /** Unix seconds. */
  time: number;
  latitude: number;
  /** Degrees, in −180 ≤ λ < 180. */
  longitude: number;
  /** Greatest 1-minute wind, kt. */
  windKnots: number;
  /** Motion of the centre, m s-1. */
  eastward: number;
  northward: number;
  /** Share of the storm in the fields, 0..1; below 1 only in its first and last half day. */
  presence: number;
}

/** The storm of a slot that is tracked at a time, or the one that began a number of cycles earlier. */
export function stormOf(slot: StormSlot, time: number, before = 0): Storm {
  const offset = paths[slot].offset * HOUR_S;
  const cycle = Math.floor((time - offset) / CYCLE_S) - before;
  const begins = cycle * CYCLE_S + offset;
  return { slot, cycle, begins, ends: begins + CYCLE_S };
}

/**
 * Every storm that is in the fields at a time: the tracked ones, and those whose track ended less than a day before.
 */
export function stormsPresent(time: number): Storm[] {
  return stormSlots.flatMap((slot) => {
    const ended = stormOf(slot, time, 1);
    return [...(time < ended.begins + FADED_S ? [ended] : []), stormOf(slot, time)];
  });
}

/** Out of season a storm keeps only this share of its wind above `CALM_KT`, as a depression. */
const OFF_SEASON = 0.14;
const CALM_KT = 15;

/** The wind of a storm, kt. In its season it is at most that of its path, from a tropical storm to a super typhoon. */
function windOf({ slot, begins }: Storm, onPath: number, chance: number): number {
  const [peak, length] = paths[slot].season;
  // A storm belongs to the season of the middle of its track.
  const isSeason = yearly(begins + CYCLE_S / 2, peak) >= Math.cos(Math.PI * length);
  if (!isSeason) return CALM_KT + OFF_SEASON * (onPath - CALM_KT);
  return onPath - 0.45 * chance * chance * Math.max(0, onPath - 30);
}

/**
 * State of a storm at a time.
 *
 * @param seed Varies the strength of each cycle, and moves its path by up to 0.75° of latitude and 1.5° of longitude.
 * @returns undefined before it begins, and from a day after its end on.
 */
export function stormState(seed: number, storm: Storm, time: number): StormState | undefined {
  const age = time - storm.begins;
  if (age < 0 || age >= FADED_S) return undefined;
  const day = age / DAY_S;
  const slotIndex = stormSlots.indexOf(storm.slot);
  const chance = (draw: number) => hash01(seed, 7000 + slotIndex, storm.cycle, draw);

  const [latitude, northward] = along(storm.slot, 1, day);
  const [longitude, eastward] = along(storm.slot, 2, day);
  const [wind] = along(storm.slot, 3, day);
  const shifted = latitude + 1.5 * chance(1) - 0.75;
  const metresPerDegree = (DEGREE_KM * 1000) / DAY_S;
  return {
    storm,
    time,
    latitude: shifted,
    longitude: normaliseLongitude(longitude + 3 * chance(2) - 1.5),
    windKnots: windOf(storm, wind, chance(3)),
    eastward: eastward * metresPerDegree * Math.cos(shifted * RADIANS),
    northward: northward * metresPerDegree,
    presence: smoothstep(0, 0.5, day) * smoothstep(13, 12.5, day),
  };
}

/**
 * Cubic Hermite interpolation through the way-points, with slopes that never overshoot them: value, and change per day.
 */
function along(slot: StormSlot, what: 1 | 2 | 3, day: number): [number, number] {
  const { points } = paths[slot];
  const at = (index: number, part: number) => points[4 * index + part]!;
  const last = points.length / 4 - 1;
  /** Mean slope from a way-point to the next; before the first and after the last one that of the adjacent leg. */
  const slope = (index: number) => {
    const leg = clamp(index, 0, last - 1);
    return (at(leg + 1, what) - at(leg, what)) / (at(leg + 1, 0) - at(leg, 0));
  };
  /** Harmonic mean of both legs (Fritsch & Butland 1984), so that peaks stay peaks. */
  const tangent = (index: number) => {
    const [before, after] = [slope(index - 1), slope(index)];
    return before * after <= 0 ? 0 : (2 * before * after) / (before + after);
  };
  let leg = 0;
  while (leg < last - 1 && at(leg + 1, 0) <= day) leg++;
  const span = at(leg + 1, 0) - at(leg, 0);
  const t = (day - at(leg, 0)) / span;
  const rise = at(leg + 1, what) - at(leg, what);
  const [d0, d1] = [span * tangent(leg), span * tangent(leg + 1)];
  const bend = 3 * rise - 2 * d0 - d1;
  const twist = d0 + d1 - 2 * rise;
  return [at(leg, what) + t * (d0 + t * (bend + t * twist)), (d0 + t * (2 * bend + 3 * t * twist)) / span];
}

/** A tropical cyclone in the fields at one instant. */
export interface Cyclone extends StormState {
  /** Centre. The radius is where the vortex ends, km. */
  centre: Kernel;
  /** Radius of greatest wind, km. */
  coreRadius: number;
  /** Greatest wind of the vortex without its motion, m s-1. */
  speed: number;
  /** Holland's B. */
  steepness: number;
  /** Pressure at the centre of the vortex below the air around it, hPa. */
  deficit: number;
  /** Seed of the world that contains it. */
  seed: number;
}

/** Radial tables at steps of `PROFILE_STEP_KM`. */
export interface Profile {
  /** Share of the greatest wind, 0..1. */
  wind: Float64Array;
  /** hPa, ≤ 0. */
  pressure: Float64Array;
}

export const KNOT = 0.514444;

/** Radius at which a vortex ends, km. */
export const VORTEX_KM = 950;

const PROFILE_STEP_KM = 1.9;

const AIR_DENSITY = 1.15;

/** Ratio of the gradient wind, with which pressure falls, to the wind at the surface. */
const GRADIENT_WIND_FACTOR = 1.3;

/** Share of its motion that a storm adds to its wind. */
const MOTION_SHARE = 0.55;

/** Usual pressure around a cyclone, hPa. */
const OUTER_PRESSURE = 1010;

/** Share of its greatest wind at which a vortex replaces the surrounding wind. */
const SURROUNDINGS_GONE = 0.5;

/** Share of the surrounding wind that a strong storm removes within its whole reach, increasing towards its centre. */
const SURROUNDINGS_EASED = 0.5;

/** Every cyclone in the fields at a time, in a fixed order. */
export const cyclones = memoByTime((seed, time): readonly Cyclone[] =>
  stormsPresent(time).flatMap((storm) => {
    const state = stormState(seed, storm, time);
    return state && state.presence > 0 ? [vortex(seed, state)] : [];
  }),
);

/**
 * The vortex of a storm. Radius of greatest wind and steepness follow Willoughby, Darling & Rahn (2006), the fall of
 * pressure Holland (1980). Outside the core the exponent is reduced to 0.75 B, because Holland's wind decays too fast
 * there (Willoughby & Rahn 2004).
 */
export function vortex(seed: number, state: StormState): Cyclone {
  const motion = Math.hypot(state.eastward, state.northward);
  const greatest = state.windKnots * KNOT;
  const poleward = Math.abs(state.latitude);
  const coreRadius = clamp(46.4 * Math.exp(-0.0155 * greatest + 0.0169 * poleward), 18, 120);
  const steepness = clamp(
    1.0036 + 0.0173 * greatest - 0.0313 * Math.log(coreRadius) + 0.0087 * poleward,
    1,
    2.3,
  );
  // A fast disturbance keeps some wind of its own.
  const speed = state.presence * Math.max(0.4 * greatest, greatest - MOTION_SHARE * motion);
  const deficit = (((AIR_DENSITY * Math.E * speed * speed) / steepness) * GRADIENT_WIND_FACTOR) / 100;
  const centre = kernel(state.latitude, state.longitude, VORTEX_KM, 1);
  return { ...state, centre, coreRadius, speed, steepness, deficit, seed };
}

/**
 * Pressure around a cyclone, hPa: that of the field without it, lowered, because storms occur in troughs and not on
 * ridges.
 */
export function outerPressure(cyclone: Cyclone): number {
  return backgroundPressureAt(cyclone.seed, cyclone, cyclone.time) - lowering(cyclone);
}

function lowering(cyclone: Cyclone): number {
  const field = backgroundPressureAt(cyclone.seed, cyclone, cyclone.time);
  return Math.max(0, field - OUTER_PRESSURE) * cyclone.presence * Math.min(1, cyclone.windKnots / 50);
}

const profiles = new WeakMap<Cyclone, Profile>();

/** Wind and pressure of a cyclone by distance. They are computed on first use, because most patches have no cyclone. */
export function profileOf(cyclone: Cyclone): Profile {
  const known = profiles.get(cyclone);
  if (known) return known;
  const { coreRadius, steepness, deficit } = cyclone;
  const lowered = lowering(cyclone);
  const count = Math.ceil(VORTEX_KM / PROFILE_STEP_KM) + 2;
  const profile = { wind: new Float64Array(count), pressure: new Float64Array(count) };
  profile.pressure[0] = -deficit - lowered;
  for (let index = 1; index * PROFILE_STEP_KM < VORTEX_KM; index++) {
    const distance = index * PROFILE_STEP_KM;
    const e = (coreRadius / distance) ** (distance < coreRadius ? steepness : 0.75 * steepness);
    const fade = 1 - (distance / VORTEX_KM) ** 2;
    profile.wind[index] = Math.sqrt(e * Math.exp(1 - e)) * fade;
    profile.pressure[index] = (deficit * Math.expm1(-e) - lowered) * fade * fade;
  }
  profiles.set(cyclone, profile);
  return profile;
}

/** Reads a radial table, linear between its steps; 0 beyond its end. */
export function atDistance(table: Float64Array, distance: number): number {
  const x = distance / PROFILE_STEP_KM;
  const index = Math.floor(x);
  if (index >= table.length - 1) return 0;
  return table[index]! + (x - index) * (table[index + 1]! - table[index]!);
}

/**
 * Inflow angle, radians: 10° at the core, rising to 22° at 1.6 core radii and beyond, and falling to 0 at the centre.
 */
function inflow(distance: number, coreRadius: number): number {
  const ratio = distance / coreRadius;
  return RADIANS * (ratio < 1 ? 10 * ratio : 10 + 12 * Math.min(1, (ratio - 1) / 0.6));
}

/**
 * Merges the vortex of a cyclone with the surrounding wind. The vortex is cyclonic in its hemisphere and turned inward.
 * A share of the storm's own motion is added, turned 20° cyclonically (Lin & Chavas 2012), so that one side is
 * stronger. The surrounding wind decreases towards the core.
 *
 * @param towardEast Unit vector from the place toward the centre, together with `towardNorth`.
 * @param distance Km from the centre.
 * @param out [eastward, northward, wind of the vortex alone] m s-1; the first two contain the surrounding wind on
 *   entry.
 */
export function addVortexWind(
  cyclone: Cyclone,
  profile: Profile,
  towardEast: number,
  towardNorth: number,
  distance: number,
  out: Float64Array,
): void {
  const share = atDistance(profile.wind, distance);
  const vortexSpeed = share * cyclone.speed;
  const sense = cyclone.latitude < 0 ? -1 : 1;
  const angle = inflow(distance, cyclone.coreRadius);
  const round = vortexSpeed * Math.cos(angle) * sense;
  const inward = vortexSpeed * Math.sin(angle);
  const near = Math.max(0, 1 - (distance / VORTEX_KM) ** 2);
  const strong = cyclone.presence * Math.min(1, cyclone.windKnots / 64);
  const rest =
    (1 - smoothstep(0, SURROUNDINGS_GONE, share * cyclone.presence)) *
    (1 - SURROUNDINGS_EASED * strong * near * near);
  const push = MOTION_SHARE * share * cyclone.presence;
  out[0] =
    rest * out[0]! +
    round * towardNorth +
    inward * towardEast +
    push * (COS_20 * cyclone.eastward - sense * SIN_20 * cyclone.northward);
  out[1] =
    rest * out[1]! -
    round * towardEast +
    inward * towardNorth +
    push * (COS_20 * cyclone.northward + sense * SIN_20 * cyclone.eastward);
  out[2] = vortexSpeed;
}

const COS_20 = Math.cos(20 * RADIANS);
const SIN_20 = Math.sin(20 * RADIANS);
