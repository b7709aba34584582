import { HOUR_S, parseInstant } from "#lib/time.ts";

/** Age from which a forecast is old, and too old to plan by, hours: two runs of a model, and four, are missing. */
const [OLD_H, TOO_OLD_H] = [12, 24];

/** Of sources whose runs come less often than every six hours: their newest is older when the next one arrives. */
export const hoursBetweenRuns: Readonly<Record<string, number>> = {
  smoc: 24,
  cmems: 24,
  hycom: 24,
  oisst: 24,
  cmemswave: 12,
};

/** A run, as far as its age matters. */
export interface AgingRun {
  dataset: string;
  source: string;
  /** Made of the shortest leads of many runs. */
  condensed?: true | undefined;
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
  { dataset, source, condensed }: AgingRun,
  base: number,
  now: number,
  latest = now,
): ForecastAge | undefined {
  if (dataset !== "Forecast" || condensed) return undefined;
  const seconds = Math.max(0, Math.round(Math.min(now, latest) - base));
  const hours = Math.floor(seconds / HOUR_S);
  const late = hoursBetweenRuns[source] ?? 0;
  return { seconds, hours, isOld: hours > OLD_H + late, isTooOld: hours > TOO_OLD_H + late };
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
