import type { StormRecord } from "@open-metocean/storms/bulletin";
import { stormEntry } from "@open-metocean/storms/entry";
import { describe, expect, it, vi } from "vitest";
import { feedTexts } from "#server/demo/storms/feed.ts";
import { BASE, bulletin, forecast } from "#test/storm-feed.ts";
import { deriveStorms } from "./derive.ts";
import { publish, SnapshotCache } from "./published.ts";
import type { Snapshot } from "./store.ts";

const HOUR = 3600;
const now = Date.parse("2026-09-15T12:00:00Z") / 1000;
const derived = deriveStorms({
  provider: "jtwc",
  texts: feedTexts("jtwc", now, { seed: 1 }),
  previous: [],
  now,
});

function after(hours: number, storms: readonly StormRecord[] = derived.storms) {
  return publish(
    { ...derived, storms: [...storms], refreshedAt: now, revision: 1 },
    true,
    now + hours * HOUR,
  );
}

/** Whether the same texts, read again at the time, leave the storm active. */
function activeByRefresh(id: string, hours: number): boolean {
  const { storms } = deriveStorms({
    provider: "jtwc",
    texts: [],
    previous: derived.storms,
    feed: derived.feed,
    areas: derived.areas,
    now: now + hours * HOUR,
  });
  return storms.find(({ entry }) => entry.id === id)?.entry.is_active ?? false;
}

it("a silent storm ends at the same hour whether texts are read again or not, and says so without being asked twice", async () => {
  const active = derived.storms.filter(({ entry }) => entry.is_active);
  expect(active.some(({ entry }) => entry.is_invest)).toBe(true);
  let held = await after(0);
  const ends = new Set<string>();
  while (Number.isFinite(held.changesAt)) {
    held = await publish(held, true, held.changesAt);
    for (const { id, is_active, is_overdue, development, formation_alert, cone } of held.entries) {
      if (is_active || ends.has(id)) continue;
      ends.add(id);
      expect({ is_overdue, development, formation_alert, cone }).toEqual({ is_overdue: false });
    }
  }
  for (const { entry } of active) expect(ends.has(entry.id)).toBe(true);
  for (let hours = 0; hours < 24 * 8; hours += 12) {
    const { entries } = await after(hours);
    for (const { entry } of active) {
      const shown = entries.find(({ id }) => id === entry.id)!;
      expect([hours, entry.id, shown.is_active]).toEqual([hours, entry.id, activeByRefresh(entry.id, hours)]);
    }
  }
});

const storm = bulletin({ forecast });
const storms = [{ bulletin: storm, entry: stormEntry(storm, { now: BASE, generatedAt: BASE }) }];

const KEY = { provider: "jtwc", synthetic: false } as const;

/** A cache over a database whose answers the test controls. */
function setUp() {
  let now = 0;
  let weather = BASE;
  let stored: Omit<Snapshot, "storms"> | undefined = { revision: 1, refreshedAt: 100 };
  const checks: PromiseWithResolvers<void>[] = [];
  const warn = vi.fn();
  const cache = new SnapshotCache({
    store: {
      async revisions() {
        const check = Promise.withResolvers<void>();
        checks.push(check);
        await check.promise;
        return stored ? [{ ...KEY, ...stored }] : [];
      },
      snapshot: async () => stored && { ...stored, storms },
    },
    now: () => weather,
    elapsed: () => now,
    log: { warn },
  });
  return {
    cache,
    checks,
    warn,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    weatherAt: (hour: number) => {
      weather = BASE + hour * 3600;
    },
    store: (snapshot: typeof stored) => {
      stored = snapshot;
    },
    /** Lets the first check succeed. @returns The snapshot. */
    async first() {
      const reading = cache.get(KEY);
      checks[0]!.resolve();
      return reading;
    },
  };
}

describe("storms in memory", () => {
  it("are compared with the database once a second, by one check for all requests", async () => {
    const { cache, checks, pass, store, first } = setUp();
    expect(await first()).toMatchObject({ revision: 1 });
    store({ revision: 2, refreshedAt: 200 });
    expect(await cache.get(KEY)).toMatchObject({ revision: 1 });
    pass(2500);
    const readings = Promise.all([cache.get(KEY), cache.get(KEY)]);
    expect(checks).toHaveLength(2);
    checks[1]!.resolve();
    expect(await readings).toMatchObject([{ revision: 2, refreshedAt: 200 }, { revision: 2 }]);
  });

  it("are as old as they are also where the clock was a day ahead and is set back", async () => {
    const { cache, weatherAt, first } = setUp();
    const before = (await first())!.entries;
    weatherAt(24 * 10);
    expect((await cache.get(KEY))!.entries).not.toEqual(before);
    weatherAt(0);
    expect((await cache.get(KEY))!.entries).toEqual(before);
  });

  it("stay while the database is down, which is checked once a second and logged", async () => {
    const { cache, checks, warn, pass, first } = setUp();
    await first();
    for (const time of [1, 2]) {
      pass(2500);
      const reading = cache.get(KEY);
      checks[time]!.reject(new Error("away"));
      expect(await reading).toMatchObject({ revision: 1 });
      expect(warn).toHaveBeenCalledTimes(time);
      expect(await cache.get(KEY)).toMatchObject({ revision: 1 });
    }
    expect(checks).toHaveLength(3);
  });

  it("lose a forecast that is too old while no refresh runs and the database is down", async () => {
    const { cache, checks, pass, weatherAt, first } = setUp();
    const fresh = await first();
    expect(fresh!.entries[0]!.tracks.forecast!.is_stale).toBe(false);
    const before = fresh!.entries[0]!.track_bbox;
    const at = async (hour: number) => {
      weatherAt(hour);
      const [one, other] = await Promise.all([cache.get(KEY), cache.get(KEY)]);
      expect(one).toBe(other);
      const { results } = JSON.parse(one!.all.plain.toString());
      expect(results).toEqual(one!.entries);
      return one!;
    };
    pass(2500);
    const reading = cache.get(KEY);
    checks[1]!.reject(new Error("away"));
    await reading;
    expect((await at(11.9)).all.etag).toBe(fresh!.all.etag);
    const [stale] = (await at(12)).entries;
    expect([stale!.tracks.forecast!.is_stale, stale!.cone !== undefined]).toEqual([true, true]);
    expect((await at(23.9)).entries[0]!.tracks.forecast).toBeDefined();
    const [withdrawn] = (await at(24)).entries;
    expect(withdrawn).toMatchObject({ is_active: true, is_overdue: true });
    expect([withdrawn!.tracks.forecast, withdrawn!.cone]).toEqual([undefined, undefined]);
    expect(withdrawn!.track_bbox).not.toEqual(before);
    expect((await at(96)).entries).toHaveLength(1);
    // A replay goes back.
    expect(await cache.get(KEY)).toMatchObject({ revision: 1 });
  });
});
