import { setTimeout as realSleep } from "node:timers/promises";
import { formatInstant } from "#lib/time.ts";
import type { Clock } from "#server/platform/clock.ts";
import type { FeedStatePatch } from "#server/platform/feed-state.ts";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { isWhole, publishedRuns, publishedTimes } from "./feed-progress.ts";
import { createFeedRunner, type Exclusive, type FeedRunner } from "./feed-runner.ts";
import type { FieldFeed } from "./field-feed.ts";
import type { Keep } from "./keep.ts";
import { cycleName, removeOtherCycles } from "./part-files.ts";
import { quarantined } from "./quarantine.ts";
import { maintainArchive } from "./retention.ts";
import { expectedAt, newestCycle, nextLook, retryAt } from "./schedule.ts";

/** How many cycles are looked at, the newest first. */
const CYCLES = 3;
/** A cycle that a newer one overtakes is finished if so much of it is there. */
const WORTH_FINISHING = 0.5;
/** So much later than expected a feed is late, seconds. */
const PATIENCE_S = 3600;

export interface LoopDeps extends FeedDeps {
  feeds: readonly FieldFeed[];
  keep: Keep;
}

/** One loop for all feeds. */
export interface FeedLoop {
  /**
   * Does all that can be done now: fetches what is there, checks and publishes it, removes what is no longer needed.
   *
   * @returns When to look again, Unix seconds.
   */
  round(signal: AbortSignal): Promise<number>;
}

export function createFeedLoop(deps: LoopDeps): FeedLoop {
  const publication = oneByOne();
  const runners = deps.feeds.map((feed) => createFeedRunner(deps, feed, publication));
  const failures = new Map<string, number>();
  return {
    async round(signal) {
      const rounds = runners.map((runner) => roundOf(deps, runner, failures, signal));
      // All come to an end before the round does, also where one fails or the loop is stopped.
      await Promise.allSettled(rounds);
      const next = await Promise.all(rounds);
      signal.throwIfAborted();
      const isMore = await publication(() => maintainArchive(deps, deps.feeds, deps.keep, signal));
      return isMore ? deps.clock.now() : Math.min(...next);
    },
  };
}

/** Runs the loop until it is aborted. */
export async function runFeeds(
  loop: FeedLoop,
  { clock, sleep = realSleep, signal }: { clock: Clock; sleep?: Sleep; signal: AbortSignal },
): Promise<void> {
  while (!signal.aborted) {
    const next = await loop.round(signal);
    await sleep(Math.max(1, next - clock.now()) * 1000, undefined, { signal }).catch(() => {});
  }
}

type Sleep = (ms: number, value: undefined, options: { signal: AbortSignal }) => Promise<unknown>;

/** One round of one feed. @returns When to look again, Unix seconds. */
async function roundOf(
  deps: LoopDeps,
  runner: FeedRunner,
  failures: Map<string, number>,
  signal: AbortSignal,
): Promise<number> {
  const { clock, states, folder, log } = deps;
  const { feed } = runner;
  const newest = newestCycle(feed, clock.now());
  let outcome: Outcome;
  try {
    outcome = await advanceAll(deps, runner, newest, signal);
    failures.delete(feed.name);
  } catch (error) {
    signal.throwIfAborted();
    const count = (failures.get(feed.name) ?? 0) + 1;
    failures.set(feed.name, count);
    log?.warn({ feed: feed.name, err: error }, "feed failed");
    outcome = { problem: describe(error), look: againAt(error) ?? retryAt(clock.now(), count) };
  }
  const candidates = Array.from({ length: CYCLES }, (_, i) => cycleName(newest - i * feed.cycles.every));
  await removeOtherCycles(folder, feed, new Set(candidates));
  await states.set(feed.name, await feedStateOf(deps, feed, newest, outcome.problem));
  return outcome.look;
}

interface Outcome {
  /** When to look again, Unix seconds. */
  look: number;
  /** What went wrong, for the operator. */
  problem?: string;
}

/** The newest cycle first; an older one where nothing newer is there, or most of it is. */
async function advanceAll(
  deps: LoopDeps,
  { feed, advance }: FeedRunner,
  newest: number,
  signal: AbortSignal,
): Promise<Outcome> {
  const { clock, archive, profile } = deps;
  const { every } = feed.cycles;
  let look = newest + every + feed.delay.first;
  let problem: string | undefined;
  for (let back = 0; back < CYCLES; back++) {
    const cycle = newest - back * every;
    const parts = feed.parts(cycle, profile);
    if (back > 0 && !(await isWanted(cycle))) continue;
    const mayGoOn = () => back === 0 || clock.now() < look;
    const outcome = await advance(cycle, parts.length - 1, mayGoOn, signal);
    if (outcome.kind === "blocked") {
      problem ??= `the cycle ${formatInstant(cycle)} is in quarantine: ${outcome.reason}`;
      look = Math.min(look, outcome.until);
    }
    if (outcome.kind === "whole") break;
    if (outcome.kind === "interrupted") return { look: clock.now(), problem };
    if (outcome.kind === "absent" && back === 0) look = Math.min(look, nextLook(feed, cycle, clock.now()));
  }
  return { look, problem };

  async function isWanted(cycle: number): Promise<boolean> {
    const runs = await publishedRuns(archive, feed);
    if (!runs.some(({ referenceTime }) => referenceTime > cycle)) return true;
    const steps = feed.parts(cycle, profile).flatMap(({ times }) => times).length;
    return publishedTimes(runs, cycle).length >= WORTH_FINISHING * steps;
  }
}

/** What GET /feeds says of a feed after a round. */
async function feedStateOf(
  { archive, clock, folder, profile }: LoopDeps,
  feed: FieldFeed,
  newest: number,
  problem: string | undefined,
): Promise<FeedStatePatch> {
  const now = clock.now();
  const runs = await publishedRuns(archive, feed);
  const newestRun = runs.reduce(
    (found, { referenceTime }) => Math.max(found, referenceTime),
    Number.NEGATIVE_INFINITY,
  );
  const hasRun = runs.length > 0;
  const cycle = hasRun ? Math.max(newestRun, newest) : newest;
  const parts = feed.parts(cycle, profile);
  const whole = isWhole(runs, cycle, parts);
  const has = new Set(publishedTimes(runs, cycle));
  const missing = parts.find(({ times }) => times.some((time) => !has.has(time)));
  const nextExpected = missing
    ? expectedAt(feed, missing, parts.length)
    : cycle + feed.cycles.every + feed.delay.first;
  const shown = hasRun ? feed.parts(newestRun, profile) : parts;
  const state = problem
    ? "failing"
    : whole
      ? "current"
      : now > nextExpected + PATIENCE_S
        ? "late"
        : newestRun === cycle
          ? "growing"
          : "waiting";
  return {
    state,
    newestRun: hasRun ? newestRun : null,
    steps: publishedTimes(runs, newestRun).length,
    stepsExpected: shown.reduce((sum, { times }) => sum + times.length, 0),
    validUntil: hasRun ? Math.max(...runs.map(({ times, holds = 0 }) => times.at(-1)! + holds)) : null,
    nextExpected,
    error: problem ?? null,
    errorAt: problem === undefined ? null : now,
    quarantined: (await quarantined(folder, feed.name)).length,
  };
}

/** When what is spent or throttled is there again, if the error says so. */
function againAt(error: unknown): number | undefined {
  return error instanceof OutOfBudgetError ? error.until : undefined;
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

function oneByOne(): Exclusive {
  let queue: Promise<unknown> = Promise.resolve();
  return (work) => {
    const result = queue.then(work);
    queue = result.catch(() => undefined);
    return result;
  };
}
