import type { StormEntry, TrackPoint } from "#lib/contract/storms.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { averagingMinutes } from "./provenance.ts";
import { placeNow, type TrackMoment, trackAt } from "./track.ts";

/** Centres of one storm by two providers are nearer to each other than this, km. */
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
  /** `observed` if both have observed it by then; `forecast` if at least one of the two forecasts it. */
  stage: "observed" | "forecast";
  /** Both providers give a point at this time; else one of the two is interpolated. */
  exact: boolean;
  /** Great-circle distance of the two centres, n mi. */
  miles: number;
  jtwc: TrackMoment;
  jma: TrackMoment;
  /**
   * jtwc minus jma, kt: a 1-minute mean minus a 10-minute mean, so that it is not 0 even where both agree. null if one is
   * not given.
   */
  windKt: number | null;
}

export interface TrackComparison {
  /** Ascending in time. */
  differences: TrackDifference[];
  /** Averaging periods of the two winds, minutes. */
  averagingMinutes: typeof averagingMinutes;
}

/** Between observations further apart than twice this nobody knows where the storm was; forecast hours are 24 h apart. */
const MAX_AWAY_S = { observed: 6 * 3600, forecast: 24 * 3600 };

/**
 * The tracks of one storm by two providers, at each time that one of the two gives and both cover: as observed, and from
 * the newest observation as forecast.
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
