import type { ActiveList, Parsed } from "#server/storms/parse/report.ts";
import type { Bulletin, Provider } from "./bulletin.ts";

/** The lists of a provider. */
export function listsOf(parsed: readonly Parsed[], provider: Provider): ActiveList[] {
  return parsed.flatMap(({ listed }) => (listed?.provider === provider ? [listed] : []));
}

/** Advisories, and with them lists, come every 6 h: a fix of a deck is at most so much newer than a list that goes on. */
const LIST_CYCLE_S = 6 * 3600;

/**
 * Whether a list that leaves a storm out stands still: the agency has forecast the storm since, or calls it a tropical
 * cyclone at a fix of later than the list's next issue. After its last advisory it calls it a remnant or extratropical.
 *
 * @param forecastAt Base time of the newest official forecast of the storm, Unix seconds; undefined without any.
 * @param cycloneAt Time of its newest fix as a tropical cyclone.
 */
export function isBehind(
  { updated }: ActiveList,
  forecastAt: number | undefined,
  cycloneAt?: number | undefined,
): boolean {
  if (updated === undefined) return false;
  return (
    (forecastAt ?? Number.NEGATIVE_INFINITY) > updated ||
    (cycloneAt ?? Number.NEGATIVE_INFINITY) > updated + LIST_CYCLE_S
  );
}

/** A storm of which no list tells anything any more: one that a list had ended is active again. */
export function withoutLists(bulletin: Bulletin): Bulletin {
  if (bulletin.isListed !== false) return bulletin;
  const { ended, isListed: _, ...rest } = bulletin;
  return ended?.by === "list" ? { ...rest, isFinal: false } : { ...rest, ...(ended && { ended }) };
}

/**
 * A storm as lists leave it: one that all of them have is active again if a list had ended it, any other one has ended. A
 * bulletin that says that the storm is over outweighs a list that has it still.
 *
 * @param isListed Whether all lists have it.
 * @param at When they were read, Unix seconds.
 */
export function underLists(bulletin: Bulletin, isListed: boolean, at: number): Bulletin {
  const { ended, ...rest } = bulletin;
  if (isListed) {
    const isFinal = bulletin.isFinal && bulletin.isListed !== false;
    return { ...rest, isListed, isFinal, ...(isFinal && ended && { ended }) };
  }
  const end =
    bulletin.isFinal && ended ? ended : ({ by: "list", at: Math.max(at, bulletin.issued) } as const);
  return { ...rest, isListed, isFinal: true, ended: end };
}
