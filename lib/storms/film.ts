import type { StormEntry, TrackPoint } from "#lib/contract/storms.ts";
import type { Place } from "#lib/geo/sphere.ts";
import type { PastBulletin } from "./forecast-error.ts";
import { countUntil, trackAt } from "./track.ts";

/** The forecast of a bulletin, as strong as it is drawn. */
export interface FilmForecast {
  /** When the bulletin was issued, Unix seconds. */
  issuedAt: number;
  entry: StormEntry;
  /** 1 for the newest bulletin, down to 0.15 for one that is two days older. */
  opacity: number;
}

/** What a film shows at one time. Its lists are the same objects until a fix or a bulletin is added. */
export interface FilmFrame {
  /** Unix seconds. */
  time: number;
  /** The fixes up to now, oldest first. The line goes on from the last of them to `place`. */
  observed: readonly TrackPoint[];
  /** Forecasts issued so far, oldest first, so that the newest is drawn on top. */
  forecasts: readonly FilmForecast[];
  /** On the great circle between two fixes; after the last fix, there. */
  place: Place;
  /** Kt; null if a neighbouring fix has none. */
  vmaxKt: number | null;
}

/** A storm from its first fix to its last fix or bulletin. */
export interface StormFilm {
  /** Unix seconds. */
  begins: number;
  ends: number;
  /** When bulletins were issued, ascending, Unix seconds: stops for a slider. */
  issues: readonly number[];
  /** @param time Unix seconds, any; outside the film its first or last frame applies. */
  at(time: number): FilmFrame;
}

const MIN_OPACITY = 0.15;

/** Age after which a forecast is as faint as it gets, s. */
const FADED_S = 48 * 3600;

/**
 * A storm with its history as a film: the observed track grows, and the forecasts of the bulletins appear and fade.
 *
 * The track is that of the last bulletin, with the positions as the agency knows them now. Of several bulletins with the
 * same time the last counts. A bulletin without a forecast shows nothing, and fades those before it.
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

/** The forecasts of bulletins, by their age at the issue of the newest. */
function faded(bulletins: readonly { time: number; entry: StormEntry }[]): FilmForecast[] {
  const newest = bulletins.at(-1)?.time ?? 0;
  return bulletins
    .filter(({ entry }) => entry.tracks.forecast)
    .map(({ time, entry }) => {
      const fresh = Math.max(0, 1 - (newest - time) / FADED_S);
      return { issuedAt: time, entry, opacity: MIN_OPACITY + (1 - MIN_OPACITY) * fresh };
    });
}

/** Keeps the last result: consecutive frames mostly have the same lists. */
function latest<T>(make: (count: number) => T): (count: number) => T {
  let known: { count: number; made: T } | undefined;
  return (count) => {
    if (known?.count !== count) known = { count, made: make(count) };
    return known.made;
  };
}
