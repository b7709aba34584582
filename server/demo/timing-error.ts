import { DAY_S, HOUR_S } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import type { FieldGroup } from "#server/demo/fields/field-groups.ts";
import { hash01 } from "#server/demo/math/hash.ts";

/** Largest error of a run that is a day older than the newest, at the end of its reach. */
const MAX_ERROR_S = 20 * HOUR_S;
const REACH_S = 264 * HOUR_S;

/** Errors of forecasts grow faster than their lead. */
const GROWTH = 1.5;

/** Least share of the largest error that a run has: none is right by chance. */
const MIN_SHARE = 0.4;

const SEED = 151;

/**
 * By how much an earlier run is wrong about when weather arrives, seconds; positive: it has it too early. The newest run has no
 * error, so that a storm stays on its forecast track.
 *
 * An error of timing keeps wind, pressure and sea of one run consistent, and moves lows and storms along their own tracks.
 *
 * @param time Valid time, Unix seconds.
 */
export function timingError(
  { referenceTime, times }: Pick<Run, "referenceTime" | "times">,
  time: number,
): number {
  const age = (times[0] ?? referenceTime) - referenceTime;
  if (age <= 0) return 0;
  const chance = 2 * hash01(SEED, Math.floor(referenceTime / HOUR_S)) - 1;
  const share = Math.sign(chance) * (MIN_SHARE + (1 - MIN_SHARE) * Math.abs(chance));
  const grown = ((time - referenceTime) / REACH_S) ** GROWTH;
  return Math.round(share * Math.sqrt(age / DAY_S) * MAX_ERROR_S * grown);
}

/** The instant of the world that a run has at a valid time, Unix seconds: tides, days and seasons come when they are due. */
export function weatherTime(run: Run, { regular }: FieldGroup, time: number): number {
  return regular ? time : time + timingError(run, time);
}
