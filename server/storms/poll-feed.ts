import { stormProviders } from "#lib/contract/storm-providers.ts";
import { andThen } from "#server/platform/and-then.ts";
import type { Provider } from "./bulletin.ts";
import type { StormRecord } from "./derive.ts";
import type { Feed, PolledFeed } from "./feed.ts";
import { refresh } from "./refresh.ts";
import type { SnapshotCache } from "./snapshot-cache.ts";
import type { StormStore } from "./store.ts";
import { stormThread } from "./storm-thread.ts";

/** How often the feed is checked for new bulletins. */
const POLL_MS = 30_000;

interface PollDeps {
  store: StormStore;
  cache: SnapshotCache;
  /** Weather clock, Unix seconds. */
  now: () => number;
  log: { error(fields: object, message: string): void };
}

/** Refreshes the snapshots of a feed whenever it is active and has new bulletins. */
export function pollFeed(polled: PolledFeed, { store, cache, now, log }: PollDeps) {
  const { synthetic, module, options } = polled;
  const origin = JSON.stringify(options);
  const thread = stormThread();
  const { derive } = thread;
  const stop = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  /** Base time of the bulletins that are published; undefined before the first refresh. */
  let publishedBase: number | undefined;
  let polling: Promise<void> = Promise.resolve();
  let backfilling: Promise<void> = Promise.resolve();

  const feedAt = (provider: Provider, time: number): Feed => ({
    provider,
    synthetic,
    texts: () => thread.texts({ module, options, provider, now: time }),
  });

  const refreshIfDue = async () => {
    const time = now();
    const base = polled.newestBase(time);
    if (base === publishedBase || !(await polled.isActive())) return;
    const isFirst = publishedBase === undefined;
    for (const provider of stormProviders) {
      const deps = { store, derive, now: time, signal: stop.signal, origin };
      await refresh(feedAt(provider, time), deps);
    }
    await cache.update();
    publishedBase = base;
    if (isFirst) backfilling = backfill(time).catch(logUnlessStopped("past storms were not backfilled"));
  };

  /** Adds the bulletins before the first published one to the history. */
  const backfill = async (until: number) => {
    for (const provider of stormProviders) {
      let previous: StormRecord[] = [];
      for (let back = polled.backfilledBulletins; back >= 1; back--) {
        stop.signal.throwIfAborted();
        const time = until - back * polled.intervalS;
        const texts = await feedAt(provider, time).texts(stop.signal);
        previous = (await derive({ provider, texts, previous, now: time })).storms;
        await store.backfill({ provider, synthetic }, previous);
      }
    }
  };

  const logUnlessStopped = (message: string) => (error: unknown) => {
    if (!stop.signal.aborted) log.error({ err: error }, message);
  };

  const poll = () => {
    polling = refreshIfDue().catch(logUnlessStopped("storms were not refreshed"));
    void polling.then(() => {
      if (!stop.signal.aborted) timer = setTimeout(poll, POLL_MS).unref();
    });
  };
  poll();

  return {
    /** undefined while the feed is inactive or was never read. */
    published: (provider: Provider) =>
      andThen(polled.isActive(), (isActive) => {
        if (!isActive) return undefined;
        // The snapshot in the database is of an earlier process until the first refresh.
        const current = () => (publishedBase === undefined ? undefined : cache.get({ provider, synthetic }));
        return publishedBase === undefined ? polling.then(current) : current();
      }),
    async close() {
      stop.abort();
      clearTimeout(timer);
      await thread.close();
      await Promise.all([polling, backfilling]);
    },
  };
}
