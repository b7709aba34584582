import { distanceKm, finalBearing, type Place } from "#lib/geo/sphere.ts";
import type { Provider } from "./bulletin.ts";

/** Where a storm moves and how fast. */
export interface Motion {
  /** Degrees clockwise from true north, TO. */
  heading: number;
  /** Km/h. */
  speed: number;
}

interface Passed extends Place {
  /** Unix seconds. */
  time: number;
}

const SIX_HOURS_S = 6 * 3600;

/**
 * Motion at each of a track's fixes, from the fix before it: the bearing at which the great circle between the two ends,
 * and the distance over the time. A storm that has not moved keeps its heading, with speed 0.
 *
 * JMA's fixes are 3 h and less apart and rounded to 0.1°, which is noise: there the fix nearest to 6 h before is used.
 *
 * @param track Ascending in time.
 * @returns One a fix; null for the first.
 */
export function motionAlong(track: readonly Passed[], provider: Provider): (Motion | null)[] {
  const motions: (Motion | null)[] = [];
  for (const [index, fix] of track.entries()) {
    const from = provider === "jma" ? nearestBefore(track, index) : track[index - 1];
    motions.push(from ? motion(from, fix, motions.at(-1)?.heading ?? 0) : null);
  }
  return motions;
}

function motion(from: Passed, to: Passed, heading: number): Motion {
  const km = distanceKm(from, to);
  if (km === 0) return { heading, speed: 0 };
  return { heading: finalBearing(from, to), speed: km / ((to.time - from.time) / 3600) };
}

/** The earlier fix that is nearest to 6 h before. */
function nearestBefore(track: readonly Passed[], index: number): Passed | undefined {
  const wanted = track[index]!.time - SIX_HOURS_S;
  let found: Passed | undefined;
  for (let earlier = index - 1; earlier >= 0; earlier--) {
    const fix = track[earlier]!;
    if (found && Math.abs(fix.time - wanted) >= Math.abs(found.time - wanted)) break;
    found = fix;
  }
  return found;
}
