import type { PassageMeta, PassagePlan } from "#lib/contract/passage-reply.ts";
import { defaultLimits } from "#lib/passage/limits.ts";
import { legsOf, march, type Wanted, type Waypoint } from "#lib/passage/march.ts";
import { legsToWire, planToWire, totalsOf } from "#lib/passage/to-wire.ts";
import { judge, judgePieces, sortedDepartures } from "#lib/passage/verdict.ts";
import type { Vessel, Weather } from "#lib/passage/vessel.ts";

const vessel: Vessel = { kind: "fixed", knots: 6 };
const limits = defaultLimits.sail;

/** A route northwards along 5° W, with a waypoint on the way. */
export const northward: Waypoint[] = [
  { latitude: 48, longitude: -5, leg: "great_circle" },
  { latitude: 48.5, longitude: -5, leg: "great_circle" },
  { latitude: 49, longitude: -5, leg: "great_circle" },
];

/** A plan as answered by the service, in the given weather. @param departure Unix seconds. */
export function planOf(
  weather: (wanted: Wanted) => Weather,
  departure: number,
  route: readonly Waypoint[] = northward,
): PassagePlan {
  const legs = legsOf(route);
  const marching = march(legs, vessel, departure);
  let step = marching.next();
  while (!step.done) step = marching.next(weather(step.value));
  const passage = step.value;
  const pieces = judgePieces(passage.pieces, limits);
  const totals = totalsOf(pieces, limits);
  const miles = legs.reduce((sum, leg) => sum + leg.miles, 0);
  return planToWire(
    { departure, passage, pieces, totals, ...judge(passage, pieces, { storms: [] }) },
    { limits, miles, withPieces: true },
  );
}

/** The meta of plans along the route. */
export function metaOf(plans: readonly PassagePlan[], route: readonly Waypoint[] = northward): PassageMeta {
  const departures = plans.map(({ departure, verdict, totals, ending, no_forecast_from }) => ({
    departure,
    verdict,
    duration_s: totals.duration_s,
    mean_ratio: totals.mean_ratio,
    is_whole: ending === "arrived" && no_forecast_from === null,
  }));
  const compared = departures.map((one) => ({
    isWhole: one.is_whole,
    seconds: one.duration_s,
    meanRatio: one.mean_ratio,
    verdict: one.verdict,
  }));
  return {
    ...legsToWire(legsOf(route)),
    crosses_land: [],
    nearest_coast: null,
    typical_speed_kt: 6,
    limits,
    order: sortedDepartures(compared),
    departures,
    provenance: [],
    knowledge: [],
  };
}
