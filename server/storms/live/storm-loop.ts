import { stormProviders } from "#lib/contract/storm-providers.ts";
import { type Clock, isOver } from "#server/platform/clock.ts";
import type { FeedStates } from "#server/platform/feed-state.ts";
import type { Fetcher } from "#server/platform/fetching/fetcher.ts";
import type { Logger } from "#server/platform/log.ts";
import type { Provider } from "#server/storms/bulletin.ts";
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
  /** Of all texts that are fetched. */
  folder: string;
  store: RefreshDeps["store"];
  derive: RefreshDeps["derive"];
  states: Pick<FeedStates, "set" | "count">;
  clock: Clock;
  log?: Pick<Logger, "info" | "warn"> | undefined;
}

export interface StormLoop {
  /**
   * Fetches what is due, and publishes the storms of each provider of whom a text has changed.
   *
   * @returns When to look again, Unix seconds.
   */
  round(signal: AbortSignal): Promise<number>;
}

/** Without a new text: what is silent ends, and another process may have published something else. */
const REFRESH_EVERY_S = 3600;

/** After a failure that is not a host's. */
const RETRY_S = 300;

/** A feed that does not work for so long is failing; until then it is late. */
const FAILING_AFTER_S = 3600;

/**
 * Keeps folders of storm texts as their agencies publish them, and publishes what they say. Storms of a feed that cannot be
 * reached stay as they are: it is down, which is not the same as no storms.
 */
export function createStormLoop(deps: StormLoopDeps): StormLoop {
  const { feeds, folder, store, derive, states, clock, log } = deps;
  const lastSuccess = new Map<string, number>();
  const begun = clock.now();
  /** By feed: when it is looked at again, Unix seconds. */
  const looks = new Map<string, number>();
  const refreshed = new Map<Provider, number>();

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

  /** @param isEmpty Whether there is no text of it: then nothing is late. */
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

  return {
    async round(signal) {
      const found = await Promise.all(feeds.map(async (feed) => ({ feed, ...(await look(feed, signal)) })));
      let next = Math.min(...found.map((each) => each.next));
      for (const provider of stormProviders) {
        const of = feeds.filter((feed) => feed.provider === provider);
        if (of.length === 0) continue;
        const refreshedAt = refreshed.get(provider) ?? Number.NEGATIVE_INFINITY;
        const isDue = isOver(refreshedAt + REFRESH_EVERY_S, clock.now(), REFRESH_EVERY_S);
        if (!isDue && !found.some(({ feed, hasChanged }) => hasChanged && of.includes(feed))) continue;
        try {
          await publish(provider, of, signal);
        } catch (error) {
          signal.throwIfAborted();
          // Nothing was fetched so far; nothing is published.
          if (error instanceof EmptyFeedError || isMissing(error)) continue;
          const message = (error as Error).message;
          if (!(error instanceof UnreadableFeedError)) next = Math.min(next, clock.now() + RETRY_S);
          log?.warn({ provider, err: error }, "storms not published");
          for (const feed of of) await fail(feed, Math.floor(clock.now()), message, next);
          refreshed.delete(provider);
        }
      }
      return next;
    },
  };
}

function isMissing(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "ENOENT";
}
