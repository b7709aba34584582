import { randomBytes } from "node:crypto";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import type { Env } from "#server/platform/env.ts";
import {
  KeyLookup,
  type KeyOrigin,
  type KeyRecord,
  type ListedKey,
  publicPart,
  toListed,
} from "./key-lookup.ts";

export interface NewKey {
  owner: string;
  email?: string;
  limit?: Limit;
  expiresAt?: Date;
  origin?: KeyOrigin;
}

/** Creates, lists and revokes API keys. A key is random, and its text is shown only once. */
export class KeyStore extends KeyLookup {
  /** @returns The record, and the text of the key, which is stored nowhere. */
  async create(key: NewKey): Promise<{ record: KeyRecord; text: string }> {
    const prefix = base62(PREFIX_LENGTH);
    const text = `mo_${prefix}_${base62(SECRET_LENGTH)}`;
    const row = await this.table.apiKey.create({ data: this.#newRow(key, this.digest(text), prefix) });
    this.clearCache();
    return { record: toListed(row), text };
  }

  /** Creates a key from a given text, or updates the limit of the existing one. A revoked key stays revoked. */
  async adopt(text: string, key: NewKey): Promise<KeyRecord> {
    const digest = this.digest(text);
    // One statement does both, because replicas that start together adopt the same key.
    const row = await this.table.apiKey.upsert({
      where: { hash: digest },
      create: this.#newRow(key, digest, publicPart(text, digest)),
      update: { owner: key.owner, limit: key.limit?.text ?? null },
    });
    this.clearCache();
    return toListed(row);
  }

  /** All keys, oldest first, including revoked and expired ones. */
  async list(): Promise<ListedKey[]> {
    const rows = await this.table.apiKey.findMany({ orderBy: [{ createdAt: "asc" }, { id: "asc" }] });
    return rows.map(toListed);
  }

  async count(): Promise<number> {
    return this.table.apiKey.count();
  }

  /**
   * Revokes a key permanently: at once in this process, within `CACHE_MS` in others.
   *
   * @param name Prefix or id.
   * @returns The key, or undefined when no key has this name. Revoking a key twice keeps the first date.
   */
  async revoke(name: string): Promise<ListedKey | undefined> {
    const key = (await this.list()).find((listed) => listed.prefix === name || listed.id === name);
    if (!key || key.revokedAt) return key;
    const revokedAt = new Date(this.clock.now() * 1000);
    await this.table.apiKey.update({ where: { id: key.id }, data: { revokedAt } });
    this.clearCache(key.id);
    return { ...key, revokedAt };
  }

  /** Revokes all but the newest keys of an owner. @param keep Number of keys that stay. */
  async retire(owner: string, keep: number): Promise<void> {
    const table = this.table.apiKey;
    const old = await table.findMany({
      where: { owner, revokedAt: null },
      orderBy: [{ createdAt: "desc" }, { id: "desc" }],
      skip: keep,
    });
    if (old.length === 0) return;
    const revokedAt = new Date(this.clock.now() * 1000);
    const ids = old.map(({ id }) => id);
    await table.updateMany({ where: { id: { in: ids } }, data: { revokedAt } });
    this.clearCache(...ids);
  }

  #newRow(key: NewKey, digest: string, prefix: string) {
    return {
      prefix,
      hash: digest,
      owner: key.owner,
      email: key.email,
      limit: key.limit?.text,
      origin: key.origin,
      createdAt: new Date(this.clock.now() * 1000),
      expiresAt: key.expiresAt,
    };
  }
}

/** Limit of the first key. A map page sends many requests, which it must allow. */
const FIRST_LIMIT = "600 per 1 minute";

/**
 * Creates the keys of the environment, or a first key where there are none.
 *
 * @returns The text of the first key, to be printed once; undefined on every other start.
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

/** Characters of the secret part: 33 of 62 possible characters are 196 bits. */
const SECRET_LENGTH = 33;

const ALPHABET = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";

/** Random text of 62 characters. Bytes from 248 on are discarded, because 256 is not a multiple of 62. */
function base62(length: number): string {
  let text = "";
  while (text.length < length) {
    for (const byte of randomBytes(length)) {
      if (byte < 248 && text.length < length) text += ALPHABET[byte % 62];
    }
  }
  return text;
}
