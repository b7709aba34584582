import type { ActiveList, Parsed } from "#server/storms/parse/report.ts";
import type { Bulletin, Provider } from "./bulletin.ts";

/** The lists of a provider. */
export function listsOf(parsed: readonly Parsed[], provider: Provider): ActiveList[] {
  return parsed.flatMap(({ listed }) => (listed?.provider === provider ? [listed] : []));
}

/**
 * Whether a list that leaves a storm out stands still: the agency has forecast the storm since.
 *
 * @param forecastAt Base time of the newest official forecast of the storm, Unix seconds; undefined without any.
 */
export function isBehind({ updated }: ActiveList, forecastAt: number | undefined): boolean {
  return updated !== undefined && forecastAt !== undefined && forecastAt > updated;
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
