import { formatInstant } from "#lib/time.ts";
import { type Clock, isOver, realSleep, type Sleep } from "#server/platform/clock.ts";
import { StoreUnavailableError } from "#server/platform/errors.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import { type SerialQueue, serialQueue } from "#server/platform/in-parallel.ts";
import type { FeedDeps, FeedLoop } from "./feed-deps.ts";
import { createFeedReport, type FeedReport, publishedRuns, publishedTimes } from "./feed-progress.ts";
import { createFeedRunner, type FeedRunner } from "./feed-runner.ts";
import { type FieldFeed, isEnded, newestCycle, nextCycleAt, nextLook, retryAt } from "./field-feed.ts";
import { cycleName, removeOtherCycles } from "./part-store.ts";
import type { Keep } from "./past-rules.ts";
import { maintainArchive } from "./retention.ts";

/** Number of cycles that are checked, the newest first. */
const CYCLES = 3;
/** A cycle that a newer one overtakes is still finished if at least this share of it is present. */
const WORTH_FINISHING = 0.5;
/**
 * Longest time between two looks, seconds. Even without new data, old data is removed, and data that was removed by
 * hand is noticed within an hour.
 */
const MAX_WAIT_S = 3600;

export interface LoopDeps extends FeedDeps {
  feeds: readonly FieldFeed[];
  keep: Keep;
}

/** Creates one loop for all feeds. A round ends when every feed has had its turn. */
export function createFeedLoop(deps: LoopDeps): FeedLoop {
  return loopOf(deps, deps.feeds, serialQueue());
}

/** Creates a loop for each feed, so that none waits for another whose host is slow. They publish one after another. */
export function createFeedLoops(deps: LoopDeps): FeedLoop[] {
  const publication = serialQueue();
  return deps.feeds.map((feed) => loopOf(deps, [feed], publication));
}

function loopOf(deps: LoopDeps, feeds: readonly FieldFeed[], publication: SerialQueue): FeedLoop {
  const runners = feeds.map((feed): Reported => {
    const report = createFeedReport(deps, feed);
    return { report, runner: createFeedRunner(deps, feed, publication, report.published) };
  });
  const failures = new Map<string, number>();
  /** Time of the next look by feed, Unix seconds. */
  const looks = new Map<string, number>();
  const lookAt = async (reported: Reported, isAsked: boolean, signal: AbortSignal): Promise<number> => {
    const { name } = reported.runner.feed;
    const due = looks.get(name) ?? Number.NEGATIVE_INFINITY;
    if (!isOver(due, deps.clock.now(), MAX_WAIT_S) && !isAsked) return due;
    const next = await roundOf(deps, reported, failures, signal);
    looks.set(name, Math.min(next, deps.clock.now() + MAX_WAIT_S));
    return next;
  };
  /** Maintains the archive. A failing store only postpones this, because past data can wait. */
  const maintain = async (signal: AbortSignal): Promise<boolean> => {
    try {
      return await maintainArchive(deps, deps.feeds, deps.keep, signal);
    } catch (error) {
      if (!(error instanceof StoreUnavailableError)) throw error;
      deps.log?.warn({ err: error }, "the past was not built, nor old runs removed");
      return false;
    }
  };
  return {
    async round(signal, isAsked = false) {
      const rounds = runners.map((reported) => lookAt(reported, isAsked, signal));
      // All feeds finish before the round does, even where one fails or the loop is stopped.
      await Promise.allSettled(rounds);
      const next = await Promise.all(rounds);
      signal.throwIfAborted();
      const isMore = await publication(() => maintain(signal));
      return isMore ? deps.clock.now() : Math.min(...next);
    },
  };
}

/**
 * Runs the loop until it is aborted.
 *
 * @param wake Its event "wake" ends the wait for the next look.
 */
export async function runFeeds(
  loop: FeedLoop,
  {
    clock,
    sleep = realSleep,
    signal,
    wake = new EventTarget(),
  }: { clock: Clock; sleep?: Sleep; signal: AbortSignal; wake?: EventTarget },
): Promise<void> {
  let isAsked = false;
  while (!signal.aborted) {
    const woken = new AbortController();
    const onWake = () => woken.abort();
    wake.addEventListener("wake", onWake);
    try {
      const next = await loop.round(signal, isAsked);
      const wait = Math.min(MAX_WAIT_S, Math.max(1, next - clock.now()));
      await sleep(wait, AbortSignal.any([signal, woken.signal])).catch(() => {});
      isAsked = woken.signal.aborted;
    } finally {
      wake.removeEventListener("wake", onWake);
    }
  }
}

interface Reported {
  runner: FeedRunner;
  report: FeedReport;
}

/** Runs one round of one feed. @returns When to look again, Unix seconds. */
async function roundOf(
  deps: LoopDeps,
  { runner, report }: Reported,
  failures: Map<string, number>,
  signal: AbortSignal,
): Promise<number> {
  const { clock, folder, log } = deps;
  const { feed } = runner;
  const newest = newestCycle(feed, clock.now());
  let outcome: Outcome;
  await report.begun();
  try {
    outcome = isEnded(feed, clock.now())
      ? { look: Number.POSITIVE_INFINITY }
      : await advanceAll(deps, runner, newest, signal);
    failures.delete(feed.name);
  } catch (error) {
    signal.throwIfAborted();
    const count = (failures.get(feed.name) ?? 0) + 1;
    failures.set(feed.name, count);
    log?.warn({ feed: feed.name, err: error }, "feed failed");
    outcome = { problem: describe(error), look: againAt(error) ?? retryAt(clock.now(), count) };
  }
  await removeOtherCycles(folder, feed, new Set(latestCycles(feed, newest).map(cycleName)));
  await report.ended(outcome.problem);
  return outcome.look;
}

interface Outcome {
  /** Time of the next look, Unix seconds. */
  look: number;
  /** The problem, for the operator. */
  problem?: string;
}

/**
 * Advances the newest cycle first, and then an older one where the newer one is absent or the older one is mostly
 * present.
 */
async function advanceAll(
  deps: LoopDeps,
  { feed, advance }: FeedRunner,
  newest: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock, archive, profile } = deps;
  let look = nextCycleAt(feed, newest);
  let problem: string | undefined;
  for (const [back, cycle] of latestCycles(feed, newest).entries()) {
    if (back > 0 && !(await isWanted(cycle))) continue;
    const mayGoOn = () => back === 0 || clock.now() < look;
    const outcome = await advance(cycle, mayGoOn, signal);
    if (outcome.kind === "blocked") {
      const what =
        feed.source.dataset === "Static" ? "what was fetched" : `the cycle ${formatInstant(cycle)}`;
      problem ??= `${what} is in quarantine: ${outcome.reason}`;
      look = Math.min(look, outcome.until);
    }
    if (outcome.kind === "whole") {
      look = Math.min(look, outcome.again ?? look);
      break;
    }
    if (outcome.kind === "interrupted") return { look: clock.now(), problem };
    if (outcome.kind === "absent") {
      if (outcome.problem) problem ??= describe(outcome.problem);
      const again = againAt(outcome.problem) ?? nextLook(feed, cycle, clock.now());
      if (back === 0 || outcome.problem) look = Math.min(look, again);
    }
  }
  return { look, problem };

  async function isWanted(cycle: number): Promise<boolean> {
    const runs = await publishedRuns(archive, feed);
    if (!runs.some(({ referenceTime }) => referenceTime > cycle)) return true;
    const steps = feed.parts(cycle, profile).flatMap(({ times }) => times).length;
    return publishedTimes(runs, cycle).length >= WORTH_FINISHING * steps;
  }
}

/** Base times of the newest cycles. A static feed has one cycle, at time 0. */
function latestCycles({ cycles }: FieldFeed, newest: number): number[] {
  return Array.from({ length: CYCLES }, (_, i) => newest - i * cycles.every).filter((cycle) => cycle >= 0);
}

export function describe(error: unknown): string {
  if (error instanceof OutOfBudgetError)
    return `${error.message}. FEED_BYTES_A_DAY allows more, or a smaller profile needs less`;
  return error instanceof Error ? error.message : String(error);
}

/** When a spent budget is available again, Unix seconds; undefined for any other error. */
export function againAt(error: unknown): number | undefined {
  return error instanceof OutOfBudgetError ? error.until : undefined;
}
