import { formatInstant } from "#lib/time.ts";
import { type FeedState, type FeedStatePatch, LATE_AFTER_S } from "#server/platform/feed-state.ts";
import type { FeedDeps } from "./feed-deps.ts";
import { lackingFields, missingParts, publishedRuns, publishedTimes, quarantined } from "./feed-progress.ts";
import type { FieldFeed } from "./field-feed.ts";
import { expectedAt, fieldsOfProfile, newestCycle } from "./field-feed.ts";
import { numbersOf } from "./publish-segment.ts";

/** What went wrong last, for the operator. */
interface Problem {
  text: string;
  /** Unix seconds. */
  at: number;
}

export type FeedReport = ReturnType<typeof createFeedReport>;

/** Writes what GET /feeds says of a feed: a round takes minutes, and what is published in it is there at once. */
export function createFeedReport(deps: Omit<FeedDeps, "decoder" | "fetchPart">, feed: FieldFeed) {
  const { clock, states } = deps;
  let isKnown = false;
  let problem: Problem | undefined;
  /** When a feed of which nothing has ever come was expected first. */
  let awaitedSince = Number.POSITIVE_INFINITY;

  const write = async (isFetching: boolean) => {
    const { nextExpected, ...state } = await stateOf(deps, feed, problem, awaitedSince, isFetching);
    awaitedSince = Math.min(awaitedSince, nextExpected ?? awaitedSince);
    await states.set(feed.name, { ...state, nextExpected });
  };

  return {
    /** Before the first fetch of this process. A problem that a process before it had lasts until a round says otherwise. */
    async begun(): Promise<void> {
      if (isKnown) return;
      isKnown = true;
      const known = (await states.all()).find(({ name }) => name === feed.name);
      if (known?.error && known.state === "failing")
        problem = { text: known.error, at: known.errorAt ?? clock.now() };
      await write(true);
    },
    /** After each publication. One of the newest cycle ends a problem. @param cycle Base time, Unix seconds. */
    async published(cycle: number): Promise<void> {
      if (cycle >= newestCycle(feed, clock.now())) problem = undefined;
      await write(true);
    },
    /** After a round. @param text What went wrong in it. */
    async ended(text: string | undefined): Promise<void> {
      problem = text === undefined ? undefined : { text, at: clock.now() };
      await write(false);
    },
  };
}

async function stateOf(
  { archive, clock, folder, profile }: Omit<FeedDeps, "decoder" | "fetchPart">,
  feed: FieldFeed,
  problem: Problem | undefined,
  awaitedSince: number,
  isFetching: boolean,
): Promise<FeedStatePatch> {
  const now = clock.now();
  const newest = newestCycle(feed, now);
  const runs = await publishedRuns(archive, feed);
  const newestRun = runs.reduce(
    (found, { referenceTime }) => Math.max(found, referenceTime),
    Number.NEGATIVE_INFINITY,
  );
  const hasRun = runs.length > 0;
  const cycle = hasRun ? Math.max(newestRun, newest) : newest;
  const parts = feed.parts(cycle, profile);
  const [missing] = missingParts(runs, cycle, parts);
  const whole = missing === undefined;
  const nextExpected = missing
    ? expectedAt(feed, missing, parts.length)
    : cycle + feed.cycles.every + feed.delay.first;
  const expected = new Set((hasRun ? feed.parts(newestRun, profile) : parts).flatMap(({ times }) => times));
  const isStatic = feed.source.dataset === "Static";

  // Since when something new is expected: later cycles that do not come either change nothing about it.
  const [missingOfRun] = hasRun ? missingParts(runs, newestRun, feed.parts(newestRun, profile)) : [];
  const awaited = hasRun
    ? missingOfRun && newestRun === cycle
      ? nextExpected
      : newestRun + feed.cycles.every + feed.delay.first
    : Math.min(awaitedSince, nextExpected);

  function state(): FeedState["state"] {
    if (problem) return "failing";
    if (whole) return "current";
    const begun = newestRun === cycle ? "growing" : "waiting";
    // What is being fetched for the first time, or goes on, is not late, however long the host has had it.
    if (isFetching && (newestRun === cycle || !hasRun)) return begun;
    return now > awaited + LATE_AFTER_S ? "late" : begun;
  }

  const stands = state();
  const words = problem?.text ?? (stands === "late" ? nothingSince() : lacking());

  function nothingSince(): string {
    const since = hasRun ? `since the cycle ${formatInstant(newestRun)}` : "yet";
    return `nothing has come ${since}: it was expected at ${formatInstant(Math.floor(awaited))}, and no host has more`;
  }

  function lacking(): string | undefined {
    if (!hasRun) return undefined;
    const found = lackingFields(runs, newestRun, fieldsOfProfile(feed, profile, newestRun));
    const numbers = numbersOf([...new Set([...found.values()].flat())]);
    if (numbers.length === 0) return undefined;
    return `the cycle ${formatInstant(newestRun)} lacks ${numbers.join(", ")}: other runs answer where they have them`;
  }

  return {
    state: stands,
    // What does not change with time has no run to speak of.
    newestRun: hasRun && !isStatic ? newestRun : null,
    // Another profile may have left more.
    steps: publishedTimes(runs, newestRun).filter((time) => expected.has(time)).length,
    stepsExpected: expected.size,
    validUntil:
      hasRun && !isStatic ? Math.max(...runs.map(({ times, holds = 0 }) => times.at(-1)! + holds)) : null,
    nextExpected: isStatic && whole ? null : nextExpected,
    error: words ?? null,
    errorAt: problem?.at ?? (words === undefined ? null : now),
    quarantined: (await quarantined(folder, feed.name)).length,
  };
}
