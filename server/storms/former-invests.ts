import { between, distanceKm } from "#lib/geo/sphere.ts";
import { HOUR_S } from "#lib/time.ts";
import { lastFixTime } from "./activity.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { aliasesOf, stormId } from "./identity.ts";
import { SAME_FIX_S } from "./merge.ts";
import { isTropicalCyclone } from "./track-point.ts";

interface Nearness {
  seconds: number;
  km: number;
}

/** A storm and an invest may be the same system if they were within this distance and this time of each other. */
const same: Nearness = { seconds: 24 * HOUR_S, km: 300 };

/** The same if the storm's deck says that it came from an invest of this number: fixes may then be missing between. */
const named: Nearness = { seconds: 72 * HOUR_S, km: 1000 };

/** Fixes of an invest begin before those of its storm, or little later. */
const LATER_START_S = 24 * HOUR_S;

/** Two texts that are on one system do not place it further apart at one time, km. */
const SAME_PLACE_KM = 150;

/** A storm is placed between two fixes no further apart than this, and beside one of them within half of it, seconds. */
const PLACED_WITHIN_S = 12 * HOUR_S;

/** No storm of a basin where invests are watched moves faster for long, km/h. */
const MAX_SPEED_KMH = 40;

/** An invest with a fix so much newer than the last one of a storm that has ended is watched again, or still. */
const OUTLIVED_S = 3 * HOUR_S;

/**
 * Leaves out invests that have become storms; the storm gets their earlier fixes, and their id as an alias. From the invest
 * that its texts name it also gets later ones: the first deck of a storm may be read before it is whole.
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
  const born = new Map(storms.map((storm) => [storm, cycloneSince(storm)]));
  const remaining: Bulletin[] = [];
  const namesOf = (storm: Bulletin) => formerly.get(stormId(storm)) ?? new Set();
  const isNamed = (storm: Bulletin, invest: Bulletin) =>
    [...namesOf(storm)].some((name) => isSameNumber(name, stormId(invest))) && isSuccessor(storm, invest);
  for (const invest of bulletins.filter(({ isInvest }) => isInvest)) {
    const storm = storms.find((candidate) => {
      const names = namesOf(candidate);
      // A text that names others says that it is none of them; one of after the storm's birth, that there are two.
      const isPlaced = names.size > 0 || lastFixTime(invest) >= born.get(candidate)!;
      const isAlike = isPlaced ? (isAtOnePlace(candidate, invest) ?? names.size === 0) : true;
      if (!isNamed(candidate, invest) && !(isAlike && isNear(candidate, invest, same))) return false;
      return !(hasEnded(candidate) && isOutlived(candidate, invest, starts.get(candidate)!));
    });
    if (!storm) {
      remaining.push(invest);
      continue;
    }
    const first = startOf(storm);
    const last = isNamed(storm, invest) ? lastFixTime(storm) + SAME_FIX_S : Number.POSITIVE_INFINITY;
    storm.observed = [
      ...invest.observed.filter(({ time }) => time < first),
      ...storm.observed,
      ...invest.observed.filter(({ time }) => time >= last),
    ];
    storm.aliases = aliasesOf(stormId(storm), [...(storm.aliases ?? []), stormId(invest)])!;
  }
  return [...storms, ...remaining];
}

/** Basin and number of two ids. Over New Year a deck and an outlook give an invest different years. */
function isSameNumber(one: string, other: string): boolean {
  return one.slice(0, 4) === other.slice(0, 4);
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

/** When a storm was first called a cyclone: before, it was an invest itself. Without stages its first fix, Unix seconds. */
function cycloneSince(storm: Bulletin): number {
  const first = storm.observed.find(isTropicalCyclone);
  if (first) return first.time;
  return storm.observed.some(({ stage }) => stage !== null) ? Number.POSITIVE_INFINITY : startOf(storm);
}

/** Whether an invest's last fix is where the storm was then; undefined if nobody placed the storm at about that time. */
function isAtOnePlace({ observed }: Bulletin, invest: Bulletin): boolean | undefined {
  const last = invest.observed.at(-1);
  if (!last) return undefined;
  const before = observed.findLast(({ time }) => time <= last.time);
  const after = observed.find(({ time }) => time >= last.time);
  if (before && after && after.time - before.time <= PLACED_WITHIN_S) {
    const share = after === before ? 0 : (last.time - before.time) / (after.time - before.time);
    return distanceKm(between(before, after, share), last) <= SAME_PLACE_KM;
  }
  const near = [before, after].filter(
    (fix) => fix !== undefined && Math.abs(fix.time - last.time) <= PLACED_WITHIN_S / 2,
  );
  if (near.length === 0) return undefined;
  return near.some((fix) => {
    const hours = Math.abs(fix!.time - last.time) / HOUR_S;
    return distanceKm(fix!, last) <= SAME_PLACE_KM + MAX_SPEED_KMH * hours;
  });
}

/** Whether a storm was near the invest's last position. */
function isNear(storm: Bulletin, invest: Bulletin, { seconds, km }: Nearness): boolean {
  const last = invest.observed.at(-1);
  if (!last) return false;
  const near = (fix: Fix) => Math.abs(fix.time - last.time) <= seconds && distanceKm(fix, last) <= km;
  return storm.observed.some(near);
}
