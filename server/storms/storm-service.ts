import type { StormEntry } from "#lib/contract/storm-form.ts";
import { MAX_HISTORY } from "#lib/contract/storms.ts";
import { DAY_S } from "#lib/time.ts";
import { andThen } from "#server/platform/and-then.ts";
import type { Provider } from "./bulletin.ts";
import { isContinuation, NAMED_WITHIN_S } from "./continuation.ts";
import type { PolledFeed } from "./feed.ts";
import { pollFeed } from "./poll-feed.ts";
import type { PublishedStorms } from "./published.ts";
import { type StormRetention, sweepStorms } from "./retention.ts";
import { SnapshotCache } from "./snapshot-cache.ts";
import { type PastEntry, StormStore, type StormTables } from "./store.ts";

export interface StormServiceDeps {
  tables: StormTables & Parameters<typeof sweepStorms>[0];
  /** Read by this process. Snapshots of other feeds come from the command `storms refresh`. */
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
  /** undefined for a feed that was never read: an unknown state is not an empty list. */
  published(provider: Provider): PublishedStorms | undefined | Promise<PublishedStorms | undefined>;
  /** Entries of a storm's bulletins so far, oldest first; empty for an unknown storm. */
  history(provider: Provider, id: string): Promise<PastEntry[]>;
  /** Id of the storm that an invest has become, by its stored bulletins. @param past Those of the invest, oldest first. */
  continuation(provider: Provider, past: readonly PastEntry[]): Promise<string | undefined>;
  close(): Promise<void>;
}

const SWEEP_MS = 24 * 3_600_000;

/** Opens the storms, deletes what is old, now and every day, and starts to poll the feed, if there is one. */
export function openStorms(deps: StormServiceDeps): StormService {
  const { tables, polledFeed, retention, now, elapsed, log } = deps;
  const store = new StormStore(tables);
  const cache = new SnapshotCache({ store, now, elapsed, log });
  const poller = polledFeed && pollFeed(polledFeed, { store, cache, now, log });

  let sweeping = Promise.resolve();
  const sweep = () => {
    sweeping = sweepStorms(tables, retention, now()).catch((error: unknown) =>
      log.error({ err: error }, "old storms were not deleted"),
    );
  };
  sweep();
  const sweeper = setInterval(sweep, SWEEP_MS).unref();

  const published: StormService["published"] = (provider) => {
    if (poller && polledFeed?.takesPrecedence) return poller.published(provider);
    const received = cache.get({ provider, synthetic: false });
    return andThen(received, (snapshot) => snapshot ?? poller?.published(provider));
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
      clearInterval(sweeper);
      await Promise.all([sweeping, poller?.close()]);
    },
  };
}
