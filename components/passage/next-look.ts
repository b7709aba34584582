import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";

/** Runs come this often. */
const RUN_S = 6 * HOUR_S;

/**
 * When it pays to compare departures again, Unix seconds: when the forecast, whose end moves on as time does, will reach the
 * arrival of a departure that is not ruled out yet; where all of them are judged, in a day; undefined where no forecast will
 * change the answer.
 *
 * @param now Weather clock, Unix seconds.
 */
export function nextLook(plans: readonly PassagePlan[], now: number): number | undefined {
  // What the weather did not decide is the same tomorrow.
  if (plans.every(({ deciding }) => deciding?.by === "crosses_land" || deciding?.by === "too_slow"))
    return undefined;
  const open = plans.find((plan) => plan.no_forecast_from !== null && plan.verdict !== "NO");
  const wait = open?.no_forecast_from
    ? Math.max(RUN_S, parseInstant(open.end.timestamp) - parseInstant(open.no_forecast_from))
    : DAY_S;
  return Math.ceil((now + wait) / RUN_S) * RUN_S;
}
