import { hash, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { ApiKeyModel } from "#prisma/generated/models.ts";
import { type Clock, monotonicMs } from "#server/platform/clock.ts";
import { isDatabaseAway } from "#server/platform/errors.ts";
import { sharedLookups } from "#server/platform/shared-lookups.ts";

export interface KeyRecord {
  id: string;
  /** Public part of the key, which identifies it in lists and logs. */
  prefix: string;
  /** Owner of tasks. Several keys may have the same owner. */
  owner: string;
  email?: string;
  /** Limit that replaces the default one of every group of operations. */
  limit?: Limit;
}

export type KeyOrigin = "command" | "environment" | "first start" | "e-mail";

export interface ListedKey extends KeyRecord {
  /** Origin of the key; undefined if whatever created it did not state one. */
  origin?: string;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface KeyStoreOptions {
  /** Secret mixed into every hash. */
  pepper: string;
  /** The database's clock, so that keys expire at the same real time in every replica. */
  clock: Clock;
  /** A clock that is never set back, milliseconds. Cached lookups expire by it. */
  elapsed?: () => number;
}

export type KeyTable = Pick<PrismaClient, "apiKey">;

/**
 * How long a lookup is cached, milliseconds. A revoked key works at most this long in other processes while the
 * database answers.
 */
export const CACHE_MS = 5000;

const MAX_CACHED = 10_000;

/** A key that was found. Its times come from a clock that is never set back, milliseconds. */
interface KnownKey {
  key: ListedKey;
  readAt: number;
  /** When the last query that confirmed the key was sent to the database. */
  confirmedAt: number;
}

/** How long a key is accepted after the database last confirmed it, milliseconds. */
export const RETAINED_MS = 600_000;

/** While the database does not answer it is asked this often, with one key at a time. Milliseconds. */
const RETRY_MS = 1_000;

/** How long a request waits for a database that has answered so far, milliseconds. */
const WAIT_MS = 2_000;

/** Most keys of one query. */
const BATCH = 500;

/** Finds the keys that requests carry. Only their peppered SHA-256 is stored. */
export class KeyLookup {
  protected readonly table: KeyTable;
  /** Finds the row of a prefix. */
  readonly #row: (prefix: string) => Promise<ApiKeyModel | undefined>;
  readonly #pepper: string;
  protected readonly clock: Clock;
  readonly #known = new LRUCache<string, KnownKey>({ max: MAX_CACHED });
  /** Unknown keys have a cache of their own, so that a flood of wrong keys cannot evict valid ones. */
  readonly #unknown: LRUCache<string, true>;
  readonly #elapsed: () => number;
  #isAway = false;
  /** When the database was last asked while it did not answer, milliseconds. */
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Lookups in progress, shared by the requests that wait for them. */
  readonly #lookups = new Map<string, Promise<ListedKey | undefined>>();

  constructor(table: KeyTable, { pepper, clock, elapsed = monotonicMs }: KeyStoreOptions) {
    this.table = table;
    this.#row = sharedLookups(async (prefixes) => {
      const rows = await table.apiKey.findMany({ where: { prefix: { in: prefixes } } });
      return new Map(rows.map((row) => [row.prefix, row]));
    });
    this.#pepper = pepper;
    this.clock = clock;
    this.#unknown = new LRUCache({
      max: MAX_CACHED,
      ttl: CACHE_MS,
      ttlResolution: 0,
      perf: { now: elapsed },
    });
    this.#elapsed = elapsed;
  }

  /**
   * Finds the owner of a key. While the database is unavailable no key can be revoked, so a key that the database
   * confirmed before keeps working for ten minutes.
   *
   * @returns undefined for an unknown, revoked or expired key.
   */
  async find(text: string): Promise<KeyRecord | undefined> {
    const digest = this.digest(text);
    const known = this.#known.get(digest);
    const now = this.#elapsed();
    if (known && now - known.readAt < CACHE_MS) return this.#valid(known.key);
    if (this.#unknown.has(digest)) return undefined;
    const look = () => this.#lookups.get(digest) ?? this.#look(text, digest);
    const isRetained = known && now - known.confirmedAt <= RETAINED_MS;
    return this.#valid(await (isRetained ? this.#orRetained(look, known.key) : look()));
  }

  /**
   * Checks whether all cached keys are still valid, used or not, so that a key revoked before a database outage is not
   * accepted during it. The caller calls this every `CACHE_MS`. Never rejects.
   */
  async confirm(): Promise<void> {
    const all = [...this.#known.values()];
    for (let from = 0; from < all.length; from += BATCH) {
      const batch = all.slice(from, from + BATCH);
      const at = this.#elapsed();
      try {
        const invalid = new Set(await this.invalidAmong(batch.map(({ key }) => key.id)));
        this.#isAway = false;
        this.#drop(invalid);
        for (const known of batch) known.confirmedAt = Math.max(known.confirmedAt, at);
      } catch (error) {
        if (isDatabaseAway(error)) this.#isAway = true;
        return;
      }
    }
  }

  /** Returns those ids whose keys are revoked, expired or unknown. The result is never cached. */
  async invalidAmong(ids: string[]): Promise<string[]> {
    const rows = await this.table.apiKey.findMany({ where: { id: { in: ids } } });
    const valid = new Set(rows.filter((row) => this.#valid(toListed(row))).map(({ id }) => id));
    return ids.filter((id) => !valid.has(id));
  }

  #look(text: string, digest: string): Promise<ListedKey | undefined> {
    const at = this.#elapsed();
    const lookup = this.#row(publicPart(text, digest)).then((row) =>
      row && sameHash(row.hash, digest) ? toListed(row) : undefined,
    );
    this.#lookups.set(digest, lookup);
    // A lookup that began before the cache was cleared is not cached.
    const settle = () => this.#lookups.get(digest) === lookup && this.#lookups.delete(digest);
    lookup.then(
      (key) => {
        if (!settle()) return;
        this.#isAway = false;
        if (key && !key.revokedAt) this.#known.set(digest, { key, readAt: this.#elapsed(), confirmedAt: at });
        else {
          this.#known.delete(digest);
          this.#unknown.set(digest, true);
        }
      },
      (error) => {
        settle();
        if (isDatabaseAway(error)) this.#isAway = true;
      },
    );
    return lookup;
  }

  /**
   * Looks a key up, and returns the known record while the database does not answer. @param look Queries the database.
   */
  async #orRetained(
    look: () => Promise<ListedKey | undefined>,
    known: ListedKey,
  ): Promise<ListedKey | undefined> {
    if (this.#isAway) {
      const now = this.#elapsed();
      if (now - this.#triedAt >= RETRY_MS) {
        this.#triedAt = now;
        // `look` records a failure itself.
        look().catch(() => undefined);
      }
      return known;
    }
    const slow = Promise.withResolvers<ListedKey>();
    const timer = setTimeout(() => {
      this.#isAway = true;
      this.#triedAt = this.#elapsed();
      slow.resolve(known);
    }, WAIT_MS);
    try {
      return await Promise.race([look(), slow.promise]);
    } catch (error) {
      if (!isDatabaseAway(error)) throw error;
      return known;
    } finally {
      clearTimeout(timer);
    }
  }

  /** @param revoked Ids of keys that are dropped now. All others are read again. */
  protected clearCache(...revoked: string[]): void {
    this.#drop(new Set(revoked));
    for (const known of this.#known.values()) known.readAt = Number.NEGATIVE_INFINITY;
    this.#unknown.clear();
    this.#lookups.clear();
  }

  #drop(ids: ReadonlySet<string>): void {
    for (const [digest, { key }] of this.#known.entries()) if (ids.has(key.id)) this.#known.delete(digest);
  }

  #valid(key: ListedKey | undefined): KeyRecord | undefined {
    if (!key || key.revokedAt) return undefined;
    return !key.expiresAt || key.expiresAt.getTime() / 1000 > this.clock.now() ? key : undefined;
  }

  protected digest(text: string): string {
    return hash("sha256", `${this.#pepper}\0${text}`, "hex");
  }
}

/** The prefix under which a key is stored. For a key text that the operator chose, it derives from the hash. */
export function publicPart(text: string, digest: string): string {
  return /^mo_([0-9A-Za-z]{8})_[0-9A-Za-z]{33}$/.exec(text)?.[1] ?? `own-${digest.slice(0, 12)}`;
}

/** Compares two hashes in constant time. */
function sameHash(stored: string, digest: string): boolean {
  const a = Buffer.from(stored, "hex");
  const b = Buffer.from(digest, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}

export function toListed(row: ApiKeyModel): ListedKey {
  const { id, prefix, owner, createdAt } = row;
  return {
    id,
    prefix,
    owner,
    email: row.email ?? undefined,
    limit: row.limit === null ? undefined : parseLimit(row.limit),
    origin: row.origin ?? undefined,
    createdAt,
    expiresAt: row.expiresAt ?? undefined,
    revokedAt: row.revokedAt ?? undefined,
  };
}
