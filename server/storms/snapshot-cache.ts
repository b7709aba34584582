import { andThen } from "#server/platform/and-then.ts";
import { type PublishedStorms, publish } from "./published.ts";
import type { Snapshot, SnapshotKey, StormStore } from "./store.ts";

export interface SnapshotCacheDeps {
  store: Pick<StormStore, "revisions"> & { snapshot(key: SnapshotKey): Promise<Snapshot | undefined> };
  /** Weather clock, Unix seconds. */
  now: () => number;
  /** Monotonic clock, milliseconds. */
  elapsed: () => number;
  log: { warn(fields: object, message: string): void };
}

/** For so long after a check, snapshots are answered without asking the database for new revisions. */
const FRESH_MS = 1000;

/** For so long they are answered while a check runs in the background, so that requests under load never wait. */
const STALE_MS = 2000;

/** How long a request waits for a slow check before it gets the cached snapshot. */
const MAX_WAIT_MS = 500;

/** The published storms in memory. A read is one look-up, also while the database is down. */
export class SnapshotCache {
  readonly #deps: SnapshotCacheDeps;
  readonly #snapshots = new Map<string, PublishedStorms>();
  readonly #ageing = new Map<string, Promise<PublishedStorms>>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;
  /** True after the first successful check: a feed without a snapshot was never read. */
  #loaded = false;

  constructor(deps: SnapshotCacheDeps) {
    this.#deps = deps;
  }

  /**
   * What is published under a key, as old as it is now: forecasts expire also while no refresh runs and no database answers.
   *
   * @returns undefined for a feed that was never read. Rejects if the database fails before anything was loaded.
   */
  get(key: SnapshotKey): PublishedStorms | undefined | Promise<PublishedStorms | undefined> {
    return andThen(this.#stored(key), (cached) =>
      cached && this.#deps.now() >= cached.changesAt ? this.#aged(key, cached) : cached,
    );
  }

  #stored(key: SnapshotKey): PublishedStorms | undefined | Promise<PublishedStorms | undefined> {
    const age = this.#deps.elapsed() - this.#checkedAt;
    if (age < FRESH_MS) return this.#cached(key);
    if (!this.#loaded || age >= STALE_MS) return this.#revalidated(key);
    if (!this.#check) this.#startCheck().catch((error: unknown) => this.#warn(error));
    return this.#cached(key);
  }

  /** Checks at once, after a refresh by this process. */
  async update(): Promise<void> {
    await this.#check;
    await this.#startCheck();
  }

  #cached({ provider, synthetic }: SnapshotKey): PublishedStorms | undefined {
    return this.#snapshots.get(`${provider} ${synthetic}`);
  }

  /** The cached snapshot with what has become too old since, made once for all requests. */
  #aged({ provider, synthetic }: SnapshotKey, cached: PublishedStorms): Promise<PublishedStorms> {
    const name = `${provider} ${synthetic}`;
    const running = this.#ageing.get(name);
    if (running) return running;
    const aged = publish(cached, synthetic, this.#deps.now())
      .then((published) => {
        if (this.#snapshots.get(name)?.revision === published.revision) this.#snapshots.set(name, published);
        return published;
      })
      .finally(() => this.#ageing.delete(name));
    this.#ageing.set(name, aged);
    return aged;
  }

  async #revalidated(key: SnapshotKey): Promise<PublishedStorms | undefined> {
    const check = this.#check ?? this.#startCheck();
    if (this.#cached(key))
      await Promise.race([check.catch((error: unknown) => this.#warn(error)), timeout(MAX_WAIT_MS)]);
    else await check;
    return this.#cached(key);
  }

  #warn(error: unknown): void {
    this.#deps.log.warn({ err: error }, "storms are answered from memory: the database does not answer");
  }

  #startCheck(): Promise<void> {
    const check = this.#load().finally(() => {
      this.#check = undefined;
    });
    this.#check = check;
    return check;
  }

  async #load(): Promise<void> {
    try {
      for (const { revision, refreshedAt, newestTextAt, ...key } of await this.#deps.store.revisions()) {
        const published = await this.#current(key, revision, { refreshedAt, newestTextAt });
        if (published) this.#snapshots.set(`${key.provider} ${key.synthetic}`, published);
      }
      this.#loaded = true;
    } finally {
      // Set after a failure too: a database that is down is asked once a second, not once a request.
      this.#checkedAt = this.#deps.elapsed();
    }
  }

  /** The cached snapshot if it has the revision, with its new age; otherwise the stored one. */
  async #current(
    key: SnapshotKey,
    revision: number,
    { refreshedAt, newestTextAt = refreshedAt }: Pick<Snapshot, "refreshedAt" | "newestTextAt">,
  ) {
    const cached = this.#cached(key);
    if (cached?.revision === revision) {
      const isSame = cached.refreshedAt === refreshedAt && cached.newestTextAt === newestTextAt;
      return isSame ? cached : { ...cached, refreshedAt, newestTextAt };
    }
    const snapshot = await this.#deps.store.snapshot(key);
    return snapshot && publish(snapshot, key.synthetic, this.#deps.now());
  }
}

function timeout(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds).unref());
}
