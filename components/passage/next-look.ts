import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";

/** When it pays to compare departures again. Times are Unix seconds. */
export interface NextLook {
  when: number;
  /** The first departure that nothing known rules out, and the end of the forecast, which is before its arrival. */
  unknown: { departure: number; ends: number } | undefined;
  /** The last departure that was compared. */
  last: number;
}

/** Runs come this often. */
const RUN_S = 6 * HOUR_S;

/**
 * When the forecast, whose end moves on as time does, will reach the arrival of a departure that is not ruled out yet;
 * where all of them are judged, in a day; undefined where no forecast will change the answer.
 *
 * @param now Weather clock, Unix seconds.
 */
export function nextLook(plans: readonly PassagePlan[], now: number): NextLook | undefined {
  const final = plans.at(-1);
  if (!final) return undefined;
  const last = parseInstant(final.departure);
  const roundUp = (time: number) => Math.ceil(time / RUN_S) * RUN_S;
  const open = plans.find((plan) => plan.no_forecast_from !== null && plan.verdict !== "NO");
  // What the weather did not decide is the same tomorrow.
  const isFixed = plans.every(
    ({ deciding }) => deciding?.by === "crosses_land" || deciding?.by === "too_slow",
  );
  if (isFixed) return undefined;
  if (!open?.no_forecast_from) return { when: roundUp(now + DAY_S), unknown: undefined, last };
  const ends = parseInstant(open.no_forecast_from);
  const wait = Math.max(RUN_S, parseInstant(open.end.timestamp) - ends);
  return {
    when: roundUp(now + wait),
    unknown: { departure: parseInstant(open.departure), ends },
    last,
  };
}
