import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Hours beyond the greatest usual age of its source at which a forecast is old, and too old for planning. */
const [OLD_H, TOO_OLD_H] = [6, 18];

/** Hours between the runs of a source, and hours from a base time until the whole run is available. */
interface Rhythm {
  every: number;
  delay: number;
}

/** Rhythm where none is known, as of files that have no feed. */
const daily: Rhythm = { every: 24, delay: 12 };

/** The properties of a run that its age depends on. */
export interface AgingRun {
  dataset: string;
  /** The run is composed of the shortest leads of many runs. */
  condensed?: true | undefined;
  /** Rhythm of its source. */
  rhythm?: Rhythm | undefined;
}

export interface ForecastAge {
  seconds: number;
  /** Age in whole hours. */
  hours: number;
  isOld: boolean;
  isTooOld: boolean;
}

/**
 * Age of a forecast, from its base time to now, or to the latest requested time if that is in the past. Times
 * are Unix seconds.
 *
 * @param latest The latest requested time; defaults to now.
 * @returns undefined if the run is not a forecast.
 */
export function forecastAge(
  { dataset, condensed, rhythm }: AgingRun,
  base: number,
  now: number,
  latest = now,
): ForecastAge | undefined {
  if (dataset !== "Forecast" || condensed) return undefined;
  const seconds = Math.max(0, Math.round(Math.min(now, latest) - base));
  const hours = Math.floor(seconds / HOUR_S);
  const { every, delay } = rhythm ?? daily;
  // The newest run reaches this age just before the next one is available.
  const usual = every + delay;
  return { seconds, hours, isOld: hours > usual + OLD_H, isTooOld: hours > usual + TOO_OLD_H };
}

/** The messages about old forecasts in one language. */
interface OldWords {
  screen: { notices: { old(facts: { hours: number; model: string; base: string }): string } };
}

/** States that a forecast is old. @param base Unix seconds. */
export function oldForecastText(hours: number, model: string, base: number, { screen }: OldWords): string {
  return screen.notices.old({ hours, model, base: `${new Date(base * 1000).toISOString().slice(11, 13)}Z` });
}

/** States which runs in an answer's meta are old, each once. */
export function oldForecasts(
  provenance: readonly { notice?: string; age_s?: number; model: string; reference_time: string | null }[],
  words: OldWords,
): string[] {
  const old = provenance.flatMap(({ notice, age_s = 0, model, reference_time }) =>
    notice === undefined || reference_time === null
      ? []
      : [oldForecastText(Math.floor(age_s / HOUR_S), model, parseInstant(reference_time), words)],
  );
  return [...new Set(old)];
}
