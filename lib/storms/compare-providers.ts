import type { StormEntry, TrackPoint } from "#lib/contract/storm-form.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { joinedTrack } from "./compare-tracks.ts";
import { placeNow } from "./forecast-track.ts";
import { ofWire } from "./wire.ts";

/** Centres of one storm by two providers are nearer to each other than this, km. */
const SAME_STORM_KM = 300;

/** One storm at one time by two providers. Their winds are 1-minute and 10-minute means, which cannot be compared. */
export interface Difference {
  /** Unix seconds. */
  time: number;
  /** Distance of the two centres, km. */
  km: number;
  jtwc: Pick<TrackPoint, "vmax_kt" | "mslp_hpa">;
  jma: Pick<TrackPoint, "vmax_kt" | "mslp_hpa">;
}

export interface SameStorm {
  jtwc: StormEntry;
  jma: StormEntry;
  /** Distance of the centres now, km. */
  km: number;
  /** At the times that both providers give, ascending. */
  differences: Difference[];
}

/**
 * The storms that both providers track, matched by position now, nearest pairs first. Each storm is in one pair at most.
 *
 * @param now Unix seconds.
 */
export function sameStorms(
  jtwc: readonly StormEntry[],
  jma: readonly StormEntry[],
  now: number,
): SameStorm[] {
  const pairs = jtwc.flatMap((one) =>
    jma.flatMap((other) => {
      const [here, there] = [placeNow(one, now), placeNow(other, now)];
      const km = here && there ? distanceKm(here, there) : Number.POSITIVE_INFINITY;
      return km < SAME_STORM_KM ? [{ jtwc: one, jma: other, km }] : [];
    }),
  );
  const taken = new Set<StormEntry>();
  return pairs
    .sort((a, b) => a.km - b.km)
    .filter((pair) => {
      if (taken.has(pair.jtwc) || taken.has(pair.jma)) return false;
      taken.add(pair.jtwc).add(pair.jma);
      return true;
    })
    .map((pair) => ({ ...pair, differences: differences(pair.jtwc, pair.jma) }));
}

function differences(jtwc: StormEntry, jma: StormEntry): Difference[] {
  const others = new Map(joinedTrack(jma).map((point) => [point.time, point]));
  return joinedTrack(jtwc).flatMap((point) => {
    const other = others.get(point.time);
    if (!other) return [];
    const values = ({ vmax_kt, mslp_hpa }: TrackPoint) => ({ vmax_kt, mslp_hpa });
    const km = distanceKm(ofWire(point), ofWire(other));
    return [{ time: point.time, km, jtwc: values(point), jma: values(other) }];
  });
}
