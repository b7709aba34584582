import type { FieldName } from "#lib/catalog/fields.ts";
import type { Run } from "#server/archive/run.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { lackingFields } from "./feed-progress.ts";
import type { FieldFeed, Part } from "./field-feed.ts";
import { newestCycle, retryAt } from "./schedule.ts";
import type { Segment } from "./segments.ts";

/** What a published cycle lacks is looked for after a minute, then ever later, seconds. */
const MAX_RETRY_S = 3600;

/**
 * Looks for what published steps of the newest cycle lack, because no host had it: an index may be written anew.
 *
 * @param names Fields that are wanted.
 * @param fetchWhole Fetches a part if a host has all that is wanted of it.
 * @returns Of one feed.
 */
export function createMending(
  { clock, profile }: Pick<FeedDeps, "clock" | "profile">,
  feed: FieldFeed,
  names: readonly FieldName[],
  fetchWhole: (part: Part, signal: AbortSignal) => Promise<unknown>,
) {
  /** By cycle. */
  const tries = new Map<number, { count: number; at: number }>();
  /** Parts that were whole once: what is lacking still is not for another fetch. */
  const mended = new Set<string>();
  const keyOf = ({ cycle, index }: Part) => `${cycle} ${index}`;

  function lackingParts(runs: readonly Run[], parts: readonly Part[]): Part[] {
    const [first] = parts;
    if (!first || first.cycle !== newestCycle(feed, clock.now())) return [];
    const lacking = lackingFields(runs, first.cycle, names);
    // What a whole file lacks is seen only when all of it is there.
    const isIndexed = feed.mirrors.some((mirror) => {
      const objects = feed.objects(first, profile, mirror);
      return objects && objects.kind !== "file";
    });
    return parts.filter(
      (part) => isIndexed && part.times.some((time) => lacking.has(time)) && !mended.has(keyOf(part)),
    );
  }

  return {
    /** Whether a host has more now for a published segment: then it is worth to be published again. */
    async hasMore(
      runs: readonly Run[],
      parts: readonly Part[],
      { from, to }: Segment,
      signal: AbortSignal,
    ): Promise<boolean> {
      const [part] = lackingParts(runs, parts.slice(from, to));
      const { count, at } = (part && tries.get(part.cycle)) ?? { count: 0, at: 0 };
      if (!part || clock.now() < at) return false;
      const fetched = await fetchWhole(part, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (typeof fetched === "string") {
        mended.add(keyOf(part));
        return true;
      }
      tries.set(part.cycle, { count: count + 1, at: retryAt(clock.now(), count + 1, MAX_RETRY_S) });
      return false;
    },
    /** When to look again, Unix seconds; undefined where nothing is looked for. */
    again(runs: readonly Run[], parts: readonly Part[]): number | undefined {
      const [part] = lackingParts(runs, parts);
      return part && Math.max(clock.now() + 60, tries.get(part.cycle)?.at ?? 0);
    },
  };
}
