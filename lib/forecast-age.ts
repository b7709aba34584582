import { HOUR_S, parseInstant } from "#lib/time.ts";

/** By how much a forecast is older than its source's ever are while all is well, if it is old, and too old to plan by, hours. */
const [OLD_H, TOO_OLD_H] = [6, 18];

/** How often a source has a new run, and how long after its base time the whole run is there, hours. */
interface Rhythm {
  every: number;
  delay: number;
}

const sixHourly: Rhythm = { every: 6, delay: 6 };
const ecmwf: Rhythm = { every: 6, delay: 8 };

/** Of the sources that have a feed. */
export const rhythms: Readonly<Record<string, Rhythm>> = {
  gfs: sixHourly,
  gfswave: sixHourly,
  ecmwf,
  ecmwfwave: ecmwf,
  smoc: { every: 24, delay: 14 },
  hycom: { every: 24, delay: 36 },
  oisst: { every: 24, delay: 48 },
  cmemswave: { every: 12, delay: 13 },
};

/** Of other sources that do not state theirs: files that are imported by hand. */
const daily: Rhythm = { every: 24, delay: 12 };

/** A run, as far as its age matters. */
export interface AgingRun {
  dataset: string;
  source: string;
  /** Made of the shortest leads of many runs. */
  condensed?: true | undefined;
  /** Stated by a source of the operator's own. */
  rhythm?: Rhythm | undefined;
}

export interface ForecastAge {
  seconds: number;
  /** Whole hours. */
  hours: number;
  isOld: boolean;
  isTooOld: boolean;
}

/**
 * How old a forecast is: from its base time to now, or to what is asked for where that is past. Times are Unix seconds.
 *
 * @param latest The latest time that is asked for; now by default.
 * @returns undefined for what is no forecast.
 */
export function forecastAge(
  { dataset, source, condensed, rhythm }: AgingRun,
  base: number,
  now: number,
  latest = now,
): ForecastAge | undefined {
  if (dataset !== "Forecast" || condensed) return undefined;
  const seconds = Math.max(0, Math.round(Math.min(now, latest) - base));
  const hours = Math.floor(seconds / HOUR_S);
  const { every, delay } = rhythm ?? rhythms[source] ?? daily;
  // So old is the newest run just before the next one is there.
  const usual = every + delay;
  return { seconds, hours, isOld: hours > usual + OLD_H, isTooOld: hours > usual + TOO_OLD_H };
}

/** The words of one language about forecasts that are old. */
interface OldWords {
  screen: { notices: { old(facts: { hours: number; model: string; base: string }): string } };
}

/** States that a forecast is old. @param base Unix seconds. */
export function oldForecastText(hours: number, model: string, base: number, { screen }: OldWords): string {
  return screen.notices.old({ hours, model, base: `${new Date(base * 1000).toISOString().slice(11, 13)}Z` });
}

/** States which of the runs of an answer's meta are old, each once. */
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
