import type { StormEntry } from "#lib/contract/storm-form.ts";
import { distanceKm } from "#lib/geo/sphere.ts";
import { trackAt } from "#lib/storms/track-at.ts";
import { ofWire } from "#lib/storms/wire.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";

/** After its last bulletin as an invest a storm is named by the next, or by one of the days after. */
export const NAMED_WITHIN_S = 5 * DAY_S;

/** How far apart the invest's last fix and the storm's track may be at that time, km. */
const SAME_PLACE_KM = 300;

/** How far from the time of that fix a fix of the storm may be. */
const SAME_TIME_S = 24 * HOUR_S;

/**
 * Whether a storm is what an invest has become. Its alias alone proves nothing: numbers of invests are used again within
 * weeks.
 */
export function isContinuation(
  invest: Pick<StormEntry, "id" | "is_invest" | "tracks">,
  storm: Pick<StormEntry, "id" | "aliases" | "tracks">,
): boolean {
  const last = invest.tracks.observed.at(-1);
  if (!invest.is_invest || !last || !storm.aliases?.includes(invest.id)) return false;
  const there = trackAt(storm.tracks.observed, last.time, SAME_TIME_S);
  return there !== undefined && distanceKm(there, ofWire(last)) <= SAME_PLACE_KM;
}
