import { HOUR_S } from "#lib/time.ts";
import type { Report } from "#server/storms/parse/report.ts";
import type { Bulletin, Fix, ForecastFix } from "./bulletin.ts";
import { stormId } from "./identity.ts";

/** Two texts place a storm some 20 km apart. Of two fixes within less than this, seconds, one would seem a leap. */
export const SAME_FIX_S = HOUR_S;

/**
 * One fix per time, ascending. The first list that has a time wins; values it lacks are filled in from the others.
 *
 * @param lists Most trusted first.
 */
export function mergedFixes(lists: readonly (readonly Fix[])[]): Fix[] {
  const byTime = new Map<number, Fix>();
  for (const fix of lists.flat()) {
    const known = byTime.get(fix.time);
    if (!known) byTime.set(fix.time, { ...fix });
    else {
      known.vmaxKt ??= fix.vmaxKt;
      known.mslpHpa ??= fix.mslpHpa;
      known.stage ??= fix.stage;
      known.radiiKm = { ...fix.radiiKm, ...known.radiiKm };
      if (!known.seas12ftKm && fix.seas12ftKm) known.seas12ftKm = fix.seas12ftKm;
    }
  }
  return [...byTime.values()].sort((one, other) => one.time - other.time);
}

/**
 * The newest forecast of several bulletins. Of two with the same base time it is that of the newer text; but a forecast that
 * only lacks the end of another one was read from a text that ends early.
 */
export function newestForecast(bulletins: readonly (Bulletin | undefined)[]): Bulletin["forecast"] {
  let newest: Bulletin | undefined;
  for (const bulletin of bulletins) {
    if (!bulletin?.forecast) continue;
    if (!newest?.forecast || isNewer(bulletin, newest)) newest = bulletin;
  }
  return newest?.forecast;
}

function isNewer(one: Bulletin, other: Bulletin): boolean {
  const [mine, theirs] = [one.forecast!, other.forecast!];
  if (mine.base !== theirs.base) return mine.base > theirs.base;
  if (mine.points.length !== theirs.points.length) {
    const longer = mine.points.length > theirs.points.length ? mine : theirs;
    const shorter = longer === mine ? theirs : mine;
    if (shorter.points.every((point, index) => isSamePoint(point, longer.points[index]!)))
      return longer === mine;
  }
  return one.issued > other.issued;
}

function isSamePoint(one: ForecastFix, other: ForecastFix): boolean {
  const same = one.fhr === other.fhr && one.vmaxKt === other.vmaxKt;
  return same && one.latitude === other.latitude && one.longitude === other.longitude;
}

/** The most recently issued one; of several the first. @param bulletins At least one. */
export function newestOf<Each extends Bulletin>(bulletins: readonly Each[]): Each {
  return bulletins.reduce((latest, each) => (each.issued > latest.issued ? each : latest));
}

/**
 * Whether a storm has ended. A text that is not newer than the one that ended it cannot revive it; whatever else was read
 * since, such as a deck, says nothing about the end.
 *
 * @param newest The newest text that can say so.
 */
export function inheritedEnd(
  newest: Report | undefined,
  before: Bulletin | undefined,
): Pick<Bulletin, "isFinal" | "ended"> {
  const known = before?.isFinal
    ? (before.ended ?? { by: before.isListed === false ? "list" : "text", at: before.issued })
    : undefined;
  if (newest?.isFinal) {
    const at = Math.max(newest.issued, known?.at ?? Number.NEGATIVE_INFINITY);
    return { isFinal: true, ended: { by: "text", at } };
  }
  if (!known || (newest && newest.issued > known.at)) return { isFinal: false };
  return { isFinal: true, ended: known };
}

/** The value of the most recently issued bulletin that has one. */
export function newestValue<Value>(
  bulletins: readonly Bulletin[],
  value: (bulletin: Bulletin) => Value | null,
): Value | null {
  const newestFirst = bulletins.toSorted((one, other) => other.issued - one.issued);
  for (const bulletin of newestFirst) {
    const found = value(bulletin);
    if (found !== null) return found;
  }
  return null;
}

/** The bulletin that a report contains; a bulletin itself, as a copy. */
export function bulletinOf(bulletin: Report | Bulletin): Bulletin {
  const { source: _, formerly: __, obsolete: ___, ...rest } = bulletin as Report;
  return rest;
}

/** One bulletin per id. JMA's letters and the numbers of invests are reused: the newer storm keeps the id. */
export function newestPerId(bulletins: readonly Bulletin[]): Bulletin[] {
  const byId = new Map<string, Bulletin>();
  for (const bulletin of bulletins) {
    const known = byId.get(stormId(bulletin));
    if (!known || bulletin.issued >= known.issued) byId.set(stormId(bulletin), bulletin);
  }
  return [...byId.values()];
}
