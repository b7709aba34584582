import { expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { memoryFeedStates } from "#test/feed-states.ts";
import { openDatabase } from "./db.ts";
import { feedStates } from "./feed-state.ts";

const DAY = 86_400;
const noon = Date.UTC(2026, 0, 1, 12) / 1000;

describeWithDatabase("feed states", (fresh) => {
  it("survive the process, count bytes by UTC day, and are the same in memory as in the database", async () => {
    const place = await fresh();
    const clock = { time: noon, now: () => clock.time };
    const database = await openDatabase(place);
    const again = await openDatabase(place);
    try {
      const inMemory = memoryFeedStates(clock);
      const stores = [feedStates(database.prisma, clock), inMemory];
      for (const states of stores) {
        await states.set("gfs", {
          state: "growing",
          newestRun: noon - 3600,
          steps: 3,
          error: "slow",
          errorAt: noon,
        });
        await states.count("gfs", 100);
        await states.count("gfs", 11);
        await states.count("gfswave", 5);
        expect(await states.spend(noon - DAY / 2, 7_000_000_000)).toBe(7_000_000_000);
        expect(await states.spend(noon - DAY / 2, 1)).toBe(7_000_000_001);
      }
      const restarted = feedStates(again.prisma, clock);
      expect(await restarted.all()).toEqual(await inMemory.all());
      expect((await restarted.all())[0]).toMatchObject({
        name: "gfs",
        state: "growing",
        newestRun: noon - 3600,
        nextExpected: null,
        error: "slow",
        bytesToday: 111,
        bytesTotal: 111,
      });
      await restarted.set("gfs", { state: "current", error: null, errorAt: null });
      clock.time += DAY;
      expect(await restarted.spend(noon + DAY / 2, 0)).toBe(0);
      await restarted.count("gfs", 1);
      expect((await restarted.all())[0]).toMatchObject({
        state: "current",
        newestRun: noon - 3600,
        error: null,
        errorAt: null,
        bytesToday: 1,
        bytesTotal: 112,
      });
    } finally {
      await database.close();
      await again.close();
    }
  });

  it("one process of several leads, and another takes over when it is gone", async () => {
    const place = await fresh();
    const [one, other] = [await openDatabase(place), await openDatabase(place)];
    try {
      const lead = await one.lead(7, 8);
      expect(lead?.lost.aborted).toBe(false);
      expect(await other.lead(7, 8)).toBeUndefined();
      await lead?.close();
      const next = await other.lead(7, 8);
      expect(next).toBeDefined();
      const lost = new Promise((resolve) => next!.lost.addEventListener("abort", resolve));
      await one.prisma.$executeRaw`
        SELECT pg_terminate_backend(pid) FROM pg_locks WHERE locktype = 'advisory' AND classid = 7 AND objid = 8`;
      await lost;
      await next?.close();
    } finally {
      await one.close();
      await other.close();
    }
  });
});
