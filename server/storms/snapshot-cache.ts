import type { Provider } from "./bulletin.ts";
import { type PublishedStorms, publish } from "./published.ts";
import type { SnapshotKey, StormStore } from "./store.ts";

export interface SnapshotCacheDeps {
  store: Pick<StormStore, "revisions" | "snapshot">;
  /** Milliseconds of a clock that never goes back. */
  elapsed: () => number;
  log: { warn(fields: object, message: string): void };
}

/** How long an answer is given without asking the database whether another process refreshed it. */
const TRUSTED_MS = 1000;

/** How long it is given while the database is asked: where there are many requests, none of them waits for it. */
const GIVEN_MS = 2000;

/** How long a request waits for a database that is slow; then it gets what is held. */
const PATIENCE_MS = 500;

/** The published storms in memory: a read of them is one look-up, also while the database is away. */
export class SnapshotCache {
  readonly #parts: SnapshotCacheDeps;
  readonly #held = new Map<string, PublishedStorms>();
  #checkedAt = Number.NEGATIVE_INFINITY;
  #check: Promise<void> | undefined;
  /** The database has answered once: a feed that is not held was never read. */
  #loaded = false;

  constructor(parts: SnapshotCacheDeps) {
    this.#parts = parts;
  }

  /**
   * What is published under a key.
   *
   * @returns undefined for a feed that was never read. Rejects when nothing was ever loaded and the database fails.
   */
  of(key: SnapshotKey): PublishedStorms | undefined | Promise<PublishedStorms | undefined> {
    const age = this.#parts.elapsed() - this.#checkedAt;
    if (age < TRUSTED_MS) return this.#held.get(nameOf(key));
    if (!this.#loaded || age >= GIVEN_MS) return this.#fresh(key);
    if (!this.#check) this.#begin().catch((error: unknown) => this.#failed(error));
    return this.#held.get(nameOf(key));
  }

  /** Looks at once for what was refreshed: this process did. */
  async update(): Promise<void> {
    await this.#check;
    await this.#begin();
  }

  async #fresh(key: SnapshotKey): Promise<PublishedStorms | undefined> {
    const check = this.#check ?? this.#begin();
    const held = this.#held.get(nameOf(key));
    if (!held) {
      await check;
      return this.#held.get(nameOf(key));
    }
    await Promise.race([check.catch((error: unknown) => this.#failed(error)), patience()]);
    return this.#held.get(nameOf(key));
  }

  #failed(error: unknown): void {
    this.#parts.log.warn({ err: error }, "storms are answered from memory: the database does not answer");
  }

  #begin(): Promise<void> {
    const check = this.#load().finally(() => {
      this.#check = undefined;
    });
    this.#check = check;
    return check;
  }

  async #load(): Promise<void> {
    try {
      for (const { revision, refreshedAt, ...key } of await this.#parts.store.revisions()) {
        const held = this.#held.get(nameOf(key));
        if (held?.revision === revision) {
          // Read again, and nothing was new: the bytes are good.
          if (held.refreshedAt !== refreshedAt) this.#held.set(nameOf(key), { ...held, refreshedAt });
          continue;
        }
        const snapshot = await this.#parts.store.snapshot(key);
        if (snapshot) this.#held.set(nameOf(key), await publish(snapshot, key.synthetic));
      }
      this.#loaded = true;
    } finally {
      // A database that is away is asked once a second, not once a request.
      this.#checkedAt = this.#parts.elapsed();
    }
  }
}

function nameOf({ provider, synthetic }: { provider: Provider; synthetic: boolean }): string {
  return `${provider} ${synthetic}`;
}

function patience(): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, PATIENCE_MS).unref());
}
