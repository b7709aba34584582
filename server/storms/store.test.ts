import { afterEach, expect, it } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { type DeriveInput, deriveStorms } from "./derive.ts";
import { type Feed, refresh } from "./refresh.ts";
import { StormStore, SupersededError } from "./store.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const HOUR = 3600;
const real = { provider: "jtwc", synthetic: false } as const;
const demo = { provider: "jtwc", synthetic: true } as const;

const texts = feedTexts("jtwc", now, { seed: 1 });
const { storms } = deriveStorms({ provider: "jtwc", texts, previous: [], now });

describeWithDatabase("the storms' store", (fresh) => {
  let database: Database | undefined;
  afterEach(async () => {
    await database?.close();
    database = undefined;
  });

  it("stores every text once, the snapshot unchanged, and the entry of every bulletin", async () => {
    database = await openDatabase(await fresh());
    const store = new StormStore(database.prisma);
    expect(await store.snapshot(real)).toBeUndefined();
    await store.replace(real, texts.slice(1), storms.slice(1), now, undefined);
    await store.replace(real, texts, storms, now + 600, (await store.snapshot(real))!);
    expect(await store.snapshot(real)).toEqual({ storms, refreshedAt: now + 600, revision: 2, origin: null });
    // The order of fields is the published one.
    expect(JSON.stringify((await store.snapshot(real))!.storms)).toBe(JSON.stringify(storms));
    expect(await database.prisma.stormText.count()).toBe(texts.length);
    expect(await store.revisions()).toEqual([{ ...real, revision: 2, refreshedAt: now + 600 }]);

    const id = "WP212026";
    const later = { ...storms.at(-1)!, bulletin: { ...storms.at(-1)!.bulletin, issued: now + 6 * HOUR } };
    await store.replace(real, [], [later], now + 6 * HOUR, (await store.snapshot(real))!);
    const issued = async (until: number) =>
      (await store.history(real, id, 10, until)).map((past) => past.issued);
    expect(await issued(now + 6 * HOUR)).toEqual([storms.at(-1)!.bulletin.issued, now + 6 * HOUR]);
    expect(await issued(now)).toEqual([storms.at(-1)!.bulletin.issued]);
    expect(await store.history(real, id, 1, now + 6 * HOUR)).toEqual([
      { issued: now + 6 * HOUR, entry: JSON.stringify(later.entry) },
    ]);

    // The storm that an invest has become is found by the newest entry that names the invest in the days after.
    const { entry, bulletin } = storms.at(-1)!;
    const became = { bulletin, entry: { ...entry, id: "WP222026", aliases: [id] } };
    await store.backfill(real, [became]);
    expect(await store.naming(real, id, bulletin.issued, now)).toEqual([JSON.stringify(became.entry)]);
    expect(await store.naming(real, id, bulletin.issued + 1, now)).toEqual([]);
    expect(await store.naming(demo, id, bulletin.issued, now)).toEqual([]);

    // Another origin of the synthetic snapshot leaves the real one untouched.
    await store.replace(demo, texts, storms, now, undefined, "seed 1");
    const first = await store.snapshot(demo);
    await store.replace(demo, texts.slice(0, 1), storms.slice(0, 1), now, first, "seed 2");
    expect((await store.snapshot(demo))!.storms).toHaveLength(1);
    expect(await store.history(demo, id, 10, now)).toEqual([]);
    expect(await database.prisma.stormText.count({ where: demo })).toBe(1);
    expect(await store.history(real, "\0", 10, now)).toEqual([]);
    expect(await issued(now + 6 * HOUR)).toHaveLength(2);
  });

  it("does not replace what another refresh has written since, not even its time", async () => {
    database = await openDatabase(await fresh());
    const store = new StormStore(database.prisma);
    await store.replace(real, texts, storms, now, undefined);
    const before = (await store.snapshot(real))!;
    const late = store.replace(real, texts, storms, now + 600, undefined);
    await expect(late).rejects.toThrow(SupersededError);
    await store.replace(real, [], storms, now + 900, before);
    for (const older of [storms, storms.slice(1)]) {
      await expect(store.replace(real, texts, older, now + 600, before)).rejects.toThrow(SupersededError);
      expect(await store.snapshot(real)).toEqual({
        storms,
        refreshedAt: now + 900,
        revision: 1,
        origin: null,
      });
    }
  });

  it("of two refreshes at the same time, the one that began first does not end up published over the newer one", async () => {
    database = await openDatabase(await fresh());
    const store = new StormStore(database.prisma);
    const mirror = { texts: texts.slice(0, 2) };
    const feed: Feed = { provider: "jtwc", synthetic: false, texts: async () => mirror.texts };
    const signal = new AbortController().signal;
    let isFirst = true;
    /** Derives the older texts only after the newer ones are published. */
    const slowly = async (input: DeriveInput) => {
      if (isFirst) {
        isFirst = false;
        mirror.texts = texts;
        await refresh(feed, { store, derive: deriveStorms, now: now + 60, signal });
      }
      return deriveStorms(input);
    };
    await refresh(feed, { store, derive: slowly, now, signal });
    const ids = (await store.snapshot(real))!.storms.map(({ entry }) => entry.id);
    expect(ids).toEqual(storms.map(({ entry }) => entry.id));
  });

  it("replaces all of it or nothing", async () => {
    database = await openDatabase(await fresh());
    const store = new StormStore(database.prisma);
    await store.replace(real, [], storms, now, undefined);
    const before = (await store.snapshot(real))!;
    const impossible = [{ source: "x", text: "a text that PostgreSQL refuses: \0", receivedAt: now }];
    await expect(store.replace(real, [...texts, ...impossible], [], now + 600, before)).rejects.toThrow();
    expect(await store.snapshot(real)).toMatchObject({ refreshedAt: now, revision: 1 });
    expect(await database.prisma.stormText.count()).toBe(0);
  });
});
