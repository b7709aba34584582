import { LRUCache } from "lru-cache";
import { isDatabaseAway } from "#server/platform/errors.ts";

/** How long a key is accepted after the database last said that it is valid, milliseconds. */
export const RETAINED_MS = 600_000;

/** How often the database is asked, one of the keys at a time, while it is away. Milliseconds. */
const RETRY_MS = 1_000;

/** How long a request waits for a database that is not known to be away, milliseconds. */
const WAIT_MS = 2_000;

/** Keys that are looked up in one query. */
const BATCH = 500;

interface Key {
  id: string;
  revokedAt?: Date;
}

interface Retained<K> {
  key: K;
  /** When the database was asked that said so. */
  confirmedAt: number;
}

/**
 * Keys that were valid when the database last answered. While it is away nothing can be revoked, so that they go on, for
 * ten minutes. All of them are confirmed every few seconds, used or not: what was revoked before is not among them.
 */
export class RetainedKeys<K extends Key> {
  readonly #keys: LRUCache<string, Retained<K>>;
  readonly #elapsed: () => number;
  #isAway = false;
  #triedAt = Number.NEGATIVE_INFINITY;

  /** @param elapsed A clock that is never set back, milliseconds. */
  constructor(max: number, elapsed: () => number) {
    this.#elapsed = elapsed;
    this.#keys = new LRUCache({ max });
  }

  /** @param at When the database was asked. @param key What it said; undefined where there is none. */
  note(digest: string, at: number, key: K | undefined): void {
    this.#isAway = false;
    if (key && !key.revokedAt) this.#keys.set(digest, { key, confirmedAt: at });
    else this.#keys.delete(digest);
  }

  /** Notes that the database failed. */
  failed(error: unknown): void {
    if (isDatabaseAway(error)) this.#isAway = true;
  }

  drop(ids: ReadonlySet<string>): void {
    for (const [digest, { key }] of this.#keys.entries()) if (ids.has(key.id)) this.#keys.delete(digest);
  }

  /**
   * What the database says of a key; what it said before, where it is away.
   *
   * @param look Asks the database.
   */
  find(digest: string, look: () => Promise<K | undefined>): K | Promise<K | undefined> {
    const known = this.#keys.get(digest);
    const now = this.#elapsed();
    if (!known || now - known.confirmedAt > RETAINED_MS) return look();
    if (this.#isAway) {
      if (now - this.#triedAt >= RETRY_MS) {
        this.#triedAt = now;
        // Of a failure it takes note by itself.
        look().catch(() => undefined);
      }
      return known.key;
    }
    return this.#lookedUp(look(), known.key);
  }

  async #lookedUp(lookup: Promise<K | undefined>, known: K): Promise<K | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const slow = new Promise<K>((resolve) => {
      timer = setTimeout(() => {
        this.#isAway = true;
        this.#triedAt = this.#elapsed();
        resolve(known);
      }, WAIT_MS);
    });
    try {
      return await Promise.race([lookup, slow]);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      return known;
    } finally {
      clearTimeout(timer);
    }
  }

  /** Confirms all keys, or drops them. Never rejects. @param invalidAmong Those ids that are not valid. */
  async confirm(invalidAmong: (ids: string[]) => Promise<string[]>): Promise<void> {
    const entries = [...this.#keys.entries()];
    for (let from = 0; from < entries.length; from += BATCH) {
      const batch = entries.slice(from, from + BATCH);
      const at = this.#elapsed();
      try {
        const invalid = new Set(await invalidAmong(batch.map(([, { key }]) => key.id)));
        this.#isAway = false;
        this.drop(invalid);
        for (const [, retained] of batch) retained.confirmedAt = Math.max(retained.confirmedAt, at);
      } catch (error) {
        this.failed(error);
        return;
      }
    }
  }
}
