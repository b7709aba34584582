import { distanceKm } from "#lib/geo/sphere.ts";
import { lastFixTime } from "./activity.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { aliasesOf, stormId } from "./identity.ts";

const HOUR_S = 3600;

interface Nearness {
  seconds: number;
  km: number;
}

/** A storm and an invest are the same system if they were within this distance and this time of each other. */
const same: Nearness = { seconds: 24 * HOUR_S, km: 300 };

/** The same if the storm's deck says that it came from an invest of this number: fixes may then be missing between. */
const named: Nearness = { seconds: 72 * HOUR_S, km: 1000 };

/** Fixes of an invest begin before those of its storm, or little later. */
const LATER_START_S = 24 * HOUR_S;

/** An invest with a fix so much newer than the last one of a storm that has ended is watched again, or still. */
const OUTLIVED_S = 3 * HOUR_S;

/**
 * Leaves out invests that have become storms; the storm gets their earlier fixes, and their id as an alias.
 *
 * The remark of a deck alone proves nothing: numbers of invests are used again within weeks, and the decks of a season stay.
 *
 * A storm that has ended hides only the invest that it came from: its remnant is watched as an invest, often of another
 * number, until the storm is warned of again.
 *
 * @param formerly Storm's id → ids of invests that its texts name.
 * @param hasEnded Whether a storm is no longer active.
 */
export function withoutFormerInvests(
  bulletins: readonly Bulletin[],
  formerly: ReadonlyMap<string, ReadonlySet<string>>,
  hasEnded: (storm: Bulletin) => boolean,
): Bulletin[] {
  const storms = bulletins.filter(({ isInvest }) => !isInvest);
  // Of their own fixes, not of those that they get here.
  const starts = new Map(storms.map((storm) => [storm, startOf(storm)]));
  const remaining: Bulletin[] = [];
  for (const invest of bulletins.filter(({ isInvest }) => isInvest)) {
    const id = stormId(invest);
    const storm = storms.find(
      (candidate) =>
        (isNear(candidate, invest, same) ||
          (formerly.get(stormId(candidate))?.has(id) && isSuccessor(candidate, invest))) &&
        !(hasEnded(candidate) && isOutlived(candidate, invest, starts.get(candidate)!)),
    );
    if (!storm) {
      remaining.push(invest);
      continue;
    }
    const first = startOf(storm);
    storm.observed = [...invest.observed.filter(({ time }) => time < first), ...storm.observed];
    storm.aliases = aliasesOf(stormId(storm), [...(storm.aliases ?? []), id])!;
  }
  return [...storms, ...remaining];
}

function isSuccessor(storm: Bulletin, invest: Bulletin): boolean {
  return startOf(invest) <= startOf(storm) + LATER_START_S && isNear(storm, invest, named);
}

/** Whether an invest goes on after the last fix of a storm, or begins too late to be the one that the storm came from. */
function isOutlived(storm: Bulletin, invest: Bulletin, start: number): boolean {
  return lastFixTime(invest) - lastFixTime(storm) > OUTLIVED_S || startOf(invest) > start + LATER_START_S;
}

function startOf({ observed }: Bulletin): number {
  return observed[0]?.time ?? Number.POSITIVE_INFINITY;
}

/** Whether a storm was near the invest's last position. */
function isNear(storm: Bulletin, invest: Bulletin, { seconds, km }: Nearness): boolean {
  const last = invest.observed.at(-1);
  if (!last) return false;
  const near = (fix: Fix) => Math.abs(fix.time - last.time) <= seconds && distanceKm(fix, last) <= km;
  return storm.observed.some(near);
}
