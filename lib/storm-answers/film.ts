import type { Place } from "@open-metocean/geo/sphere";
import type { PastBulletin } from "@open-metocean/storms/forecast-error";
import type { StormEntry, TrackPoint } from "@open-metocean/storms/schema";
import { countUntil, trackAt } from "@open-metocean/storms/track";

/** The forecast of a bulletin, with the opacity at which it is drawn. */
export interface FilmForecast {
  /** When the bulletin was issued, Unix seconds. */
  issuedAt: number;
  entry: StormEntry;
  /** 1 for the newest bulletin, decreasing to 0.15 for one that is two days older. */
  opacity: number;
}

/** The content of a film at one time. Its lists are the same objects until a fix or a bulletin is added. */
export interface FilmFrame {
  /** Unix seconds. */
  time: number;
  /** The fixes until this time, oldest first. The line continues from the last of them to `place`. */
  observed: readonly TrackPoint[];
  /** The forecasts issued until this time, oldest first, so that the newest is drawn on top. */
  forecasts: readonly FilmForecast[];
  /** Position on the great circle between two fixes; after the last fix it is that of the fix. */
  place: Place;
  /** Maximum wind, kt; null if a neighbouring fix has none. */
  vmaxKt: number | null;
}

/** A storm as a film, from its first fix to its last fix or bulletin. */
export interface StormFilm {
  /** Unix seconds. */
  begins: number;
  ends: number;
  /** Times at which bulletins were issued, ascending, Unix seconds; a slider stops there. */
  issues: readonly number[];
  /** @param time Any Unix seconds; outside the film the first or last frame is returned. */
  at(time: number): FilmFrame;
}

const MIN_OPACITY = 0.15;

/** Age at which a forecast reaches its lowest opacity, s. */
const FADED_S = 48 * 3600;

/**
 * Makes a film of a storm with its history: the observed track grows, and the forecasts of the bulletins
 * appear and fade.
 *
 * The track is that of the last bulletin, with the agency's current positions. Of several bulletins with the
 * same time the last one counts. A bulletin without a forecast shows nothing and fades the earlier ones.
 *
 * @param history Bulletins of one storm by one provider, oldest first.
 * @returns undefined if no fix is known.
 */
export function stormFilm(history: readonly PastBulletin[]): StormFilm | undefined {
  const fixes = history.at(-1)?.entry.tracks.observed ?? [];
  const [first, last] = [fixes[0], fixes.at(-1)];
  if (!first || !last) return undefined;
  const byIssue = new Map(history.map(({ issued_at: time, entry }) => [time, { time, entry }]));
  const bulletins = [...byIssue.values()].sort((one, other) => one.time - other.time);
  const [begins, ends] = [first.time, Math.max(last.time, bulletins.at(-1)!.time)];
  const observedOf = latest((count: number) => fixes.slice(0, count));
  const forecastsOf = latest((count: number) => faded(bulletins.slice(0, count)));
  return {
    begins,
    ends,
    issues: bulletins.map(({ time }) => time),
    at(wanted) {
      const time = Math.max(begins, Math.min(ends, wanted));
      const { latitude, longitude, vmaxKt } = trackAt(fixes, Math.min(time, last.time))!;
      return {
        time,
        observed: observedOf(countUntil(fixes, time)),
        forecasts: forecastsOf(countUntil(bulletins, time)),
        place: { latitude, longitude },
        vmaxKt,
      };
    },
  };
}

/** The forecasts of bulletins with their opacity, by their age when the newest was issued. */
function faded(bulletins: readonly { time: number; entry: StormEntry }[]): FilmForecast[] {
  const newest = bulletins.at(-1)?.time ?? 0;
  return bulletins
    .filter(({ entry }) => entry.tracks.forecast)
    .map(({ time, entry }) => {
      const fresh = Math.max(0, 1 - (newest - time) / FADED_S);
      return { issuedAt: time, entry, opacity: MIN_OPACITY + (1 - MIN_OPACITY) * fresh };
    });
}

/** Caches the last result, because consecutive frames mostly have the same lists. */
function latest<T>(make: (count: number) => T): (count: number) => T {
  let known: { count: number; made: T } | undefined;
  return (count) => {
    if (known?.count !== count) known = { count, made: make(count) };
    return known.made;
  };
}
