import { distanceKm, finalBearing, type Place } from "#lib/geo/sphere.ts";
import type { Provider } from "./bulletin.ts";

/** Direction and speed of a storm. */
export interface Motion {
  /** Degrees clockwise from true north, TO. */
  heading: number;
  /** Km/h. */
  speed: number;
}

interface TimedPlace extends Place {
  /** Unix seconds. */
  time: number;
}

const SIX_HOURS_S = 6 * 3600;

/**
 * Motion at each fix of a track, from the fix before it: the final bearing of the great circle between the two, and the
 * distance over the time. A storm that has not moved keeps its heading, with speed 0.
 *
 * JMA's fixes are at most 3 h apart and rounded to 0.1°, which is too coarse: there the fix nearest to 6 h before is used.
 *
 * @param track Ascending in time.
 * @returns One per fix; null for the first.
 */
export function motionAlong(track: readonly TimedPlace[], provider: Provider): (Motion | null)[] {
  const motions: (Motion | null)[] = [];
  for (const [index, fix] of track.entries()) {
    const from = provider === "jma" ? nearestBefore(track, index) : track[index - 1];
    motions.push(from ? motion(from, fix, motions.at(-1)?.heading ?? 0) : null);
  }
  return motions;
}

function motion(from: TimedPlace, to: TimedPlace, heading: number): Motion {
  const km = distanceKm(from, to);
  if (km === 0) return { heading, speed: 0 };
  return { heading: finalBearing(from, to), speed: km / ((to.time - from.time) / 3600) };
}

/** The earlier fix that is nearest to 6 h before. */
function nearestBefore(track: readonly TimedPlace[], index: number): TimedPlace | undefined {
  const wanted = track[index]!.time - SIX_HOURS_S;
  let found: TimedPlace | undefined;
  for (let earlier = index - 1; earlier >= 0; earlier--) {
    const fix = track[earlier]!;
    if (found && Math.abs(fix.time - wanted) >= Math.abs(found.time - wanted)) break;
    found = fix;
  }
  return found;
}
