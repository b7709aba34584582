import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { forecastAge, oldForecastText } from "#lib/forecast-age.ts";
import type { Words } from "#lib/messages/words.ts";
import { parseInstant } from "#lib/time.ts";

/**
 * Warns that the forecast on the map is old; undefined for a fresh one and for other datasets. A grave one is red rather than amber.
 *
 * @param now Weather clock of the service, Unix seconds.
 * @param time Of the map, Unix seconds.
 */
export function staleNotice(
  run:
    | Pick<DrawableRun, "dataset" | "source" | "condensed" | "rhythm" | "model" | "reference_time">
    | undefined,
  now: number,
  time: number | undefined,
  words: Words,
) {
  if (!run) return undefined;
  const base = parseInstant(run.reference_time);
  const age = forecastAge(run, base, now, time);
  if (!age?.isOld) return undefined;
  return { text: oldForecastText(age.hours, run.model, base, words), grave: age.isTooOld };
}
