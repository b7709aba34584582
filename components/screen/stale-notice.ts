import type { DrawableRun } from "#lib/contract/field-manifest.ts";
import { parseInstant } from "#lib/time.ts";
import type { Words } from "#lib/words/en.ts";

/** Age from which a forecast is old, and too old, hours. */
const [OLD_H, TOO_OLD_H] = [12, 24];

/**
 * Warns that the forecast on the map is old; undefined for a fresh one and for other datasets. A grave one is red rather than amber.
 *
 * @param now Weather clock of the service, Unix seconds.
 */
export function staleNotice(
  run: Pick<DrawableRun, "dataset" | "model" | "reference_time"> | undefined,
  now: number,
  words: Words,
) {
  if (run?.dataset !== "Forecast") return undefined;
  const hours = Math.floor((now - parseInstant(run.reference_time)) / 3600);
  if (hours <= OLD_H) return undefined;
  const base = `${run.reference_time.slice(11, 13)}Z`;
  const text = words.screen.notices.old({ hours, model: run.model, base });
  return { text, grave: hours > TOO_OLD_H };
}
