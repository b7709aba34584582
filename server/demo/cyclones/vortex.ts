import { backgroundPressureAt } from "#server/demo/fields/pressure.ts";
import { type Kernel, kernel } from "#server/demo/math/kernel.ts";
import { memoByTime } from "#server/demo/math/memo.ts";
import { clamp, smoothstep } from "#server/demo/math/patch.ts";
import { type StormState, stormState, stormsPresent } from "./storm-tracks.ts";

/** A tropical cyclone as it stands in the fields at one instant. */
export interface Cyclone extends StormState {
  /** Centre; the radius is where the vortex has died out, km. */
  centre: Kernel;
  /** Radius of greatest wind, km. */
  coreRadius: number;
  /** Greatest wind of the vortex without its motion, m s-1. */
  speed: number;
  /** Holland's B. */
  steepness: number;
  /** How far the vortex stands below the air around it at its centre, hPa. */
  deficit: number;
  /** Of the world that it is in. */
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

/** Where a vortex ends, km. */
export const VORTEX_KM = 950;

const PROFILE_STEP_KM = 1.9;

const AIR_DENSITY = 1.15;

/** Pressure falls with the gradient wind above, which is stronger than the wind at the surface. */
const GRADIENT_WIND_FACTOR = 1.3;

/** How much of its motion a storm adds to its wind. */
const MOTION_SHARE = 0.55;

/** Usual pressure around a cyclone, hPa. */
const OUTER_PRESSURE = 1010;

/** Share of its greatest wind at which a vortex has driven out the wind of its surroundings. */
const SURROUNDINGS_GONE = 0.5;

/** How much of the surrounding wind a strong storm takes within its whole reach, towards its centre. */
const SURROUNDINGS_EASED = 0.5;

/** Every cyclone in the fields at a time, in a fixed order. */
export const cyclones = memoByTime((seed, time): readonly Cyclone[] =>
  stormsPresent(time).flatMap((storm) => {
    const state = stormState(seed, storm, time);
    return state && state.presence > 0 ? [vortex(seed, state)] : [];
  }),
);

/**
 * The vortex of a storm. Radius of greatest wind and steepness after Willoughby, Darling & Rahn (2006), the fall of
 * pressure after Holland (1980); outside the core the exponent is eased to 0.75 B, because Holland's wind dies too fast
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
  return {
    ...state,
    centre: kernel(state.latitude, state.longitude, VORTEX_KM, 1),
    coreRadius,
    speed,
    steepness,
    deficit,
    seed,
  };
}

/** Pressure around a cyclone, hPa: the field without it, lowered, because storms live in troughs and not on ridges. */
export function outerPressure(cyclone: Cyclone): number {
  const field = backgroundPressureAt(cyclone.seed, cyclone, cyclone.time);
  return field - lowering(cyclone, field);
}

function lowering({ presence, windKnots }: Cyclone, field: number): number {
  return Math.max(0, field - OUTER_PRESSURE) * presence * Math.min(1, windKnots / 50);
}

const profiles = new WeakMap<Cyclone, Profile>();

/** Wind and pressure of a cyclone by distance; computed on first use, since most patches have no cyclone. */
export function profileOf(cyclone: Cyclone): Profile {
  let profile = profiles.get(cyclone);
  if (!profile) {
    profile = tabulate(cyclone);
    profiles.set(cyclone, profile);
  }
  return profile;
}

function tabulate(cyclone: Cyclone): Profile {
  const { coreRadius, steepness, deficit } = cyclone;
  const lowered = lowering(cyclone, backgroundPressureAt(cyclone.seed, cyclone, cyclone.time));
  const count = Math.ceil(VORTEX_KM / PROFILE_STEP_KM) + 2;
  const wind = new Float64Array(count);
  const pressure = new Float64Array(count);
  pressure[0] = -deficit - lowered;
  for (let index = 1; index < count; index++) {
    const distance = index * PROFILE_STEP_KM;
    if (distance >= VORTEX_KM) break;
    const exponent = distance < coreRadius ? steepness : 0.75 * steepness;
    const e = (coreRadius / distance) ** exponent;
    const fade = 1 - (distance / VORTEX_KM) ** 2;
    wind[index] = Math.sqrt(e * Math.exp(1 - e)) * fade;
    pressure[index] = (deficit * Math.expm1(-e) - lowered) * fade * fade;
  }
  return { wind, pressure };
}

/** Reads a radial table, linear between its steps; 0 beyond its end. */
export function atDistance(table: Float64Array, distance: number): number {
  const x = distance / PROFILE_STEP_KM;
  const index = Math.floor(x);
  if (index >= table.length - 1) return 0;
  return table[index]! + (x - index) * (table[index + 1]! - table[index]!);
}

/** Inflow angle: 10° at the core, rising to 22° at 1.6 core radii and beyond, and to 0 at the centre; radians. */
function inflow(distance: number, coreRadius: number): number {
  const ratio = distance / coreRadius;
  if (ratio < 1) return (10 * ratio * Math.PI) / 180;
  return ((10 + 12 * Math.min(1, (ratio - 1) / 0.6)) * Math.PI) / 180;
}

/**
 * Wind where the vortex of a cyclone meets the wind around it: cyclonic in its hemisphere and turned inward, with a share
 * of the storm's own motion turned 20° cyclonically (Lin & Chavas 2012) so that one side is stronger, the surroundings
 * giving way towards the core.
 *
 * @param towardEast Unit vector from the place toward the centre; also `towardNorth`.
 * @param distance Km from the centre.
 * @param out [eastward, northward, wind of the vortex alone] m s-1; the first two hold the surrounding wind on entry.
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

const COS_20 = Math.cos((20 * Math.PI) / 180);
const SIN_20 = Math.sin((20 * Math.PI) / 180);
