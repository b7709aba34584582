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
  /** Of the newest cycle of which a part was fetched. Parts are in it by their index. */
  let known = nothingOf(Number.NEGATIVE_INFINITY);
  const knownOf = (cycle: number) => {
    if (cycle > known.cycle) known = nothingOf(cycle);
    return cycle === known.cycle ? known : undefined;
  };

  /** Parts of which a published step lacks something, except those that a host had whole: a step left out is no lack of it. */
  function lackingParts(runs: readonly Run[], parts: readonly Part[]): Part[] {
    const [first] = parts;
    if (!first || first.cycle !== newestCycle(feed, clock.now()) || !isIndexed(first)) return [];
    const lacking = lackingFields(runs, first.cycle, names);
    const whole = knownOf(first.cycle)?.whole;
    return parts.filter((part) => part.times.some((time) => lacking.has(time)) && !whole?.has(part.index));
  }

  /** What whole files lack is not known before all of them is there: they are not fetched to find out. */
  function isIndexed(part: Part): boolean {
    return feed.mirrors.some((mirror) => {
      const kind = feed.objects(part, profile, mirror)?.kind;
      return kind === "messages" || kind === "zarr";
    });
  }

  return {
    /** @param lacking What the host lacked of the part. */
    fetched({ cycle, index }: Part, lacking: readonly string[] = []): void {
      const of = knownOf(cycle);
      if (lacking.length > 0) {
        of?.incomplete.add(index);
        of?.whole.delete(index);
      } else of?.incomplete.delete(index);
    },
    /** What these parts have is published, or cannot be: a fetch of the same changes nothing. */
    settled(parts: readonly Part[]): void {
      for (const { cycle, index } of parts) {
        const of = knownOf(cycle);
        if (of && !of.incomplete.has(index)) of.whole.add(index);
      }
    },
    /** Whether a host has more now for a published segment: then it is worth to be published again. */
    async hasMore(
      runs: readonly Run[],
      parts: readonly Part[],
      { from, to }: Segment,
      signal: AbortSignal,
    ): Promise<boolean> {
      const [part] = lackingParts(runs, parts.slice(from, to));
      const of = part && knownOf(part.cycle);
      if (!of || clock.now() < of.at) return false;
      const fetched = await fetchWhole(part, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (typeof fetched === "string") return true;
      of.failures++;
      of.at = retryAt(clock.now(), of.failures, MAX_RETRY_S);
      return false;
    },
    /** When to look again, Unix seconds; undefined where nothing is looked for. */
    again(runs: readonly Run[], parts: readonly Part[]): number | undefined {
      const [part] = lackingParts(runs, parts);
      return part && Math.max(clock.now() + 60, knownOf(part.cycle)?.at ?? 0);
    },
  };
}

function nothingOf(cycle: number) {
  return {
    cycle,
    /** Fetched, and the host lacked some of what is wanted. */
    incomplete: new Set<number>(),
    /** Settled with all that is wanted of a host. */
    whole: new Set<number>(),
    /** Looks in vain, and when to look again, Unix seconds. */
    failures: 0,
    at: 0,
  };
}
