import { LRUCache } from "lru-cache";
import { MILE_KM } from "#lib/geo/sphere.ts";
import { type Storm, stormState } from "#server/demo/cyclones/storm-tracks.ts";
import { KNOT, outerPressure, vortex } from "#server/demo/cyclones/vortex.ts";
import { type Quadrants, windRadii } from "#server/demo/cyclones/wind-radii.ts";

/** A storm at a time, rounded as agencies round it. */
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
  /** Central pressure and that of the last closed isobar, hPa. */
  pressure: number;
  outerPressure: number;
  /** Radius of greatest wind, nautical miles. */
  coreRadius: number;
  /** Motion: degrees clockwise from north, and kt. */
  heading: number;
  speedKnots: number;
  /** In extratropical transition. */
  extratropical: boolean;
}

/** Interval of synoptic hours, seconds. */
export const SYNOPTIC_S = 6 * 3600;

/** How long after its base time a fix is published. */
const PUBLISHED_S = 3600;

/** Newest synoptic hour whose bulletins are out, Unix seconds. */
export function newestBase(now: number): number {
  return Math.floor((now - PUBLISHED_S) / SYNOPTIC_S) * SYNOPTIC_S;
}

/** Synoptic hours from a storm's first fix to a time or its end, whichever comes first. */
export function fixTimes(storm: Storm, until: number): number[] {
  const last = Math.min(until, storm.ends);
  const times: number[] = [];
  for (let time = storm.begins; time <= last; time += SYNOPTIC_S) times.push(time);
  return times;
}

/** @returns undefined if the storm does not exist at the time. */
export function fixOf(seed: number, storm: Storm, time: number): Fix | undefined {
  const state = stormState(seed, storm, time);
  if (!state) return undefined;
  const cyclone = vortex(seed, state);
  const outer = outerPressure(cyclone);
  const heading = (Math.atan2(state.eastward, state.northward) * 180) / Math.PI;
  return {
    time,
    latitude: Math.round(state.latitude * 10) / 10,
    longitude: Math.round(state.longitude * 10) / 10,
    windKnots: 5 * Math.round(state.windKnots / 5),
    exactWind: state.windKnots,
    pressure: Math.round(outer - cyclone.deficit),
    outerPressure: Math.round(outer),
    coreRadius: 5 * Math.round(cyclone.coreRadius / MILE_KM / 5),
    heading: Math.round(heading + 360) % 360,
    speedKnots: Math.round(Math.hypot(state.eastward, state.northward) / KNOT),
    extratropical: time - storm.begins >= 11 * 86_400 && Math.abs(state.latitude) > 35,
  };
}

const solved = new LRUCache<string, (Quadrants | undefined)[]>({ max: 2048 });

/**
 * Radii of given 1-minute winds in nautical miles, multiples of 5, solved from the wind of the demo's fields. Cached,
 * because every bulletin repeats the fixes of the last.
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
  const cached = solved.get(key);
  if (cached) return cached;
  const radii = windRadii(seed, vortex(seed, state), knots).map(
    (quadrants) => quadrants && inMiles(quadrants),
  );
  solved.set(key, radii);
  return radii;
}

function inMiles({ ne, se, sw, nw }: Quadrants): Quadrants {
  const miles = (km: number) => 5 * Math.round(km / MILE_KM / 5);
  return { ne: miles(ne), se: miles(se), sw: miles(sw), nw: miles(nw) };
}
