import { hash, randomBytes, timingSafeEqual } from "node:crypto";
import { type Limit, parseLimit } from "#lib/contract/limit.ts";
import type { PrismaClient } from "#prisma/generated/client.ts";
import type { ApiKeyModel } from "#prisma/generated/models.ts";
import type { Clock } from "#server/platform/clock.ts";
import { LookupCache } from "./lookup-cache.ts";

/** What the service knows of the holder of a key. */
export interface KeyRecord {
  id: string;
  /** Public part: names the key in lists and logs. */
  prefix: string;
  /** Owner of tasks; several keys may have one owner. */
  owner: string;
  email?: string;
  /** Holds for every group of operations where present. */
  limit?: Limit;
}

export interface ListedKey extends KeyRecord {
  createdAt: Date;
  expiresAt?: Date;
  revokedAt?: Date;
}

export interface NewKey {
  owner: string;
  email?: string;
  limit?: Limit;
  expiresAt?: Date;
}

export interface KeyStoreOptions {
  /** Secret mixed into every hash. */
  pepper: string;
  /** The machine's clock: keys expire by real time. */
  clock: Clock;
  /** How long a lookup is remembered, which is also the longest that a revoked key still works; seconds. */
  rememberSeconds?: number;
}

/** The part of the database that keys need. */
export type KeyTable = Pick<PrismaClient, "apiKey">;

const REMEMBER_SECONDS = 5;

/** Keys of the API: random, shown once, stored only as a peppered SHA-256. */
export class KeyStore {
  readonly #table: KeyTable;
  readonly #pepper: string;
  readonly #clock: Clock;
  readonly #cache: LookupCache<StoredKey>;

  constructor(table: KeyTable, { pepper, clock, rememberSeconds = REMEMBER_SECONDS }: KeyStoreOptions) {
    this.#table = table;
    this.#pepper = pepper;
    this.#clock = clock;
    this.#cache = new LookupCache(rememberSeconds);
  }

  /**
   * Who a key belongs to. Answers at once for a key seen in the last seconds.
   *
   * @returns undefined for an unknown, revoked or expired key.
   */
  find(text: string): KeyRecord | undefined | Promise<KeyRecord | undefined> {
    const digest = this.#digest(text);
    const now = this.#clock.now();
    const found = this.#cache.get(digest, now);
    if (found === undefined) return this.#read(text, digest);
    return found instanceof Promise ? found.then((key) => this.#valid(key)) : this.#valid(found.value);
  }

  /** @returns The record, and the key's text, which exists nowhere else. */
  async create(key: NewKey): Promise<{ record: KeyRecord; text: string }> {
    const prefix = base62(PREFIX_LENGTH);
    const text = `mo_${prefix}_${base62(SECRET_LENGTH)}`;
    const row = await this.#table.apiKey.create({ data: this.#row(key, this.#digest(text), prefix) });
    this.#cache.clear();
    return { record: toRecord(row), text };
  }

  /**
   * Makes a key of a text chosen by somebody else, or brings the limit of the existing one up to date. A revoked one
   * stays revoked.
   */
  async adopt(text: string, key: NewKey): Promise<KeyRecord> {
    const digest = this.#digest(text);
    // One statement: replicas that start together adopt the same key.
    const row = await this.#table.apiKey.upsert({
      where: { hash: digest },
      create: this.#row(key, digest, publicPart(text, digest)),
      update: { owner: key.owner, limit: key.limit?.text ?? null },
    });
    this.#cache.clear();
    return toRecord(row);
  }

  /** Every key, oldest first, revoked and expired ones included. */
  async list(): Promise<ListedKey[]> {
    const rows = await this.#table.apiKey.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
    return rows.map((row) => ({
      ...toRecord(row),
      createdAt: row.createdAt,
      expiresAt: row.expiresAt ?? undefined,
      revokedAt: row.revokedAt ?? undefined,
    }));
  }

  async count(): Promise<number> {
    return this.#table.apiKey.count();
  }

  /**
   * Ends a key for ever: at once in this process, within the remembered seconds in others.
   *
   * @param name Prefix or id.
   * @returns The key, or undefined when there is none of this name. Revoking twice keeps the first date.
   */
  async revoke(name: string): Promise<ListedKey | undefined> {
    const key = (await this.list()).find((listed) => listed.prefix === name || listed.id === name);
    if (!key || key.revokedAt) return key;
    const revokedAt = new Date(this.#clock.now() * 1000);
    await this.#table.apiKey.update({ where: { id: key.id }, data: { revokedAt } });
    this.#cache.clear();
    return { ...key, revokedAt };
  }

  #read(text: string, digest: string): Promise<KeyRecord | undefined> {
    const reading = this.#table.apiKey
      .findUnique({ where: { prefix: publicPart(text, digest) } })
      .then((row) => (row && sameHash(row.hash, digest) ? toStored(row) : undefined));
    this.#cache.remember(digest, reading, () => this.#clock.now());
    return reading.then((key) => this.#valid(key));
  }

  #valid(key: StoredKey | undefined): KeyRecord | undefined {
    return key && !key.revoked && key.expiresAt > this.#clock.now() ? key.record : undefined;
  }

  #row(key: NewKey, digest: string, prefix: string) {
    return {
      prefix,
      hash: digest,
      owner: key.owner,
      email: key.email,
      limit: key.limit?.text,
      createdAt: new Date(this.#clock.now() * 1000),
      expiresAt: key.expiresAt,
    };
  }

  #digest(text: string): string {
    return hash("sha256", `${this.#pepper}\0${text}`, "hex");
  }
}

interface StoredKey {
  record: KeyRecord;
  revoked: boolean;
  /** Unix seconds. */
  expiresAt: number;
}

const PREFIX_LENGTH = 8;

/** 33 characters of 62 are 196 bits. */
const SECRET_LENGTH = 33;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random text; bytes from 248 on are thrown away, since 256 is no multiple of 62. */
function base62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}

/** The name under which a text would be stored; one chosen by others is named by the start of its hash. */
function publicPart(text: string, digest: string): string {
  return /^mo_([0-9A-Za-z]{8})_[0-9A-Za-z]{33}$/.exec(text)?.[1] ?? `own-${digest.slice(0, 12)}`;
}

/** Takes the same time wherever the two differ. */
function sameHash(stored: string, digest: string): boolean {
  const a = Buffer.from(stored, "hex");
  const b = Buffer.from(digest, "hex");
  return a.length === b.length && timingSafeEqual(a, b);
}

function toStored(row: ApiKeyModel): StoredKey {
  return {
    record: toRecord(row),
    revoked: row.revokedAt !== null,
    expiresAt: row.expiresAt === null ? Number.POSITIVE_INFINITY : row.expiresAt.getTime() / 1000,
  };
}

function toRecord(row: ApiKeyModel): KeyRecord {
  const { id, prefix, owner } = row;
  return {
    id,
    prefix,
    owner,
    email: row.email ?? undefined,
    limit: row.limit === null ? undefined : parseLimit(row.limit),
  };
}
