import type { Provider } from "@open-metocean/storms/bulletin";
import { type Clock, isOver } from "#server/platform/clock.ts";
import type { FeedStates } from "#server/platform/feed-state.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import { serialQueue } from "#server/platform/in-parallel.ts";
import type { Logger } from "#server/platform/log.ts";
import {
  directoryFeed,
  EmptyFeedError,
  type RefreshDeps,
  refresh,
  UnreadableFeedError,
} from "#server/storms/refresh.ts";
import type { LiveFeed } from "./feeds.ts";
import { indexFile, lookAt, type RoundResult, readIndex, textFolder } from "./live-round.ts";

export interface StormLoopDeps {
  feeds: readonly LiveFeed[];
  fetcher: Fetcher;
  /** Folder of all texts that are fetched. */
  folder: string;
  store: RefreshDeps["store"];
  derive: RefreshDeps["derive"];
  states: Pick<FeedStates, "set" | "count">;
  clock: Clock;
  log?: Pick<Logger, "info" | "warn"> | undefined;
}

export interface StormLoop {
  /**
   * Fetches what is due of one feed, and publishes the storms of its provider where a text has changed.
   *
   * @returns When to look again, Unix seconds.
   */
  round(signal: AbortSignal): Promise<number>;
}

/**
 * Storms are published this often even without a new text: silent ones end, and another process may have published
 * something else.
 */
const REFRESH_EVERY_S = 3600;

/** Delay after a failure that no host caused. */
const RETRY_S = 300;

/** A feed that does not work for this long is failing; until then it is late. */
const FAILING_AFTER_S = 3600;

/**
 * Keeps folders of storm texts as their agencies publish them, and publishes what they say. Storms of a feed that cannot be
 * reached stay as they are: it is down, which is not the same as no storms.
 *
 * @returns A loop for each feed, so that none waits for another whose host is slow. They publish one after another.
 */
export function createStormLoops(deps: StormLoopDeps): StormLoop[] {
  const { feeds, folder, store, derive, states, clock, log } = deps;
  const lastSuccess = new Map<string, number>();
  const begun = clock.now();
  /** Feed → time of its next look, Unix seconds. */
  const looks = new Map<string, number>();
  const publication = serialQueue();
  const refreshed = new Map<Provider, number>();
  /** Providers with a text that has changed since their storms were published. */
  const changed = new Set<Provider>();

  /** @returns Whether texts have changed, and when to look again. */
  async function look(
    feed: LiveFeed,
    signal: AbortSignal,
  ): Promise<Pick<RoundResult, "hasChanged" | "next">> {
    const now = Math.floor(clock.now());
    const due = looks.get(feed.name);
    if (due !== undefined && !isOver(due, now, REFRESH_EVERY_S)) return { hasChanged: false, next: due };
    let result: RoundResult;
    try {
      result = await lookAt(feed, { ...deps, now, signal });
    } catch (error) {
      signal.throwIfAborted();
      const next = now + RETRY_S;
      log?.warn({ feed: feed.name, err: error }, "storm feed failed");
      await fail(feed, now, (error as Error).message, next);
      looks.set(feed.name, next);
      return { hasChanged: false, next };
    }
    if (result.bytes > 0) await states.count(feed.name, result.bytes);
    const { problem, mirror, newest, there, wanted, next } = result;
    looks.set(feed.name, next);
    await states.set(feed.name, {
      steps: there,
      stepsExpected: wanted,
      newestRun: newest ?? null,
      ...(mirror !== undefined && { mirror }),
    });
    if (problem !== undefined) await fail(feed, now, problem, next, result.isEmpty);
    else {
      lastSuccess.set(feed.name, now);
      await states.set(feed.name, {
        state: "current",
        lastSuccess: now,
        nextExpected: next,
        error: null,
        errorAt: null,
      });
    }
    return result;
  }

  /** @param isEmpty Whether the feed has no text: then nothing is late. */
  async function fail(
    feed: LiveFeed,
    now: number,
    error: string,
    nextExpected: number,
    isEmpty = false,
  ): Promise<void> {
    const since = lastSuccess.get(feed.name) ?? begun;
    const state = isEmpty || now - since >= FAILING_AFTER_S ? "failing" : "late";
    await states.set(feed.name, { state, error, errorAt: now, nextExpected });
  }

  async function publish(provider: Provider, of: readonly LiveFeed[], signal: AbortSignal): Promise<void> {
    const now = Math.floor(clock.now());
    const hosts = new Map<string, string>();
    for (const { name } of of)
      for (const [file, { url }] of Object.entries((await readIndex(indexFile(folder, name))).texts))
        hosts.set(`${name}/${file}`, new URL(url).hostname);
    const texts = directoryFeed(provider, textFolder(folder, provider), now, (source) => hosts.get(source));
    const { problems, failures, storms } = await refresh(texts, { store, derive, now, signal });
    refreshed.set(provider, now);
    for (const { source, reason, isRead } of problems)
      if (isRead) log?.warn({ provider, source, reason }, "storm text read with a doubt");
    for (const { id, reason } of failures) log?.warn({ id, reason }, "storm not published");
    log?.info({ provider, storms: storms.length, problems: problems.length }, "storms published");
  }

  /** @returns When to try again, Unix seconds; Infinity where there is nothing to try. */
  async function publishIfDue(provider: Provider, signal: AbortSignal): Promise<number> {
    const refreshedAt = refreshed.get(provider) ?? Number.NEGATIVE_INFINITY;
    const isDue = isOver(refreshedAt + REFRESH_EVERY_S, clock.now(), REFRESH_EVERY_S);
    // The mark is cleared before the texts are read: a text that another loop replaces meanwhile is published after them.
    const hasChanged = changed.delete(provider);
    if (!isDue && !hasChanged) return Number.POSITIVE_INFINITY;
    const of = feeds.filter((feed) => feed.provider === provider);
    try {
      await publish(provider, of, signal);
      return Number.POSITIVE_INFINITY;
    } catch (error) {
      if (hasChanged) changed.add(provider);
      signal.throwIfAborted();
      // No text was fetched so far, or another loop has removed a text meanwhile; nothing is published.
      if (error instanceof EmptyFeedError || isMissing(error)) return Number.POSITIVE_INFINITY;
      const message = (error as Error).message;
      const now = Math.floor(clock.now());
      const retry = error instanceof UnreadableFeedError ? Number.POSITIVE_INFINITY : now + RETRY_S;
      log?.warn({ provider, err: error }, "storms not published");
      for (const feed of of) await fail(feed, now, message, Math.min(looks.get(feed.name) ?? now, retry));
      refreshed.delete(provider);
      return retry;
    }
  }

  return feeds.map((feed) => ({
    async round(signal) {
      const { hasChanged, next } = await look(feed, signal);
      if (hasChanged) changed.add(feed.provider);
      return Math.min(next, await publication(() => publishIfDue(feed.provider, signal)));
    },
  }));
}

/**
 * Runs one round of each loop. It waits for all of them, also where one fails or is stopped.
 *
 * @returns When to look again, Unix seconds.
 */
export async function roundOfAll(loops: readonly StormLoop[], signal: AbortSignal): Promise<number> {
  const rounds = loops.map((loop) => loop.round(signal));
  await Promise.allSettled(rounds);
  return Math.min(...(await Promise.all(rounds)));
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
