import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { arrivalCauses } from "#lib/passage/verdict.ts";
import { DAY_S, HOUR_S, parseInstant } from "#lib/time.ts";

/** Usual interval between runs, s. */
const RUN_S = 6 * HOUR_S;

/** Causes that do not depend on the weather, or hardly. */
const lasting = new Set<string>(["crosses_land", "too_slow", ...arrivalCauses]);

/**
 * When it makes sense to compare departures again, Unix seconds: when the forecast, whose end advances with
 * time, will reach the arrival of a departure that is not ruled out yet; if all of them are judged, in a day;
 * undefined if no forecast will change the answer.
 *
 * @param now Weather clock, Unix seconds.
 */
export function nextLook(plans: readonly PassagePlan[], now: number): number | undefined {
  // These verdicts will be the same tomorrow.
  if (plans.every(({ deciding }) => deciding && lasting.has(deciding.by))) return undefined;
  const open = plans.find((plan) => plan.no_forecast_from !== null && plan.verdict !== "NO");
  const wait = open?.no_forecast_from
    ? Math.max(RUN_S, parseInstant(open.end.timestamp) - parseInstant(open.no_forecast_from))
    : DAY_S;
  return Math.ceil((now + wait) / RUN_S) * RUN_S;
}
