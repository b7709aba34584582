import { destination, initialBearing, MILE_KM, RADIANS } from "@open-metocean/geo/sphere";
import { LRUCache } from "lru-cache";
import { HOUR_S } from "#lib/time.ts";
import { backgroundPressure } from "#server/demo/fields/pressure.ts";
import { balancedWind } from "#server/demo/fields/wind.ts";
import { nodesOf } from "#server/demo/math/grid.ts";
import {
  addVortexWind,
  CYCLE_S,
  type Cyclone,
  KNOT,
  outerPressure,
  profileOf,
  type Storm,
  type StormSlot,
  stormState,
  VORTEX_KM,
  vortex,
} from "./cyclones.ts";

// This file presents the demo's storms as agencies do: names, fixes with the agencies' rounding, and wind radii.

/** Identifiers that agencies would give a demo storm. */
export interface Identity {
  /** ATCF basin: WP, SH, AL or EP. */
  basin: string;
  /** Number in its season; 90 to 99 for an invest. */
  number: number;
  /** Season year; for a southern season its second year. */
  season: number;
  /** Name of at most ten letters, always beginning with DEMO; INVEST for an unnamed storm. */
  name: string;
  /** ATCF subregion. */
  subregion: string;
}

const identities: Record<StormSlot, readonly [basin: string, subregion: string, names: string | undefined]> =
  {
    // A name is not reused for 96 days.
    antimeridian: ["WP", "W", "ALFA DELTA GULF JETTY MAST PIER SAIL VANE"],
    south: ["SH", "S", "BUOY EBB HAVEN KELP NORTH QUAY TIDE WAKE"],
    atlantic: ["AL", "L", "COVE FJORD INLET LAGOON OAR REEF UMBRA YAWL"],
    invest: ["EP", "E", undefined],
    jmaInvest: ["WP", "W", undefined],
  };

export function identityOf({ slot, cycle, begins }: Storm): Identity {
  const [basin, subregion, names] = identities[slot];
  const began = new Date(begins * 1000);
  const southern = basin === "SH";
  const season = began.getUTCFullYear() + (southern && began.getUTCMonth() >= 6 ? 1 : 0);
  const opens = southern ? Date.UTC(season - 1, 6, 1) / 1000 : Date.UTC(season, 0, 1) / 1000;
  const name = names?.split(" ")[cycle % 8];
  return {
    basin,
    number: name ? 1 + Math.floor((begins - opens) / CYCLE_S) : 90 + (cycle % 10),
    season,
    name: name ? `DEMO${name}` : "INVEST",
    subregion,
  };
}

/** A storm at a time, rounded as by agencies. */
export interface Fix {
  /** Unix seconds. */
  time: number;
  /** Tenths of a degree. */
  latitude: number;
  longitude: number;
  /** 1-minute wind, kt, multiples of 5. */
  windKnots: number;
  /** The wind before rounding, kt. */
  exactWind: number;
  /** Pressure of the centre and of the last closed isobar, hPa. */
  pressure: number;
  outerPressure: number;
  /** Radius of greatest wind, nautical miles. */
  coreRadius: number;
  /** Direction of motion TO, degrees clockwise from north, and speed, kt. */
  heading: number;
  speedKnots: number;
  /** Whether the storm is in extratropical transition. */
  extratropical: boolean;
}

/** Interval of synoptic hours, seconds. */
export const SYNOPTIC_S = 6 * HOUR_S;

/** Delay from the base time of a fix to its publication, seconds. */
const PUBLISHED_S = HOUR_S;

/** Newest synoptic hour whose bulletins are published, Unix seconds. */
export function newestBase(now: number): number {
  return Math.floor((now - PUBLISHED_S) / SYNOPTIC_S) * SYNOPTIC_S;
}

/** Times of a storm from its first fix to a given time or its end, whichever comes first. */
export function fixTimes(storm: Storm, until: number, every = SYNOPTIC_S): number[] {
  const count = 1 + Math.floor((Math.min(until, storm.ends) - storm.begins) / every);
  return Array.from({ length: count }, (_, index) => storm.begins + index * every);
}

const rounded = (value: number, step: number) => step * Math.round(value / step);

/** @returns undefined if the storm does not exist at the time. */
export function fixOf(seed: number, storm: Storm, time: number): Fix | undefined {
  const state = stormState(seed, storm, time);
  if (!state) return undefined;
  const cyclone = vortex(seed, state);
  const outer = outerPressure(cyclone);
  const heading = Math.atan2(state.eastward, state.northward) / RADIANS;
  return {
    time,
    latitude: Math.round(state.latitude * 10) / 10,
    longitude: Math.round(state.longitude * 10) / 10,
    windKnots: rounded(state.windKnots, 5),
    exactWind: state.windKnots,
    pressure: Math.round(outer - cyclone.deficit),
    outerPressure: Math.round(outer),
    coreRadius: rounded(cyclone.coreRadius / MILE_KM, 5),
    heading: Math.round(heading + 360) % 360,
    speedKnots: Math.round(Math.hypot(state.eastward, state.northward) / KNOT),
    extratropical: time - storm.begins >= 11 * 86_400 && Math.abs(state.latitude) > 35,
  };
}

/** Greatest distance of a wind in each quadrant; 0 where it is not reached. */
export interface Quadrants {
  ne: number;
  se: number;
  sw: number;
  nw: number;
}

const solved = new LRUCache<string, (Quadrants | undefined)[]>({ max: 2048 });

/**
 * Radii of given 1-minute winds in nautical miles, multiples of 5, solved from the wind of the demo's fields. They are
 * cached, because every bulletin repeats the fixes of the previous one.
 *
 * @returns One per threshold; undefined if the storm has no such wind.
 */
export function radiiOf(
  seed: number,
  storm: Storm,
  time: number,
  knots: readonly number[],
): (Quadrants | undefined)[] {
  const state = stormState(seed, storm, time);
  if (!state || state.windKnots < Math.min(...knots)) return knots.map(() => undefined);
  const key = [seed, storm.slot, storm.cycle, time, ...knots].join(" ");
  const miles = (km: number) => rounded(km / MILE_KM, 5);
  const radii =
    solved.get(key) ??
    windRadii(seed, vortex(seed, state), knots).map(
      (km) => km && { ne: miles(km.ne), se: miles(km.se), sw: miles(km.sw), nw: miles(km.nw) },
    );
  solved.set(key, radii);
  return radii;
}

const RAYS_PER_QUADRANT = 16;
const STEP_KM = 8;
/** Distance at which a ray begins, and distance that it must reach before it may stop, in core radii. */
const RAY_BEGINS = 0.7;
const RAY_LOOKS = 3;
/**
 * Half size and spacing, degrees, of the grid on which the surroundings are read, because they change little within it.
 */
const SURROUNDINGS = { reach: 9, step: 0.5 } as const;

/**
 * Distances from the centre to which winds of given speeds reach on the open sea, in the same wind that the fields show
 * (without its texture). Each quadrant has 16 rays, and the farthest place of a ray is where the wind first falls below
 * the speed.
 *
 * @param knots Thresholds, kt.
 * @returns Km, one per threshold; undefined where the storm has no such wind.
 */
export function windRadii(
  seed: number,
  cyclone: Cyclone,
  knots: readonly number[],
): (Quadrants | undefined)[] {
  const speedAt = windNear(seed, cyclone);
  const limits = knots.map((threshold) => threshold * KNOT);
  const farthest = knots.map(() => [0, 0, 0, 0]);
  for (let ray = 0; ray < 4 * RAYS_PER_QUADRANT; ray++) {
    const towards = ((ray + 0.5) * 90) / RAYS_PER_QUADRANT;
    const quadrant = Math.floor(ray / RAYS_PER_QUADRANT);
    const speeds = speedsAlong(speedAt, towards, Math.min(...limits), cyclone.coreRadius);
    for (const [index, limit] of limits.entries()) {
      const reached = farthest[index]!;
      reached[quadrant] = Math.max(reached[quadrant]!, extent(speeds, limit, cyclone.coreRadius));
    }
  }
  return farthest.map(([ne = 0, se = 0, sw = 0, nw = 0]) =>
    ne + se + sw + nw > 0 ? { ne, se, sw, nw } : undefined,
  );
}

/** Wind speed by bearing from the centre (degrees) and distance (km), m s-1. */
type SpeedAt = (towards: number, distance: number) => number;

/** Wind speeds every `STEP_KM` along a ray, until they stay below the limit. */
function speedsAlong(speedAt: SpeedAt, towards: number, limit: number, coreRadius: number): number[] {
  const speeds: number[] = [];
  let reached = false;
  for (let distance = RAY_BEGINS * coreRadius; distance < VORTEX_KM; distance += STEP_KM) {
    const speed = speedAt(towards, distance);
    speeds.push(speed);
    if (speed >= limit) reached = true;
    else if (reached || distance > RAY_LOOKS * coreRadius) break;
  }
  return speeds;
}

/** Distance at which the wind first falls below the limit, km; 0 where it never reaches it. */
function extent(speeds: readonly number[], limit: number, coreRadius: number): number {
  const first = speeds.findIndex((speed) => speed >= limit);
  if (first < 0) return 0;
  let inside = first;
  while (inside + 1 < speeds.length && speeds[inside + 1]! >= limit) inside++;
  const next = speeds[inside + 1];
  const share = next === undefined ? 0 : (speeds[inside]! - limit) / (speeds[inside]! - next);
  return RAY_BEGINS * coreRadius + (inside + share) * STEP_KM;
}

function windNear(seed: number, cyclone: Cyclone): SpeedAt {
  const { reach, step } = SURROUNDINGS;
  const wide = reach / Math.cos((Math.abs(cyclone.latitude) + 5) * RADIANS);
  const grid = {
    latitude: { start: cyclone.latitude - reach, step, count: (2 * reach) / step + 1 },
    longitude: { start: cyclone.longitude - wide, step, count: Math.ceil((2 * wide) / step) + 1 },
  };
  const nodes = nodesOf(grid);
  const background = backgroundPressure(seed, nodes, cyclone.time);
  const size = background.value.length;
  const around = { eastward: new Float32Array(size), northward: new Float32Array(size) };
  balancedWind(nodes, cyclone.time, background, around);

  const profile = profileOf(cyclone);
  const mixed = new Float64Array(3);
  return (towards, distance) => {
    const place = destination(cyclone, towards, distance);
    const back = distance > 0 ? initialBearing(place, cyclone) * RADIANS : 0;
    const y = (place.latitude - grid.latitude.start) / step;
    const x = ((((place.longitude - grid.longitude.start) % 360) + 360) % 360) / step;
    const [south, west] = [Math.floor(y), Math.floor(x)];
    const corner = south * nodes.columns + west;
    const mix = (values: Float32Array) => {
      const low = values[corner]! + (x - west) * (values[corner + 1]! - values[corner]!);
      const above = corner + nodes.columns;
      const high = values[above]! + (x - west) * (values[above + 1]! - values[above]!);
      return low + (y - south) * (high - low);
    };
    mixed[0] = mix(around.eastward);
    mixed[1] = mix(around.northward);
    addVortexWind(cyclone, profile, Math.sin(back), Math.cos(back), distance, mixed);
    return Math.hypot(mixed[0], mixed[1]);
  };
}
