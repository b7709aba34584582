import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import type { StormEntry } from "#lib/contract/storm-form.ts";
import { approachAnswer, unforecastAnswer } from "#lib/storms/approach-answer.ts";
import { closestApproach } from "#lib/storms/closest-approach.ts";
import type { DangerArea } from "#lib/storms/danger-area.ts";
import { onRoute, since, type Vessel, type Waypoint } from "#lib/storms/vessel.ts";
import { type Limits, measuredStorm } from "./limits.ts";
import type { Passage, Passing } from "./march.ts";
import type { StormNear } from "./verdict.ts";

/** A storm that has no forecast makes a passage uncertain if it was last located within this distance of the departure, km. */
const NEAR_KM = 1000;

export interface StormsOnTheWay {
  wire: NonNullable<PassagePlan["storms"]>;
  near: StormNear[];
  /** How many storms are near without a forecast. */
  unforecast: number;
}

/**
 * The storms of a passage as POST /storms/approach has them, and what counts against the limit: the distance from the danger
 * area, and past the time of that area, which ends after three days, what remains of the distance after gales and cone.
 *
 * @param areaOf The danger area of a storm; undefined if it has none.
 * @param now Weather clock, Unix seconds.
 */
export function stormsOnTheWay(
  entries: readonly StormEntry[],
  passage: Passage,
  areaOf: (entry: StormEntry) => DangerArea | undefined,
  limits: Limits,
  now: number,
): StormsOnTheWay {
  const vessel = voyageOf(passage);
  const found: StormsOnTheWay = { wire: { results: [], without_forecast: [] }, near: [], unforecast: 0 };
  for (const entry of entries) {
    const result = approachAnswer(entry, vessel, areaOf(entry), now);
    if (!result) {
      const unforecast = unforecastAnswer(entry, vessel, now);
      found.wire.without_forecast.push(unforecast);
      if (unforecast.is_active && (unforecast.km ?? Number.POSITIVE_INFINITY) <= NEAR_KM) found.unforecast++;
      continue;
    }
    found.wire.results.push(result);
    for (const { km, time } of distancesOf(entry, vessel, result))
      found.near.push({ measured: measuredStorm(km, limits), at: { ...vessel.at(time), time } });
  }
  found.wire.results.sort(
    (one, other) => one.least_clearance.clearance_km - other.least_clearance.clearance_km,
  );
  return found;
}

/**
 * How near a storm comes to a vessel, kilometres, 0 within: from its danger area, when the vessel enters it or is nearest to
 * the storm; and past the time of that area, what remains of the distance after gales and cone. Times are Unix seconds.
 */
export function distancesOf(
  entry: StormEntry,
  vessel: Vessel,
  {
    danger,
    least_clearance: least,
  }: Pick<StormsOnTheWay["wire"]["results"][number], "danger" | "least_clearance">,
): { km: number; time: number }[] {
  if (!danger) return [{ km: Math.max(0, least.clearance_km), time: least.time }];
  const within = { km: Math.max(0, danger.clearance_km), time: danger.enters ?? least.time };
  const later =
    danger.until < vessel.ends
      ? closestApproach(entry, since(vessel, danger.until))?.minClearance
      : undefined;
  return later ? [within, { km: Math.max(0, later.clearanceKm), time: later.time }] : [within];
}

/** A passage as the vessel that POST /storms/approach looks at. */
export function voyageOf({ pieces, end }: Pick<Passage, "pieces" | "end">): Vessel {
  return onRoute(inWholeSeconds([...pieces.map(({ start }) => start), end]));
}

/** Waypoints as POST /storms/approach takes them: in whole seconds, each later than the one before. */
function inWholeSeconds(passings: readonly Passing[]): Waypoint[] {
  const waypoints: Waypoint[] = [];
  for (const passing of passings) {
    const time = Math.round(passing.time);
    if (waypoints.at(-1)?.time === time) waypoints.pop();
    waypoints.push({ ...passing, time });
  }
  return waypoints;
}
