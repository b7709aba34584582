import type { Report } from "#server/storms/parse/report.ts";
import { isActive } from "./activity.ts";
import type { Bulletin, Fix } from "./bulletin.ts";
import { stormId } from "./identity.ts";

/**
 * One fix a time, ascending. The first list that has a time says it; what it leaves out is filled in from the others.
 *
 * @param lists The most trusted first.
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
    }
  }
  return [...byTime.values()].sort((one, other) => one.time - other.time);
}

/** The newest forecast of bulletins; of two with one base time that of the newer text. */
export function newestForecast(of: readonly (Bulletin | undefined)[]): Bulletin["forecast"] {
  let newest: Bulletin | undefined;
  for (const each of of) {
    if (!each?.forecast) continue;
    const base = newest?.forecast?.base ?? Number.NEGATIVE_INFINITY;
    if (each.forecast.base > base || (each.forecast.base === base && each.issued > newest!.issued))
      newest = each;
  }
  return newest?.forecast;
}

/** The newest of them that says something, by when it was issued. */
export function newestSaid<Value>(
  of: readonly Bulletin[],
  value: (bulletin: Bulletin) => Value | null,
): Value | null {
  const sorted = of.toSorted((one, other) => other.issued - one.issued);
  for (const each of sorted) {
    const said = value(each);
    if (said !== null) return said;
  }
  return null;
}

/** What of a report goes into a bulletin. */
export function bulletinOf({ source: _, formerly: __, ...bulletin }: Report): Bulletin {
  return bulletin;
}

const KEPT_S = 24 * 3600;

/** Time of the newest fix of a bulletin, or of its text where it has none, Unix seconds. */
export function lastFix({ observed, issued }: Bulletin): number {
  return observed.at(-1)?.time ?? issued;
}

/** Whether a storm is told of: while it is tracked, and 24 h after its last fix or after it fell silent. */
export function isKept(bulletin: Bulletin, now: number): boolean {
  if (isActive(bulletin, now)) return true;
  return bulletin.isFinal ? now - lastFix(bulletin) <= KEPT_S : isActive(bulletin, now - KEPT_S);
}

/** One bulletin an id: letters of JMA and numbers of invests are used again, and the newer storm has them. */
export function oneAnId(bulletins: readonly Bulletin[]): Bulletin[] {
  const byId = new Map<string, Bulletin>();
  for (const bulletin of bulletins) {
    const known = byId.get(stormId(bulletin));
    if (!known || bulletin.issued >= known.issued) byId.set(stormId(bulletin), bulletin);
  }
  return [...byId.values()];
}
