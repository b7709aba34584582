import { distanceKm } from "@open-metocean/geo/sphere";
import type { Provider, StormRecord } from "@open-metocean/storms/bulletin";
import { stormProviders } from "@open-metocean/storms/providers";
import type { StormEntry } from "@open-metocean/storms/schema";
import { trackAt } from "@open-metocean/storms/track";
import { ofWire } from "@open-metocean/storms/wire";
import { MAX_HISTORY } from "#lib/contract/storms.ts";
import { DAY_S, HOUR_S } from "#lib/time.ts";
import { Poller } from "#server/platform/poller.ts";
import { type PublishedStorms, SnapshotCache } from "./published.ts";
import { type Feed, type PolledFeed, refresh } from "./refresh.ts";
import { type PastEntry, type StormRetention, StormStore, type StormTables, sweepStorms } from "./store.ts";
import { stormThread } from "./storm-thread.ts";

interface StormServiceDeps {
  tables: StormTables & Parameters<typeof sweepStorms>[0];
  /** The feed that this process reads. Snapshots of other feeds come from the command `storms refresh`. */
  polledFeed?: PolledFeed;
  retention: StormRetention;
  /** Weather clock, Unix seconds. */
  now: () => number;
  /** Monotonic clock, milliseconds. */
  elapsed: () => number;
  log: {
    warn(fields: object, message: string): void;
    error(fields: object, message: string): void;
  };
}

/** The published storms and their history. */
export interface StormService {
  /** The published storms; undefined for a feed that was never read, because an unknown state is not an empty list. */
  published(provider: Provider): Promise<PublishedStorms | undefined>;
  /** Entries of a storm's bulletins so far, oldest first; empty for an unknown storm. */
  history(provider: Provider, id: string): Promise<PastEntry[]>;
  /**
   * Id of the storm that an invest has become, by its stored bulletins.
   *
   * @param past Bulletins of the invest, oldest first.
   */
  continuation(provider: Provider, past: readonly PastEntry[]): Promise<string | undefined>;
  close(): Promise<void>;
}

const SWEEP_MS = 24 * 3_600_000;

/** Opens the storms, deletes old data at once and every day, and starts to poll the feed, if there is one. */
export function openStorms(deps: StormServiceDeps): StormService {
  const { tables, polledFeed, retention, now, elapsed, log } = deps;
  const store = new StormStore(tables);
  const cache = new SnapshotCache({ store, now, elapsed, log });
  const poller = polledFeed && pollFeed(polledFeed, { store, cache, now, log });

  const sweeper = new Poller({
    everyMs: SWEEP_MS,
    work: () => sweepStorms(tables, retention, now()),
    onError: (err) => log.error({ err }, "old storms were not deleted"),
  });
  sweeper.start();
  const published: StormService["published"] = async (provider) => {
    if (polledFeed?.takesPrecedence) return poller?.published(provider);
    return (await cache.get({ provider, synthetic: false })) ?? poller?.published(provider);
  };
  return {
    published,
    async history(provider, id) {
      const found = await published(provider);
      if (!found) return [];
      return store.history({ provider, synthetic: found.synthetic }, id, MAX_HISTORY, now());
    },
    async continuation(provider, past) {
      const last = past.at(-1);
      const found = await published(provider);
      if (!last || !found) return undefined;
      const invest = JSON.parse(last.entry) as StormEntry;
      if (!invest.is_invest) return undefined;
      const until = Math.min(now(), last.issued + NAMED_WITHIN_S);
      const key = { provider, synthetic: found.synthetic };
      const named = await store.naming(key, invest.id, last.issued - DAY_S, until);
      return named
        .map((entry) => JSON.parse(entry) as StormEntry)
        .find((storm) => isContinuation(invest, storm))?.id;
    },
    async close() {
      await Promise.all([sweeper.close(), poller?.close()]);
    },
  };
}

/** Interval at which the feed is checked for new bulletins. */
const POLL_MS = 30_000;

interface PollDeps {
  store: StormStore;
  cache: SnapshotCache;
  /** Weather clock, Unix seconds. */
  now: () => number;
  log: { error(fields: object, message: string): void };
}

/** Refreshes the snapshots of a feed whenever it is active and has new bulletins. */
function pollFeed(polled: PolledFeed, { store, cache, now, log }: PollDeps) {
  const { synthetic, module, options } = polled;
  const origin = JSON.stringify(options);
  const thread = stormThread();
  const { derive } = thread;
  const stop = new AbortController();
  /** Base time of the bulletins that are published; undefined before the first refresh. */
  let publishedBase: number | undefined;
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

  const polling = new Poller({
    everyMs: POLL_MS,
    work: refreshIfDue,
    onError: logUnlessStopped("storms were not refreshed"),
  });
  polling.start();
  return {
    /** undefined while the feed is inactive or was never read. */
    async published(provider: Provider) {
      if (!(await polled.isActive())) return undefined;
      // Until the first refresh, the snapshot in the database comes from an earlier process.
      if (publishedBase === undefined) await polling.running;
      return publishedBase === undefined ? undefined : cache.get({ provider, synthetic });
    },
    async close() {
      stop.abort();
      await thread.close();
      await Promise.all([polling.close(), backfilling]);
    },
  };
}

/** The next bulletin after an invest's last, or one of the days after, names the storm that it has become. */
const NAMED_WITHIN_S = 5 * DAY_S;

/** Longest distance between the invest's last fix and the storm's track at that time, km. */
const SAME_PLACE_KM = 300;

/** Longest time between that fix and a fix of the storm. */
const SAME_TIME_S = 24 * HOUR_S;

/**
 * Whether a storm is what an invest has become. Its alias alone proves nothing: numbers of invests are used again within
 * weeks.
 */
export function isContinuation(
  invest: Pick<StormEntry, "id" | "is_invest" | "tracks">,
  storm: Pick<StormEntry, "id" | "aliases" | "tracks">,
): boolean {
  const last = invest.tracks.observed.at(-1);
  if (!invest.is_invest || !last || !storm.aliases?.includes(invest.id)) return false;
  const there = trackAt(storm.tracks.observed, last.time, SAME_TIME_S);
  return there !== undefined && distanceKm(there, ofWire(last)) <= SAME_PLACE_KM;
}
