import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { demoStormFeed, feedTexts } from "#server/demo/storms/feed.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { migratedDataDirs } from "#test/databases.ts";
import { deriveStorms } from "./derive.ts";
import type { PolledFeed } from "./feed.ts";
import { StormStore } from "./store.ts";
import { openStorms, type StormService } from "./storm-service.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;

describe("the storm service with a polled feed", () => {
  const empty = migratedDataDirs();
  let database: Database;
  let isSynthetic = true;
  let elapsed = 0;
  const opened: StormService[] = [];

  const open = (mode?: "auto" | "always", seed = 1, time = now) => {
    const polledFeed: PolledFeed | undefined =
      mode && demoStormFeed({ seed, mode, isSynthetic: () => isSynthetic, elapsed: () => elapsed });
    const log = { warn: vi.fn(), error: vi.fn() };
    const service = openStorms({
      tables: database.prisma,
      polledFeed,
      now: () => time,
      elapsed: () => elapsed,
      log,
    });
    opened.push(service);
    return service;
  };

  beforeAll(async () => {
    database = await openDatabase(await empty());
  });
  afterAll(async () => {
    for (const service of opened) await service.close();
    await database.close();
  });

  it("publishes its storms while it is active, with earlier bulletins in their history", async () => {
    const service = open("auto");
    for (const provider of ["jtwc", "jma"] as const) {
      const published = await service.published(provider);
      expect(published).toMatchObject({ synthetic: true, refreshedAt: now });
      expect(published?.entries.length).toBeGreaterThan(0);
    }
    await vi.waitFor(
      async () => expect((await service.history("jtwc", "WP212026")).length).toBeGreaterThan(4),
      { timeout: 20_000 },
    );
    isSynthetic = false;
    elapsed += 1500;
    expect(await service.published("jtwc")).toBeUndefined();
    isSynthetic = true;
  });

  it("a second server on the database leaves the history; one with another planet begins it again", async () => {
    const key = { provider: "jtwc", synthetic: true } as const;
    const first = await open("auto").published("jtwc");
    const entry = JSON.stringify(first?.entries[0]);
    // Older than what a start restores.
    const old = { ...key, storm: "OLD", issuedAt: new Date((now - 30 * 86_400) * 1000), entry };
    await database.prisma.stormHistory.create({ data: old });
    for (const later of [0, 6 * 3600]) {
      const second = open("auto", 1, now + later);
      expect((await second.published("jtwc"))?.refreshedAt).toBe(now + later);
      expect(await second.history("jtwc", "OLD")).toHaveLength(1);
    }
    const other = open("auto", 2, now + 6 * 3600);
    expect((await other.published("jtwc"))?.refreshedAt).toBe(now + 6 * 3600);
    expect(await other.history("jtwc", "OLD")).toEqual([]);
  });

  it("gives way to received storms of a provider, unless it takes precedence", async () => {
    const received = { provider: "jtwc", synthetic: false } as const;
    const texts = feedTexts("jtwc", now, { seed: 2 });
    const { storms } = deriveStorms({ provider: "jtwc", texts, previous: [], now });
    await new StormStore(database.prisma).replace(received, texts, storms, now, "none");
    for (const [mode, synthetic] of [
      [undefined, { jtwc: false, jma: undefined }],
      ["auto", { jtwc: false, jma: true }],
      ["always", { jtwc: true, jma: true }],
    ] as const) {
      const service = open(mode);
      expect((await service.published("jtwc"))?.synthetic).toBe(synthetic.jtwc);
      expect((await service.published("jma"))?.synthetic).toBe(synthetic.jma);
    }
  });
});
