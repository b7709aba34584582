import type { FieldName } from "#lib/catalog/fields.ts";
import { formatInstant } from "#lib/time.ts";
import type { Run } from "#server/archive/run.ts";
import { isOver } from "#server/platform/clock.ts";
import type { SerialQueue } from "#server/platform/in-parallel.ts";
import {
  discardBaseline,
  extendBaseline,
  readBaseline,
  recordDispute,
  settleDisputes,
} from "./check-step.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { isPublished, lackingFields, publishedRuns, publishedTimes, quarantine } from "./feed-progress.ts";
import {
  expectedAt,
  type FieldFeed,
  fieldsOfProfile,
  newestCycle,
  type Part,
  retryAt,
  type Segment,
  segmentsOf,
} from "./field-feed.ts";
import { AwaitedMembersError, bytesToFetch, PartFailedError, partFolder, removeParts } from "./part-store.ts";
import { archivedPerFetched } from "./plan-feeds.ts";
import { isOfEnsemble, publishEnsemble } from "./publish-ensemble.ts";
import { ImplausiblePartError, type PartFile, publishSegment } from "./publish-segment.ts";

/** Number of parts before a segment that stay on disk for it: the step with which it begins, and its neighbour. */
const CONTEXT_PARTS = 2;
/** Number of parts that are fetched at the same time where all of them should be available, and another one has just come. */
const AT_ONCE = 3;
/**
 * After this long without a new step, an incomplete segment is published, seconds. Hosts take less time from one step
 * to the next. Each publication rewrites the segment, so it must not happen for every step.
 */
const STALL_S = 3 * 60;
/** The same for an ensemble, whose whole cycle is one segment. */
const ENSEMBLE_STALL_S = 30 * 60;
/**
 * A quarantined part does not stop its cycle: it is fetched again after a minute, then at growing intervals up to this,
 * seconds.
 */
const MAX_QUARANTINE_RETRY_S = 3600;
/** After this many quarantines in a row another part may be the bad one, so the whole cycle is fetched again. */
const FAULTS_OF_ONE_PART = 2;
/** A field that cannot be used from this many copies of a part is left out of its segment. */
const UNUSABLE_COPIES = 2;

/** State that a cycle has reached, and the reason why it stops there. */
type Advance =
  /**
   * The cycle is complete except for fields that its hosts lacked. `again` is when they are looked for again, Unix
   * seconds.
   */
  | { kind: "whole"; again?: number }
  | { kind: "interrupted" }
  /** The next part is absent. `problem` is set where it should be available and a fetch failed. */
  | { kind: "absent"; problem?: unknown }
  /** A part went to quarantine for this reason, and is not fetched again before `until`. */
  | { kind: "blocked"; until: number; reason: string };

interface Quarantine {
  until: number;
  times: number;
  reason: string;
  /** Number of times that each field could not be used. */
  unusable: Map<FieldName, number>;
}

/** The disk has no space for the next fetch. The message is for the operator. */
export class NoRoomError extends Error {
  override readonly name = "NoRoomError";
}

export type FeedRunner = ReturnType<typeof createFeedRunner>;

/**
 * Fetches, checks and publishes the cycles of one feed. All state is on disk, as fetched parts and published runs, so a
 * new process continues where another one died.
 *
 * @param publication Queue of publications. The archive has one writer, so the feeds publish one after another.
 * @param published Called after each publication, with the cycle's base time.
 */
export function createFeedRunner(
  deps: FeedDeps,
  feed: FieldFeed,
  publication: SerialQueue,
  published: (cycle: number) => Promise<void>,
) {
  const { archive, folder, profile, clock, states, log } = deps;
  const names = fieldsOfProfile(feed, profile);
  /** Quarantines by base time of the cycle. */
  const inQuarantine = new Map<number, Quarantine>();
  const lastArrival = new Map<number, number>();
  /** Number of parts that have come. */
  let arrivals = 0;
  const mending = createMending(deps, feed, names, (part, signal) => fetchOne(part, signal, true));

  /**
   * Advances a cycle as far as its parts are available. The next segment is fetched while one is published.
   *
   * @param mayGoOn Called between parts, because other work may have become more important.
   * @throws Errors of fetching; NoRoomError.
   */
  async function advance(cycle: number, mayGoOn: () => boolean, signal: AbortSignal): Promise<Advance> {
    const parts = feed.parts(cycle, profile);
    const held = inQuarantine.get(cycle);
    if (held && !isOver(held.until, clock.now(), MAX_QUARANTINE_RETRY_S))
      return { kind: "blocked", until: held.until, reason: held.reason };
    // Parts that were present before the first look are not waited for.
    const isFirstLook = !lastArrival.has(cycle);
    const before = arrivals;
    let publishing = Promise.resolve();
    /** Parts of the earlier segment that is being published, which the archive does not count yet. */
    let unpublished = 0;
    try {
      for (const segment of segmentsOf(parts, feed)) {
        const runs = await publishedRuns(archive, feed);
        const mends =
          isPublished(runs, cycle, segment.times) && (await mending.hasMore(runs, parts, segment, signal));
        if (isPublished(runs, cycle, segment.times) && !mends) continue;
        const begun = publishedTimes(runs, cycle).length > 0;
        const toFetch = (begun ? segment.to : parts.length) - segment.from;
        const refusal = await deps.disk.reserve(feed.name, async () => ({
          bytes: (unpublished + toFetch) * feed.partBytes(profile) * archivedPerFetched(feed, profile),
          files: await bytesToFetch(folder, feed, profile, parts.slice(segment.from, segment.to)),
        }));
        if (refusal) throw new NoRoomError(refusal);

        const files: PartFile[] = [];
        let isShown = begun;
        let outcome: Advance = { kind: "whole" };
        for (let index = Math.max(0, segment.from - CONTEXT_PARTS); index < segment.to; ) {
          if (!mayGoOn()) {
            outcome = { kind: "interrupted" };
            break;
          }
          const batch = batchAt(parts, index, segment, arrivals > before ? AT_ONCE : 1);
          const arrived = await fetchBatch(batch, segment, files.length > 0, signal);
          files.push(...arrived.files);
          index += batch.length;
          const times = timesOf(segment, files);
          if (!isShown && times.length > 1 && times.length < segment.times.length) {
            isShown = true;
            await publishing;
            publishing = start(segment, [...files], times);
          }
          if (arrived.stop) {
            outcome = arrived.stop;
            break;
          }
        }
        if (outcome.kind === "whole" && isOfEnsemble(feed)) await fetchLateMembers(files, signal);
        const times = timesOf(segment, files);
        const quietFor = clock.now() - (lastArrival.get(cycle) ?? clock.now());
        const isWorthIt =
          outcome.kind === "whole" ||
          ((isFirstLook || quietFor >= (isOfEnsemble(feed) ? ENSEMBLE_STALL_S : STALL_S)) &&
            times.length > 1);
        await publishing;
        const isThere = isPublished(await publishedRuns(archive, feed), cycle, times);
        if (isWorthIt && (!isThere || (mends && outcome.kind === "whole"))) {
          unpublished = segment.to - segment.from;
          publishing = start(segment, files, times);
        }
        if (outcome.kind !== "whole") {
          await publishing;
          return outcome;
        }
      }
      await publishing;
    } catch (thrown) {
      // A quarantined part is gone for a concurrent fetch, so the quarantine is the cause of both failures.
      const error = await publishing.then(
        () => thrown,
        (failed: unknown) => (failed instanceof ImplausiblePartError ? failed : thrown),
      );
      const block = error instanceof ImplausiblePartError && inQuarantine.get(cycle);
      if (!block) throw error;
      // A member that another copy does not mend is left out, so that the other parts of an ensemble stay.
      if (block.times >= FAULTS_OF_ONE_PART && !feed.ensemble) await removeParts(folder, feed, cycle);
      return { kind: "blocked", until: block.until, reason: block.reason };
    } finally {
      await publishing.catch(() => {});
      deps.disk.release(feed.name);
    }
    await removeParts(folder, feed, cycle);
    return { kind: "whole", again: mending.again(await publishedRuns(archive, feed), parts) };

    function start(segment: Segment, files: readonly PartFile[], times: readonly number[]): Promise<void> {
      const work = publication(() => publish(cycle, segment, files, times, signal)).finally(() => {
        unpublished = 0;
      });
      // The promise is awaited before the next publication.
      work.catch(() => {});
      return work;
    }
  }

  /**
   * The parts to fetch together: several where all of them are overdue. A look at a late cycle, of which no host has the next
   * part, asks for that one alone.
   */
  function batchAt(parts: readonly Part[], index: number, segment: Segment, most: number): Part[] {
    const batch = parts.slice(index, Math.min(index + most, segment.to));
    const overdue = batch.findIndex((part) => expectedAt(feed, part, parts.length) > clock.now());
    return batch.slice(0, overdue < 0 ? batch.length : Math.max(1, overdue));
  }

  /** @param isBegun Whether earlier parts are there, which are published even if a later one fails. */
  async function fetchBatch(
    batch: readonly Part[],
    segment: Segment,
    isBegun: boolean,
    signal: AbortSignal,
  ): Promise<{ files: PartFile[]; stop?: Advance }> {
    const found = await Promise.allSettled(batch.map((part) => fetchOne(part, signal)));
    const files: PartFile[] = [];
    for (const [i, part] of batch.entries()) {
      const result = found[i]!;
      if (result.status === "rejected") {
        if ((!isBegun && files.length === 0) || signal.aborted) throw result.reason;
        return { files, stop: stoppedBy(result.reason, part) };
      }
      if (typeof result.value === "string") files.push({ part, file: result.value });
      // The neighbour of the first step may have left the host already.
      else if (result.value.kind === "absent" && part.index < segment.from - 1) continue;
      else return { files, stop: result.value };
    }
    return { files };
  }

  /** Fetches members that a step lacked when it came. Those that still lack are not waited for. */
  async function fetchLateMembers(files: PartFile[], signal: AbortSignal): Promise<void> {
    for (const [at, { part }] of files.entries()) {
      if (!mending.isIncomplete(part)) continue;
      const whole = await fetchOne(part, signal, true).catch(() => undefined);
      signal.throwIfAborted();
      const file = typeof whole === "string" ? whole : await fetchOne(part, signal);
      if (typeof file === "string") files[at] = { part, file };
    }
  }

  function stoppedBy(error: unknown, part: Part): Advance {
    log?.warn(
      { feed: feed.name, cycle: formatInstant(part.cycle), part: part.index, err: error },
      "part failed",
    );
    // Before a part is due, a host may refuse a part that it does not have.
    const isEarly = expectedAt(feed, part, feed.parts(part.cycle, profile).length) > clock.now();
    return isEarly && error instanceof PartFailedError
      ? { kind: "absent" }
      : { kind: "absent", problem: error };
  }

  /** @returns The path of the file, or the reason why there is none. */
  async function fetchOne(part: Part, signal: AbortSignal, mustBeWhole = false): Promise<string | Advance> {
    const { times = 0 } = inQuarantine.get(part.cycle) ?? {};
    const fetched = await deps
      .fetchPart(fromNextMirror(feed, times), part, profile, {
        folder: partFolder(folder, feed, part),
        signal,
        mustBeWhole,
      })
      .catch((error: unknown) => {
        if (error instanceof AwaitedMembersError) return error;
        throw error;
      });
    if (fetched === "absent" || fetched instanceof AwaitedMembersError) {
      if (!lastArrival.has(part.cycle)) lastArrival.set(part.cycle, clock.now());
      return fetched === "absent" ? { kind: "absent" } : stoppedBy(fetched, part);
    }
    mending.fetched(part, fetched.lacking);
    if (fetched.bytesFetched > 0) {
      arrivals++;
      const { lacking = [], mirror } = fetched;
      if (lacking.length > 0)
        log?.warn(
          { feed: feed.name, cycle: formatInstant(part.cycle), part: part.index, mirror, lacking },
          "part lacks messages",
        );
      lastArrival.set(part.cycle, clock.now());
      await states.count(feed.name, fetched.bytesFetched);
      await states.set(feed.name, { mirror: fetched.mirror });
    }
    return fetched.file;
  }

  async function publish(
    cycle: number,
    segment: Segment,
    files: readonly PartFile[],
    times: readonly number[],
    signal: AbortSignal,
  ): Promise<void> {
    const baseline = await readBaseline(folder, feed, cycle, profile);
    const ownParts = files.flatMap(({ part }) => (part.index >= segment.from ? part : []));
    try {
      const { unusable } = inQuarantine.get(cycle) ?? {};
      const without = new Set(
        [...(unusable ?? [])].flatMap(([name, n]) => (n < UNUSABLE_COPIES ? [] : name)),
      );
      const request = { feed, cycle, files, times, baseline, without };
      const { times: quarantines = 0 } = inQuarantine.get(cycle) ?? {};
      const { run, statistics } = isOfEnsemble(feed)
        ? await publishEnsemble(
            archive,
            deps.decoder,
            { ...request, feed, leavesOut: quarantines >= UNUSABLE_COPIES },
            clock,
            signal,
          )
        : await publishSegment(archive, deps.decoder, request, clock, signal);
      await extendBaseline(folder, feed, cycle, profile, statistics);
      await settleDisputes(folder, feed, cycle, times.at(-1)!);
      mending.settled(ownParts);
      inQuarantine.delete(cycle);
      if (times.length === segment.times.length)
        await removeParts(folder, feed, cycle, segment.to - CONTEXT_PARTS);
      await states.set(feed.name, { lastSuccess: clock.now() });
      await published(cycle);
      const upTo = formatInstant(times.at(-1)!);
      log?.info({ feed: feed.name, cycle: formatInstant(cycle), upTo, run: run.id }, "feed published");
    } catch (error) {
      if (error instanceof ImplausiblePartError) {
        mending.settled(ownParts);
        await exclude(error);
      }
      throw error;
    }
  }

  async function exclude({ part, message, dispute, unusable }: ImplausiblePartError): Promise<void> {
    if (dispute && (await recordDispute(folder, feed, dispute))) {
      await discardBaseline(folder, feed);
      log?.warn({ feed: feed.name, reason: message }, "the last cycles agree against the run before them");
    }
    await quarantine(folder, feed, part, message, clock.now());
    const before = inQuarantine.get(part.cycle) ?? { times: 0, unusable: new Map<FieldName, number>() };
    for (const name of unusable) before.unusable.set(name, (before.unusable.get(name) ?? 0) + 1);
    const times = before.times + 1;
    const until = retryAt(clock.now(), times, MAX_QUARANTINE_RETRY_S);
    inQuarantine.set(part.cycle, { ...before, times, until, reason: message });
    log?.warn(
      { feed: feed.name, cycle: formatInstant(part.cycle), part: part.index, reason: message },
      "quarantined",
    );
  }

  return { feed, advance };
}

/**
 * Returns the feed with its mirrors in another order, because the next mirror may have an intact copy of a damaged
 * part.
 */
export function fromNextMirror(feed: FieldFeed, times: number): FieldFeed {
  if (times === 0 || feed.mirrors.length < 2) return feed;
  const by = times % feed.mirrors.length;
  return { ...feed, mirrors: [...feed.mirrors.slice(by), ...feed.mirrors.slice(0, by)] };
}

/** The times of a segment that some files have, up to the first missing one. */
function timesOf(segment: Segment, files: readonly PartFile[]): number[] {
  const has = new Set(files.flatMap(({ part }) => part.times));
  const end = segment.times.findIndex((time) => !has.has(time));
  return segment.times.slice(0, end < 0 ? segment.times.length : end);
}

/** Missing content of a published cycle is looked for after a minute, then at growing intervals up to this, seconds. */
const MAX_RETRY_S = 3600;

/**
 * Looks for missing content of published steps of the newest cycle, because a host may complete an index later.
 *
 * @param names Wanted fields.
 * @param fetchWhole Fetches a part if a host has all wanted content of it.
 * @returns The operations for one feed.
 */
function createMending(
  { clock, profile }: Pick<FeedDeps, "clock" | "profile">,
  feed: FieldFeed,
  names: readonly FieldName[],
  fetchWhole: (part: Part, signal: AbortSignal) => Promise<unknown>,
) {
  /** State of the newest cycle of which a part was fetched. Parts are identified by their index. */
  let known = nothingOf(Number.NEGATIVE_INFINITY);
  const knownOf = (cycle: number) => {
    if (cycle > known.cycle) known = nothingOf(cycle);
    return cycle === known.cycle ? known : undefined;
  };

  /**
   * Parts with a published step that lacks something. Parts that a host had completely are excluded: a step left out of
   * them is not missing.
   */
  function lackingParts(runs: readonly Run[], parts: readonly Part[]): Part[] {
    const [first] = parts;
    // The parts of an ensemble are not fetched again for a few members.
    if (feed.ensemble || !first || first.cycle !== newestCycle(feed, clock.now()) || !isIndexed(first))
      return [];
    const lacking = lackingFields(runs, first.cycle, names);
    const whole = knownOf(first.cycle)?.whole;
    return parts.filter((part) => part.times.some((time) => lacking.has(time)) && !whole?.has(part.index));
  }

  /**
   * Whether some mirror has an index. The gaps of whole files are known only after the download, so they are not
   * fetched to find out.
   */
  function isIndexed(part: Part): boolean {
    return feed.mirrors.some((mirror) => {
      const kind = feed.objects(part, profile, mirror)?.kind;
      return kind === "messages" || kind === "zarr";
    });
  }

  return {
    /** Whether a host lacked some of the wanted content of a part when it was fetched by this process. */
    isIncomplete: ({ cycle, index }: Part) => knownOf(cycle)?.incomplete.has(index) ?? false,
    /** @param lacking Content of the part that the host lacked. */
    fetched({ cycle, index }: Part, lacking: readonly string[] = []): void {
      const of = knownOf(cycle);
      if (lacking.length > 0) {
        of?.incomplete.add(index);
        of?.whole.delete(index);
      } else of?.incomplete.delete(index);
    },
    /** Marks parts whose content is published, or cannot be: another fetch of the same content changes nothing. */
    settled(parts: readonly Part[]): void {
      for (const { cycle, index } of parts) {
        const of = knownOf(cycle);
        if (of && !of.incomplete.has(index)) of.whole.add(index);
      }
    },
    /** Whether a host has more now for a published segment, so that publishing it again is useful. */
    async hasMore(
      runs: readonly Run[],
      parts: readonly Part[],
      { from, to }: Segment,
      signal: AbortSignal,
    ): Promise<boolean> {
      const [part] = lackingParts(runs, parts.slice(from, to));
      const of = part && knownOf(part.cycle);
      if (!of || !isOver(of.at, clock.now(), MAX_RETRY_S)) return false;
      const fetched = await fetchWhole(part, signal).catch(() => undefined);
      signal.throwIfAborted();
      if (typeof fetched === "string") return true;
      of.failures++;
      of.at = retryAt(clock.now(), of.failures, MAX_RETRY_S);
      return false;
    },
    /** Time of the next look, Unix seconds; undefined where nothing is missing. */
    again(runs: readonly Run[], parts: readonly Part[]): number | undefined {
      const [part] = lackingParts(runs, parts);
      return part && Math.max(clock.now() + 60, knownOf(part.cycle)?.at ?? 0);
    },
  };
}

function nothingOf(cycle: number) {
  return {
    cycle,
    /** Parts that were fetched although the host lacked some of the wanted content. */
    incomplete: new Set<number>(),
    /** Parts that are settled and that the host had completely. */
    whole: new Set<number>(),
    /** Number of looks in vain, and when to look again, Unix seconds. */
    failures: 0,
    at: 0,
  };
}
