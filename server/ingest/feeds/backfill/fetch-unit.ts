import type { FeedDeps } from "#server/ingest/feeds/feed-deps.ts";
import type { FieldFeed } from "#server/ingest/feeds/field-feed.ts";
import { PartFailedError } from "#server/ingest/feeds/part-errors.ts";
import { partFolder } from "#server/ingest/feeds/part-files.ts";
import type { PartFile } from "#server/ingest/feeds/publish-segment.ts";
import type { PlannedUnit } from "./plan-backfill.ts";
import { earlierPart, type NeededPart, partsOf } from "./unit-parts.ts";

/** Parts that are fetched at the same time. */
const AT_ONCE = 3;

export interface FetchUnitDeps extends Pick<FeedDeps, "fetchPart" | "profile" | "states"> {
  /** Parts lie below it until their unit is published. */
  folder: string;
  /** Resolves when what the service itself fetches has had its turn. */
  turn(signal: AbortSignal): Promise<void>;
}

/** What was fetched for a unit. */
export interface FetchedUnit {
  /** By base time, in the cycle's order. */
  cycles: Map<number, PartFile[]>;
  bytes: number;
  /** Names of mirrors. */
  mirrors: Set<string>;
  /** What failed, for the operator. Parts that no mirror has are no failure. */
  failure?: string;
}

/**
 * Fetches the parts of a unit, and in place of those that no mirror has the ones of the cycle before. What lies there from
 * an attempt before is not fetched again. Where some of its steps are published, those that lack are asked for first, and
 * nothing else is fetched if no mirror has one of them.
 */
export async function fetchUnit(
  deps: FetchUnitDeps,
  feed: FieldFeed,
  unit: PlannedUnit,
  signal: AbortSignal,
): Promise<FetchedUnit> {
  const { profile, folder, states } = deps;
  const files = new Map<string, PartFile>();
  const fetched: FetchedUnit = { cycles: new Map(), bytes: 0, mirrors: new Set() };
  const parts = partsOf(feed, profile, unit);
  const { lacking } = unit;
  if (lacking)
    await fetchOrEarlier(parts.filter(({ part }) => part.times.some((time) => lacking.includes(time))));
  if (!lacking || files.size > 0) await fetchOrEarlier(parts);
  const inOrder = [...files.values()].sort((a, b) => a.part.index - b.part.index);
  fetched.cycles = Map.groupBy(inOrder, ({ part }) => part.cycle);
  return fetched;

  async function fetchOrEarlier(needed: readonly NeededPart[]): Promise<void> {
    const absent = await fetchAll(needed);
    await fetchAll(absent.flatMap(({ part }) => earlierPart(feed, profile, unit, part) ?? []));
  }

  /** @returns Those that no mirror has. */
  async function fetchAll(needed: readonly NeededPart[]): Promise<NeededPart[]> {
    const missing: NeededPart[] = [];
    for (let at = 0; at < needed.length && fetched.failure === undefined; at += AT_ONCE) {
      await deps.turn(signal);
      const batch = needed.slice(at, at + AT_ONCE);
      const results = await Promise.allSettled(batch.map(fetchOne));
      for (const [index, result] of results.entries()) {
        if (result.status === "fulfilled" && result.value) continue;
        const each = batch[index]!;
        if (result.status === "fulfilled") {
          if (!each.isForWindows) missing.push(each);
        } else if (result.reason instanceof PartFailedError) {
          fetched.failure ??= result.reason.message;
          fetched.bytes += result.reason.bytesFetched;
        } else throw result.reason;
      }
    }
    return missing;
  }

  /** @returns Whether a mirror has it. */
  async function fetchOne({ part, feed: narrow }: NeededPart): Promise<boolean> {
    const into = partFolder(folder, feed, part);
    const found = await deps.fetchPart(narrow, part, profile, {
      folder: into,
      signal,
      // The past of a field that lacks here may be there tomorrow: only what is whole is published.
      mustBeWhole: true,
    });
    if (found === "absent") return false;
    fetched.bytes += found.bytesFetched;
    fetched.mirrors.add(found.mirror);
    if (found.bytesFetched > 0) await states.count(feed.name, found.bytesFetched);
    files.set(`${part.cycle} ${part.index}`, { part, file: found.file });
    return true;
  }
}
