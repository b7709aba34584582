import { acceptedTimes } from "#lib/catalog/datasets.ts";
import { type OptimiseRequest, optimiseLimits } from "#lib/contract/passage-optimise.ts";
import { distanceKm, MILE_KM } from "#lib/geo/sphere.ts";
import { HOUR_S, parseInstant } from "#lib/time.ts";
import { type PassageQuestion, questionOf } from "../question.ts";
import { typicalSpeed } from "../vessel.ts";

/** As a question of POST /passages/evaluate. */
export function optimiseQuestion(request: OptimiseRequest): PassageQuestion {
  const { objective: _, ...passage } = request;
  return questionOf(passage);
}

/** From the first to the last waypoint, nautical miles. */
export function milesOf({ route }: Pick<OptimiseRequest, "route">): number {
  return distanceKm(route[0]!, route.at(-1)!) / MILE_KM;
}

/** A request that is not searched, and why. @see hours About, at the typical speed. @see known Hours of forecast after the departure. */
export interface SearchRefusal {
  why: "distance" | "hours" | "forecast" | "at_once";
  miles: number;
  knots: number;
  hours: number;
  known: number;
}

/** Why a request is too large to be searched; undefined where it is not. @param now Weather clock, Unix seconds. */
export function searchRefusal(request: OptimiseRequest, now: number): SearchRefusal | undefined {
  const { distance_nm: most, hours: limits, forecast_share: share } = optimiseLimits;
  const miles = milesOf(request);
  const knots = typicalSpeed(optimiseQuestion(request).vessel);
  const hours = miles / knots;
  const known = (acceptedTimes(now).last - parseInstant(request.departure)) / HOUR_S;
  const refused = (why: SearchRefusal["why"]) => ({
    why,
    miles: Math.round(miles),
    knots,
    hours: Math.round(hours),
    known: Math.max(0, Math.round(known)),
  });
  if (Math.round(miles) > most) return refused("distance");
  if (hours > limits.async) return refused("hours");
  if (known < share * hours) return refused("forecast");
  if (!request.async && hours > limits.sync) return refused("at_once");
  return undefined;
}
