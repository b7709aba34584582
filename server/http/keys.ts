import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { LRUCache } from "lru-cache";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { ApiKeyModel } from "#prisma/generated/models.ts";
import { type Clock, monotonicMs } from "#server/platform/clock.ts";
import type { Env } from "#server/platform/env.ts";
import { isDatabaseAway } from "#server/platform/errors.ts";
import { sharedLookups } from "#server/platform/shared-lookups.ts";

/** What the service knows about the owner of a key. */
export interface KeyRecord {
  id: string;
  /** Public part, which identifies the key in lists and logs. */
  prefix: string;
  /** Owner of tasks; several keys may have one owner. */
  owner: string;
  email?: string;
  /** Applies to every group of operations where present. */
  limit?: Limit;
  /** A visitor without a key: never an owner of anything. */
  isGuest?: true;
}

/** How a key came to be. */
export type KeyOrigin = "command" | "environment" | "first start" | "e-mail";

export interface ListedKey extends KeyRecord {
  /** undefined for a key of an earlier version. */
  origin?: string;
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface NewKey {
  owner: string;
  email?: string;
  limit?: Limit;
  expiresAt?: Date;
  origin?: KeyOrigin;
}

export interface KeyStoreOptions {
  /** Secret mixed into every hash. */
  pepper: string;
  /** The database's clock: keys expire by real time, in every replica at once. */
  clock: Clock;
  /** A clock that is never set back, milliseconds. Cached lookups expire by it. */
  elapsed?: () => number;
}

/** The part of the database that keys need. */
export type KeyTable = Pick<PrismaClient, "apiKey">;

/** How long a lookup is cached, and so the longest that a revoked key still works while the database answers. */
export const CACHE_MS = 5000;

const MAX_CACHED = 10_000;

/** A key that was found. Clock that is never set back, milliseconds. */
interface KnownKey {
  key: ListedKey;
  readAt: number;
  /** When the database was asked that said last that it is valid. */
  confirmedAt: number;
}

/** API keys: random, shown once, stored only as a peppered SHA-256. */
export class KeyStore {
  readonly #table: KeyTable;
  /** By prefix. */
  readonly #row: (prefix: string) => Promise<ApiKeyModel | undefined>;
  readonly #pepper: string;
  readonly #clock: Clock;
  readonly #known = new LRUCache<string, KnownKey>({ max: MAX_CACHED });
  /** Apart from the known keys: a flood of wrong keys cannot evict valid ones. */
  readonly #unknown: LRUCache<string, true>;
  readonly #elapsed: () => number;
  #isAway = false;
  /** When the database was last asked while it was away. */
  #triedAt = Number.NEGATIVE_INFINITY;
  /** Lookups in flight, shared by the requests that wait for them. */
  readonly #lookups = new Map<string, Promise<ListedKey | undefined>>();

  constructor(table: KeyTable, { pepper, clock, elapsed = monotonicMs }: KeyStoreOptions) {
    this.#table = table;
    this.#row = sharedLookups(async (prefixes) => {
      const rows = await table.apiKey.findMany({ where: { prefix: { in: prefixes } } });
      return new Map(rows.map((row) => [row.prefix, row]));
    });
    this.#pepper = pepper;
    this.#clock = clock;
    this.#unknown = new LRUCache({
      max: MAX_CACHED,
      ttl: CACHE_MS,
      ttlResolution: 0,
      perf: { now: elapsed },
    });
    this.#elapsed = elapsed;
  }

  /**
   * Finds the owner of a key. While the database is away, nothing can be revoked, so that a key that was valid when it last
   * answered goes on, for ten minutes.
   *
   * @returns undefined for an unknown, revoked or expired key.
   */
  async find(text: string): Promise<KeyRecord | undefined> {
    const digest = this.#digest(text);
    const known = this.#known.get(digest);
    const now = this.#elapsed();
    if (known && now - known.readAt < CACHE_MS) return this.#valid(known.key);
    if (this.#unknown.has(digest)) return undefined;
    const look = () => this.#lookups.get(digest) ?? this.#look(text, digest);
    const isRetained = known && now - known.confirmedAt <= RETAINED_MS;
    return this.#valid(await (isRetained ? this.#orRetained(look, known.key) : look()));
  }

  /**
   * Asks whether the keys that were found are still valid, used or not: what was revoked before the database went away is
   * then not accepted. To be called every `CACHE_MS`. Never rejects.
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

  /** @returns The record, and the key's text, which exists nowhere else. */
  async create(key: NewKey): Promise<{ record: KeyRecord; text: string }> {
    const prefix = base62(PREFIX_LENGTH);
    const text = `mo_${prefix}_${base62(SECRET_LENGTH)}`;
    const row = await this.#table.apiKey.create({ data: this.#newRow(key, this.#digest(text), prefix) });
    this.#clearCache();
    return { record: toListed(row), text };
  }

  /**
   * Creates a key from a given text, or updates the limit of the existing one. A revoked key stays revoked.
   */
  async adopt(text: string, key: NewKey): Promise<KeyRecord> {
    const digest = this.#digest(text);
    // One statement, because replicas that start together adopt the same key.
    const row = await this.#table.apiKey.upsert({
      where: { hash: digest },
      create: this.#newRow(key, digest, publicPart(text, digest)),
      update: { owner: key.owner, limit: key.limit?.text ?? null },
    });
    this.#clearCache();
    return toListed(row);
  }

  /** All keys, oldest first, including revoked and expired ones. */
  async list(): Promise<ListedKey[]> {
    const rows = await this.#table.apiKey.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
    return rows.map(toListed);
  }

  /** Those of the keys, by id, that are revoked, expired or unknown. Never cached. */
  async invalidAmong(ids: string[]): Promise<string[]> {
    const rows = await this.#table.apiKey.findMany({ where: { id: { in: ids } } });
    const valid = new Set(rows.filter((row) => this.#valid(toListed(row))).map(({ id }) => id));
    return ids.filter((id) => !valid.has(id));
  }

  async count(): Promise<number> {
    return this.#table.apiKey.count();
  }

  /**
   * Revokes a key for good: at once in this process, within the cached seconds in others.
   *
   * @param name Prefix or id.
   * @returns The key, or undefined when no key has this name. Revoking twice keeps the first date.
   */
  async revoke(name: string): Promise<ListedKey | undefined> {
    const key = (await this.list()).find((listed) => listed.prefix === name || listed.id === name);
    if (!key || key.revokedAt) return key;
    const revokedAt = new Date(this.#clock.now() * 1000);
    await this.#table.apiKey.update({ where: { id: key.id }, data: { revokedAt } });
    this.#clearCache(key.id);
    return { ...key, revokedAt };
  }

  /** Revokes all keys of an owner but the newest. @param keep How many stay. */
  async retire(owner: string, keep: number): Promise<void> {
    const table = this.#table.apiKey;
    const old = await table.findMany({
      where: { owner, revokedAt: null },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: keep,
    });
    if (old.length === 0) return;
    const revokedAt = new Date(this.#clock.now() * 1000);
    const ids = old.map(({ id }) => id);
    await table.updateMany({ where: { id: { in: ids } }, data: { revokedAt } });
    this.#clearCache(...ids);
  }

  #look(text: string, digest: string): Promise<ListedKey | undefined> {
    const at = this.#elapsed();
    const lookup = this.#row(publicPart(text, digest)).then((row) =>
      row && sameHash(row.hash, digest) ? toListed(row) : undefined,
    );
    this.#lookups.set(digest, lookup);
    // What was read before the cache was cleared is not cached.
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

  /** What the database says of a key; what it said before, where it is away. @param look Asks it. */
  async #orRetained(
    look: () => Promise<ListedKey | undefined>,
    known: ListedKey,
  ): Promise<ListedKey | undefined> {
    if (this.#isAway) {
      const now = this.#elapsed();
      if (now - this.#triedAt >= RETRY_MS) {
        this.#triedAt = now;
        // Of a failure it takes note by itself.
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

  /** @param revoked Ids of keys that end now. The others are read again. */
  #clearCache(...revoked: string[]): void {
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
    return !key.expiresAt || key.expiresAt.getTime() / 1000 > this.#clock.now() ? key : undefined;
  }

  #newRow(key: NewKey, digest: string, prefix: string) {
    return {
      prefix,
      hash: digest,
      owner: key.owner,
      email: key.email,
      limit: key.limit?.text,
      origin: key.origin,
      createdAt: new Date(this.#clock.now() * 1000),
      expiresAt: key.expiresAt,
    };
  }

  #digest(text: string): string {
    return hash("sha256", `${this.#pepper}\0${text}`, "hex");
  }
}

/** A map page sends many requests, which the key of the first run must allow. */
const FIRST_LIMIT = "600 per 1 minute";

/**
 * Creates the keys of the environment, or a first key where there is none at all.
 *
 * @returns The text of the key made for the first run, printed once; undefined on every other start.
 */
export async function ensureFirstKeys(
  keys: KeyStore,
  env: Pick<Env, "bootstrapKeys"> & Partial<Pick<Env, "bootstrapLimit">>,
): Promise<string | undefined> {
  for (const { owner, text } of env.bootstrapKeys) {
    await keys.adopt(text, { owner, limit: env.bootstrapLimit, origin: "environment" });
  }
  if ((await keys.count()) > 0) return undefined;
  return (await keys.create({ owner: "first-run", limit: parseLimit(FIRST_LIMIT), origin: "first start" }))
    .text;
}

const PREFIX_LENGTH = 8;

/** 33 characters of 62 are 196 bits. */
const SECRET_LENGTH = 33;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random text; bytes from 248 on are discarded, since 256 is not a multiple of 62. */
function base62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** The prefix under which a key is stored; that of a given text is the start of its hash. */
function publicPart(text: string, digest: string): string {
  return /^mo_([0-9A-Za-z]{8})_[0-9A-Za-z]{33}$/.exec(text)?.[1] ?? `own-${digest.slice(0, 12)}`;
}

/** Compares in constant time. */
function sameHash(stored: string, digest: string): boolean {
  const a = Buffer.from(stored, "hex");
  const b = Buffer.from(digest, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}

function toListed(row: ApiKeyModel): ListedKey {
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

/** How long a key is accepted after the database last said that it is valid, milliseconds. */
export const RETAINED_MS = 600_000;

/** How often the database is asked, one of the keys at a time, while it is away. Milliseconds. */
const RETRY_MS = 1_000;

/** How long a request waits for a database that is not known to be away, milliseconds. */
const WAIT_MS = 2_000;

/** Keys that are looked up in one query. */
const BATCH = 500;
