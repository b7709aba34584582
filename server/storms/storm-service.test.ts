import { afterAll, beforeAll, expect, it, vi } from "vitest";
import { demoStormFeed, feedTexts } from "#server/demo/storms/feed.ts";
import { type Database, openDatabase } from "#server/platform/db.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { aheadPoint, stormOf, trackPoint } from "#test/storms.ts";
import { deriveStorms } from "./derive.ts";
import type { PolledFeed } from "./refresh.ts";
import { StormStore } from "./store.ts";
import { isContinuation, openStorms, type StormService } from "./storm-service.ts";

const now = Date.parse("2026-09-15T12:00:00Z") / 1000;

const DAY = 86_400;

describeWithDatabase("the storm service with a polled feed", (fresh) => {
  let database: Database;
  let isSynthetic = true;
  let elapsed = 0;
  const opened: StormService[] = [];

  const open = (mode?: "auto" | "always") => {
    const polledFeed: PolledFeed | undefined = mode && demoStormFeed(1, mode, async () => isSynthetic);
    const log = { warn: vi.fn(), error: vi.fn() };
    const service = openStorms({
      tables: database.prisma,
      polledFeed,
      retention: { textSeconds: 90 * DAY, historySeconds: 400 * DAY },
      now: () => now,
      elapsed: () => elapsed,
      log,
    });
    opened.push(service);
    return service;
  };

  beforeAll(async () => {
    database = await openDatabase(await fresh());
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

  it("deletes old texts and the history of storms that ended long ago when it starts, and nothing that is served", async () => {
    const key = { provider: "jma", synthetic: false } as const;
    const days = (count: number) => new Date((now - count * DAY) * 1000);
    const { stormHistory, stormText } = database.prisma;
    const bulletin = (storm: string, ago: number) => ({ ...key, storm, entry: "{}", issuedAt: days(ago) });
    await stormHistory.createMany({
      data: [
        bulletin("WP012025", 405),
        bulletin("WP012025", 401),
        bulletin("WP022025", 405),
        bulletin("WP022025", 399),
      ],
    });
    const text = (source: string, ago: number) => ({
      ...key,
      source,
      hash: source,
      text: "",
      receivedAt: days(ago),
    });
    await stormText.createMany({ data: [text("old", 91), text("recent", 89)] });
    open();
    await vi.waitFor(async () => expect(await stormHistory.count({ where: { storm: "WP012025" } })).toBe(0));
    expect((await stormText.findMany({ where: key })).map(({ source }) => source)).toEqual(["recent"]);
    expect(await stormHistory.count({ where: { storm: "WP022025" } })).toBe(2);
  });

  it("gives way to received storms of a provider, unless it takes precedence", async () => {
    const received = { provider: "jtwc", synthetic: false } as const;
    const texts = feedTexts("jtwc", now, { seed: 2 });
    const { storms } = deriveStorms({ provider: "jtwc", texts, previous: [], now });
    await new StormStore(database.prisma).replace(received, texts, storms, now, undefined);
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

const at = (latitude: number, longitude: number) => ({ latitude, longitude });
const observed = [-24, -12, 0].map((hour) => trackPoint(hour, at(12, -30 - hour / 6)));
const invest = {
  ...stormOf([aheadPoint(0, at(12, -30))], { id: "AL902026", is_invest: true }),
  tracks: { observed },
};
const storm = {
  ...stormOf([aheadPoint(0, at(12, -30))], { aliases: ["AL902026"] }),
  tracks: { observed: [...observed, trackPoint(12, at(12.5, -32))] },
};

it("an invest has become the storm that has its id as an alias and was where the invest was last", () => {
  expect(isContinuation(invest, storm)).toBe(true);
  expect(isContinuation(invest, { ...storm, aliases: ["AL912026"] })).toBe(false);
  expect(isContinuation({ ...invest, is_invest: false }, storm)).toBe(false);
});

it("not one that had the number before: it was somewhere else then, or had ended", () => {
  const elsewhere = observed.map((point) => ({ ...point, lat: point.lat + 10 }));
  expect(isContinuation(invest, { ...storm, tracks: { observed: elsewhere } })).toBe(false);
  const earlier = observed.map((point) => ({ ...point, time: point.time - 20 * 86_400 }));
  expect(isContinuation(invest, { ...storm, tracks: { observed: earlier } })).toBe(false);
});
