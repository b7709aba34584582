import { type DangerArea, dangerAt } from "@open-metocean/storms/danger";
import type { StormEntry } from "@open-metocean/storms/schema";
import { onRoute, type Vessel, type Waypoint } from "@open-metocean/storms/track";
import type { PassagePlan } from "#lib/contract/passage-reply.ts";
import { approachAnswer, unforecastAnswer } from "#lib/storm-answers/approach.ts";
import { type Limits, measuredStorm } from "./limits.ts";
import type { Passage, Passing } from "./march.ts";
import type { StormNear } from "./verdict.ts";

/**
 * A storm without a forecast makes a passage uncertain if it was last located within this distance of the
 * departure, km.
 */
const NEAR_KM = 1000;

export interface StormsOnTheWay {
  wire: NonNullable<PassagePlan["storms"]>;
  near: StormNear[];
  /** Number of storms nearby that have no forecast. */
  unforecast: number;
}

/**
 * The storms of a passage in the form of POST /storms/approach, and the value compared with the limit: the
 * least distance from the danger area at the same time.
 *
 * @param areaOf Returns the danger area of a storm; undefined if it has none.
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
    const area = areaOf(entry);
    const result = approachAnswer(entry, vessel, area, now);
    if (!result) {
      const unforecast = unforecastAnswer(entry, vessel, now);
      found.wire.without_forecast.push(unforecast);
      if (unforecast.is_active && (unforecast.km ?? Number.POSITIVE_INFINITY) <= NEAR_KM) found.unforecast++;
      continue;
    }
    found.wire.results.push(result);
    const least = leastDistance(entry, vessel, area);
    if (least)
      found.near.push({
        measured: measuredStorm(least.km, limits),
        at: { ...vessel.at(least.time), time: least.time },
      });
  }
  found.wire.results.sort(
    (one, other) => one.least_clearance.clearance_km - other.least_clearance.clearance_km,
  );
  return found;
}

/** Time step in which a storm and a vessel are followed, s. */
const STEP_S = 1800;

/**
 * How near a vessel comes to a storm's danger area at the same time, km, 0 inside, and when (Unix seconds).
 * If it enters the area, the time is that of the first entry.
 *
 * @returns undefined if voyage and forecast have no time in common.
 */
export function leastDistance(
  entry: StormEntry,
  vessel: Vessel,
  area: DangerArea | undefined,
): { km: number; time: number } | undefined {
  const distance = dangerAt(entry, area);
  let least: { km: number; time: number } | undefined;
  for (let time = vessel.begins; ; time = Math.min(vessel.ends, time + STEP_S)) {
    const found = distance(vessel.at(time), time);
    if (found && !(found.km >= (least?.km ?? Number.POSITIVE_INFINITY)))
      least = { km: Math.max(0, found.km), time };
    if (least?.km === 0 || time >= vessel.ends) return least;
  }
}

/** A passage in the form of vessel that POST /storms/approach uses. */
export function voyageOf({ pieces, end }: Pick<Passage, "pieces" | "end">): Vessel {
  return onRoute(inWholeSeconds([...pieces.map(({ start }) => start), end]));
}

/**
 * Waypoints in the form that POST /storms/approach requires: in whole seconds, each later than the one
 * before.
 */
function inWholeSeconds(passings: readonly Passing[]): Waypoint[] {
  const waypoints: Waypoint[] = [];
  for (const passing of passings) {
    const time = Math.round(passing.time);
    if (waypoints.at(-1)?.time === time) waypoints.pop();
    waypoints.push({ ...passing, time });
  }
  return waypoints;
}
