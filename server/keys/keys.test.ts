import { hash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase } from "#test/databases.ts";
import type { KeyTable } from "./key-lookup.ts";
import { ensureFirstKeys, KeyStore } from "./keys.ts";
import { readPepper } from "./pepper.ts";

const compared = vi.hoisted(() => ({ times: 0 }));

vi.mock("node:crypto", async (original) => {
  const crypto = await original<typeof import("node:crypto")>();
  const timingSafeEqual: typeof crypto.timingSafeEqual = (a, b) => {
    compared.times++;
    return crypto.timingSafeEqual(a, b);
  };
  return { ...crypto, timingSafeEqual };
});

const START = Date.UTC(2026, 5, 1) / 1000;

describeWithDatabase("keys", (fresh) => {
  let database: Database;
  let place: Awaited<ReturnType<typeof fresh>>;
  let time = START;
  /** Seconds by which the machine's clock was set back. */
  let setBack = 0;
  const clock = { now: () => time - setBack };
  const elapsed = () => time * 1000;
  const open = (table: KeyTable = database.prisma) =>
    new KeyStore(table, { pepper: "pepper of the tests", clock, elapsed });

  beforeAll(async () => {
    place = await fresh();
    database = await openDatabase(place);
  });
  afterAll(() => database?.close());

  it("are long, random and prefixed, and their text is never in the database", async () => {
    const { text, record } = await open().create({ owner: "Ann", email: "ann@example.org" });
    expect(text).toMatch(/^mo_[0-9A-Za-z]{8}_[0-9A-Za-z]{33}$/);
    expect(33 * Math.log2(62)).toBeGreaterThanOrEqual(192);
    expect(text).toContain(record.prefix);
    const row = await database.prisma.apiKey.findUniqueOrThrow({ where: { id: record.id } });
    expect(row.hash).toMatch(/^[0-9a-f]{64}$/);
    expect(JSON.stringify(row)).not.toContain(text.slice(12));
  });

  it("identify their owner, and nobody with one character changed", async () => {
    const keys = open();
    const { text } = await keys.create({
      owner: "Bob",
      email: "bob@example.org",
      limit: parseLimit("5 per hour"),
    });
    expect(await keys.find(text)).toMatchObject({
      owner: "Bob",
      email: "bob@example.org",
      limit: { count: 5, periodSeconds: 3600, text: "5 per 1 hour" },
    });
    const changed = text.slice(0, -1) + (text.endsWith("a") ? "b" : "a");
    expect(await keys.find(changed)).toBeUndefined();
    for (const wrong of ["", "mo_", `${text} `, "\0", "x".repeat(100_000)]) {
      expect(await keys.find(wrong)).toBeUndefined();
    }
  });

  it("are found without a query while they are cached", async () => {
    const { text } = await open().create({ owner: "Eve" });
    const table = counting(database.prisma);
    const keys = open(table);
    await Promise.all([keys.find(text), keys.find(text), keys.find(text)]);
    expect(await keys.find(text)).toMatchObject({ owner: "Eve" });
    await keys.find("wrong");
    expect(await keys.find("wrong")).toBeUndefined();
    expect(table.reads()).toBe(2);
  });

  it("are checked together and without the cache: revoked, expired and unknown ones are named", async () => {
    const [here, elsewhere] = [open(), open()];
    const [good, revoked] = [await here.create({ owner: "Eve" }), await here.create({ owner: "Eve" })];
    const expired = await here.create({ owner: "Eve", expiresAt: new Date(1000 * (time + 60)) });
    const ids = [good, revoked, expired].map(({ record }) => record.id);
    const unknown = "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11";
    expect(await here.invalidAmong([...ids, unknown])).toEqual([unknown]);
    await here.find(revoked.text);
    await elsewhere.revoke(revoked.record.prefix);
    time += 61;
    expect(await here.invalidAmong(ids)).toEqual([revoked.record.id, expired.record.id]);
  });

  it("stop working at once in the process that revokes them, and elsewhere within five seconds", async () => {
    const here = open();
    const there = open();
    const { text, record } = await here.create({ owner: "Fay" });
    await here.find(text);
    expect(await there.find(text)).toBeDefined();
    expect(await here.revoke(record.prefix)).toMatchObject({
      owner: "Fay",
      revokedAt: new Date(time * 1000),
    });
    expect(await here.find(text)).toBeUndefined();
    time += 4.9;
    expect(await there.find(text)).toBeDefined();
    time += 0.2;
    expect(await there.find(text)).toBeUndefined();
    expect(await here.revoke("nobody")).toBeUndefined();
  });

  it("end at the instant they expire, cached or not", async () => {
    const keys = open();
    const { text } = await keys.create({ owner: "Gil", expiresAt: new Date((time + 2) * 1000) });
    expect(await keys.find(text)).toBeDefined();
    time += 2;
    expect(await keys.find(text)).toBeUndefined();
    expect(await open().find(text)).toBeUndefined();
  });

  it("are not cached longer when the clock is set back", async () => {
    const { text } = await open().create({ owner: "Hal" });
    const table = counting(database.prisma);
    const keys = open(table);
    await keys.find(text);
    setBack = 3600;
    await keys.find(text);
    expect(table.reads()).toBe(1);
    time += 5.1;
    await keys.find(text);
    expect(table.reads()).toBe(2);
    setBack = 0;
  });

  it("of the environment are created once, for two owners, and follow their limit", async () => {
    const env = {
      bootstrapKeys: [
        { owner: "bootstrap", text: "a key of one's own" },
        { owner: "bootstrap-2", text: "another of one's own" },
      ],
      bootstrapLimit: parseLimit("100000 per 1 minute"),
    };
    const keys = open();
    expect(await ensureFirstKeys(keys, env)).toBeUndefined();
    const count = await keys.count();
    expect(await ensureFirstKeys(keys, { ...env, bootstrapLimit: parseLimit("7 per day") })).toBeUndefined();
    expect(await keys.count()).toBe(count);
    expect(await keys.find("a key of one's own")).toMatchObject({ owner: "bootstrap", limit: { count: 7 } });
    expect(await keys.find("another of one's own")).toMatchObject({ owner: "bootstrap-2" });
    expect(JSON.stringify(await database.prisma.apiKey.findMany())).not.toContain("of one's own");
  });

  it("that were revoked stay revoked, even if the environment still names them", async () => {
    const keys = open();
    const env = { bootstrapKeys: [{ owner: "bootstrap", text: "revoked and still there" }] };
    await ensureFirstKeys(keys, env);
    const { prefix } = (await keys.find("revoked and still there"))!;
    await keys.revoke(prefix);
    await ensureFirstKeys(keys, env);
    expect(await keys.find("revoked and still there")).toBeUndefined();
  });

  it("include a first key of 600 requests per minute, which is shown once", async () => {
    const empty = await openDatabase(await fresh());
    const keys = open(empty.prisma);
    const text = await ensureFirstKeys(keys, { bootstrapKeys: [] });
    expect(await keys.find(text!)).toMatchObject({ limit: { text: "600 per 1 minute" } });
    expect(await ensureFirstKeys(keys, { bootstrapKeys: [] })).toBeUndefined();
    await empty.close();
  });

  it("have a pepper that every process of the installation shares", async () => {
    const first = await readPepper(place, database);
    expect(first).toMatch(/^[0-9a-f]{64}$/);
    expect(await readPepper(place, database)).toBe(first);
    expect(await readPepper({ ...place, keyPepper: "given from outside" }, database)).toBe(
      "given from outside",
    );
  });
});

describe("a lookup", () => {
  const row = { id: "1", owner: "Ida", prefix: "own", hash: "", email: null, limit: null } as const;
  type Query = { where: { prefix: { in: string[] } } };
  const table = (find: () => Promise<object | null>, more: object = {}) => {
    const findMany = async ({ where }: Query) => {
      const rows = await Promise.all(
        where.prefix.in.map(async (prefix) => ({ found: await find(), prefix })),
      );
      return rows.flatMap(({ found, prefix }) => (found ? [{ ...found, prefix }] : []));
    };
    return { apiKey: { findMany, ...more } } as unknown as KeyTable;
  };
  const options = { pepper: "p", clock: { now: () => START }, elapsed: () => START };
  const stored = () => ({
    ...row,
    hash: hash("sha256", "p\0right", "hex"),
    revokedAt: null,
    expiresAt: null,
  });

  it("of wrong keys never evicts a valid one", async () => {
    let reads = 0;
    const keys = new KeyStore(
      table(async () => (++reads === 1 ? stored() : null)),
      options,
    );
    expect(await keys.find("right")).toMatchObject({ owner: "Ida" });
    for (let index = 0; index < 10_001; index++) await keys.find(`wrong ${index}`);
    const before = reads;
    expect(await keys.find("right")).toMatchObject({ owner: "Ida" });
    expect(await keys.find("wrong 10000")).toBeUndefined();
    expect(reads).toBe(before);
    await keys.find("wrong 0");
    expect(reads).toBe(before + 1);
  });

  it("of a thousand random keys takes a handful of queries, and a valid key among them is found", async () => {
    let queries = 0;
    let rows = 0;
    const find = async () => (++rows === 501 ? stored() : null);
    const { findMany } = table(find).apiKey;
    const counted = { apiKey: { findMany: (query: never) => ++queries && findMany(query) } };
    const keys = new KeyStore(counted as unknown as KeyTable, options);
    const flood = Array.from({ length: 1000 }, (_, index) =>
      keys.find(index === 500 ? "right" : `random ${index}`),
    );
    const found = await Promise.all(flood);
    expect(found[500]).toMatchObject({ owner: "Ida" });
    expect(found.filter((key) => key !== undefined)).toHaveLength(1);
    expect(queries).toBe(3);
  });

  it("is not cached when the database fails", async () => {
    let broken = true;
    const failing = table(async () => {
      if (broken) throw new Error("connection lost");
      return null;
    });
    const keys = new KeyStore(failing, { pepper: "p", clock: { now: () => START } });
    await expect(keys.find("a")).rejects.toThrow("connection lost");
    broken = false;
    expect(await keys.find("a")).toBeUndefined();
  });
});

/** Counts the reads of a table. */
function counting(prisma: Database["prisma"]): KeyTable & { reads(): number } {
  let reads = 0;
  const counted = prisma.$extends({
    query: {
      $allOperations({ args, query }) {
        reads++;
        return query(args);
      },
    },
  });
  return { apiKey: counted.apiKey as unknown as KeyTable["apiKey"], reads: () => reads };
}
