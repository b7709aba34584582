import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished, vi } from "vitest";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { type DatabaseProxy, databaseProxy } from "#test/database-proxy.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { CACHE_MS, RETAINED_MS } from "./key-lookup.ts";
import { KeyStore } from "./keys.ts";

const START = Date.UTC(2026, 5, 1) / 1000;

describeWithDatabase("while the database is away", (fresh) => {
  let near: Database;
  let behind: Database;
  let proxy: DatabaseProxy;
  let time = START;
  const clock = { now: () => time };
  const open = ({ prisma }: Database) =>
    new KeyStore(prisma, { pepper: "pepper of the tests", clock, elapsed: () => time * 1000 });
  beforeAll(async () => {
    const place = await fresh();
    near = await openDatabase(place);
    proxy = await databaseProxy(place.databaseUrl);
    behind = await openDatabase({ ...place, databaseUrl: proxy.url });
  });
  beforeEach(() => proxy.restore());
  afterAll(async () => {
    await behind?.close();
    await proxy?.close();
    await near?.close();
  });

  /** Advances the clock and confirms the keys at the interval of a process. */
  async function pass(seconds: number, keys: KeyStore) {
    for (let left = seconds; left > 0; left -= CACHE_MS / 1000) {
      time += Math.min(left, CACHE_MS / 1000);
      await keys.confirm();
    }
  }

  const ownerOf = async (keys: KeyStore, text: string) => (await keys.find(text))?.owner;

  /** Looks a key up as the first requests do when the database answers again. */
  async function settled(keys: KeyStore, text: string) {
    await keys.find(text);
    time += 1;
    await keys.confirm();
    return ownerOf(keys, text);
  }

  it("a key works for ten minutes after it was last confirmed; others cannot be checked", async () => {
    const here = open(near);
    const [used, unused] = [await here.create({ owner: "Ann" }), await here.create({ owner: "Bob" })];
    const keys = open(behind);
    await keys.find(used.text);
    await pass(3600, keys);
    proxy.cut();
    await pass(RETAINED_MS / 1000 - 1, keys);
    expect(await ownerOf(keys, used.text)).toBe("Ann");
    await expect(keys.find(unused.text)).rejects.toThrow();
    await expect(keys.find("wrong")).rejects.toThrow();
    time += 2;
    await expect(keys.find(used.text)).rejects.toThrow();
    proxy.restore();
    expect(await ownerOf(keys, used.text)).toBe("Ann");
    expect(await ownerOf(keys, unused.text)).toBe("Bob");
  });

  it("a key revoked before the outage stays revoked, used or not, and one revoked after it ends within five seconds", async () => {
    const here = open(near);
    const [before, during, kept] = [
      await here.create({ owner: "Ann" }),
      await here.create({ owner: "Bob" }),
      await here.create({ owner: "Cai" }),
    ];
    const keys = open(behind);
    for (const { text } of [before, during, kept]) await keys.find(text);
    await here.revoke(before.record.prefix);
    await pass(CACHE_MS / 1000, keys);
    proxy.cut();
    await pass(60, keys);
    // It is no longer cached, so nothing can confirm it.
    await expect(keys.find(before.text)).rejects.toThrow();
    expect(await ownerOf(keys, during.text)).toBe("Bob");
    // Other processes reach the database before this one does.
    await here.revoke(during.record.prefix);
    expect(await ownerOf(keys, during.text)).toBe("Bob");
    proxy.restore();
    await pass(CACHE_MS / 1000, keys);
    expect(await ownerOf(keys, during.text)).toBeUndefined();
    expect(await ownerOf(keys, before.text)).toBeUndefined();
    expect(await ownerOf(keys, kept.text)).toBe("Cai");
    proxy.cut();
    await pass(6, keys);
    await expect(keys.find(during.text)).rejects.toThrow();
    expect(await ownerOf(keys, kept.text)).toBe("Cai");
  });

  it("a key that expires, or that this process revokes, stops working during an outage", async () => {
    const keys = open(behind);
    const expiring = await keys.create({ owner: "Ann", expiresAt: new Date((time + 60) * 1000) });
    const revoked = await keys.create({ owner: "Bob" });
    for (const { text } of [expiring, revoked]) await keys.find(text);
    await keys.revoke(revoked.record.prefix);
    proxy.cut();
    await pass(30, keys);
    expect(await ownerOf(keys, expiring.text)).toBe("Ann");
    await expect(keys.find(revoked.text)).rejects.toThrow();
    time += 31;
    expect(await ownerOf(keys, expiring.text)).toBeUndefined();
  });

  it("a database that does not answer is waited for once, by the first request", async () => {
    const keys = open(behind);
    const { text } = await keys.create({ owner: "Ann" });
    await keys.find(text);
    proxy.stall();
    time += 6;
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const first = ownerOf(keys, text);
    await vi.advanceTimersByTimeAsync(1900);
    expect(await Promise.race([first, "is waiting"])).toBe("is waiting");
    await vi.advanceTimersByTimeAsync(100);
    expect(await first).toBe("Ann");
    // The second request waits for nothing.
    time += 6;
    expect(await ownerOf(keys, text)).toBe("Ann");
    vi.useRealTimers();
    proxy.restore();
    expect(await settled(keys, text)).toBe("Ann");
  });
});
