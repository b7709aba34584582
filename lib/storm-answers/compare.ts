import { distanceKm, MILE_KM } from "@open-metocean/geo/sphere";
import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import { placeNow, type TrackMoment, trackAt } from "@open-metocean/storms/track";
import { averagingMinutes } from "./provenance.ts";

/** Largest distance between the centres of one storm by two providers, km. */
const SAME_STORM_KM = 300;

interface SameStorm {
  jtwc: StormEntry;
  jma: StormEntry;
  /** Distance of the centres now, km. */
  km: number;
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
    });
}

/** One storm at one time by two providers. */
export interface TrackDifference {
  /** Unix seconds. */
  time: number;
  /**
   * `observed` if both providers have observed it by then; `forecast` if at least one of them forecasts it.
   */
  stage: "observed" | "forecast";
  /** Both providers give a point at this time; otherwise one of the two is interpolated. */
  exact: boolean;
  /** Great-circle distance of the two centres, n mi. */
  miles: number;
  jtwc: TrackMoment;
  jma: TrackMoment;
  /**
   * Wind of jtwc minus wind of jma, kt: a 1-minute mean minus a 10-minute mean, so it is not 0 even if both
   * agree. null if one is not given.
   */
  windKt: number | null;
}

export interface TrackComparison {
  /** Sorted by time. */
  differences: TrackDifference[];
  /** Averaging periods of the two winds, minutes. */
  averagingMinutes: typeof averagingMinutes;
}

/**
 * Longest time from an observation or forecast point at which a track is interpolated. Between observations
 * farther apart than twice this the position is unknown; forecast hours are 24 h apart.
 */
const MAX_AWAY_S = { observed: 6 * 3600, forecast: 24 * 3600 };

/**
 * Compares the tracks of one storm by two providers, at each time that one of them gives and both cover: as
 * observed, and as forecast from the newest observation on.
 */
export function compareTracks(jtwc: StormEntry, jma: StormEntry): TrackComparison {
  const [ours, theirs] = [joinedTrack(jtwc), joinedTrack(jma)];
  const observedUntil = Math.min(lastFix(jtwc), lastFix(jma));
  const times = [...new Set([...ours, ...theirs].map(({ time }) => time))].sort((a, b) => a - b);
  const differences = times.flatMap((time) => {
    const stage = time <= observedUntil ? "observed" : "forecast";
    const [one, other] = [ours, theirs].map((points) => trackAt(points, time, MAX_AWAY_S[stage]));
    if (!one || !other) return [];
    const hasWind = one.vmaxKt !== null && other.vmaxKt !== null;
    const difference: TrackDifference = {
      time,
      stage,
      exact: one.exact && other.exact,
      miles: distanceKm(one, other) / MILE_KM,
      jtwc: one,
      jma: other,
      windKt: hasWind ? one.vmaxKt! - other.vmaxKt! : null,
    };
    return [difference];
  });
  return { differences, averagingMinutes };
}

function lastFix({ tracks }: StormEntry): number {
  return tracks.observed.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
}

/** Observed points, then the forecast points after the last observation. */
function joinedTrack({ tracks }: Pick<StormEntry, "tracks">): TrackPoint[] {
  const last = tracks.observed.at(-1)?.time ?? Number.NEGATIVE_INFINITY;
  return [...tracks.observed, ...(tracks.forecast?.points ?? []).filter(({ time }) => time > last)];
}
