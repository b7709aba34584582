import type { Parsed } from "#server/storms/parse/report.ts";
import type { Bulletin, Provider } from "./bulletin.ts";

/** A list of active storms as it was read. */
export type StormList = NonNullable<Parsed["listed"]>;

/** The lists of a provider. */
export function listsOf(parsed: readonly Parsed[], provider: Provider): StormList[] {
  return parsed.flatMap(({ listed }) => (listed?.provider === provider ? [listed] : []));
}

/**
 * A storm as lists leave it: one that all of them have is active again if a list had ended it, any other one has ended. A
 * bulletin that says that the storm is over outweighs a list that has it still.
 *
 * @param isListed Whether all lists have it.
 * @param at Time of the lists, Unix seconds.
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
