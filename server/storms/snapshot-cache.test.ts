import { describe, expect, it, vi } from "vitest";
import { SnapshotCache } from "./snapshot-cache.ts";
import type { Snapshot } from "./store.ts";

const KEY = { provider: "jtwc", synthetic: false } as const;

/** A cache over a database that answers when the test says so. */
function setUp() {
  let now = 0;
  let kept: Omit<Snapshot, "storms"> | undefined = { revision: 1, refreshedAt: 100 };
  const asked: PromiseWithResolvers<void>[] = [];
  const warn = vi.fn();
  const cache = new SnapshotCache({
    store: {
      async revisions() {
        const question = Promise.withResolvers<void>();
        asked.push(question);
        await question.promise;
        return kept ? [{ ...KEY, ...kept }] : [];
      },
      snapshot: async () => kept && { ...kept, storms: [] },
    },
    elapsed: () => now,
    log: { warn },
  });
  return {
    cache,
    asked,
    warn,
    pass: (milliseconds: number) => {
      now += milliseconds;
    },
    keep: (snapshot: typeof kept) => {
      kept = snapshot;
    },
    /** The first answer, and what came of it. */
    async first() {
      const reading = cache.get(KEY);
      asked[0]!.resolve();
      return reading;
    },
  };
}

describe("storms in memory", () => {
  it("are given at once while the database is asked, so that no request waits for a refresh", async () => {
    const { cache, asked, pass, keep, first } = setUp();
    expect(await first()).toMatchObject({ revision: 1 });
    keep({ revision: 2, refreshedAt: 200 });
    pass(1500);
    expect([cache.get(KEY), cache.get(KEY)]).toMatchObject([{ revision: 1 }, { revision: 1 }]);
    expect(asked).toHaveLength(2);
    asked[1]!.resolve();
    await vi.waitFor(() => expect(cache.get(KEY)).toMatchObject({ revision: 2, refreshedAt: 200 }));
  });

  it("are asked for anew after a rest: nobody is given what is old because nobody asked", async () => {
    const { cache, asked, pass, keep, first } = setUp();
    await first();
    keep({ revision: 2, refreshedAt: 200 });
    pass(60_000);
    const reading = cache.get(KEY);
    asked[1]!.resolve();
    expect(await reading).toMatchObject({ revision: 2 });
  });

  it("that were never read are no reason to wait either", async () => {
    const { cache, asked, pass, keep, first } = setUp();
    keep(undefined);
    expect(await first()).toBeUndefined();
    pass(1500);
    expect(cache.get(KEY)).toBeUndefined();
    expect(asked).toHaveLength(2);
  });

  it("stay while the database is away, which is asked once a second and noted", async () => {
    const { cache, asked, warn, pass, first } = setUp();
    await first();
    for (const time of [1, 2]) {
      pass(1500);
      expect(cache.get(KEY)).toMatchObject({ revision: 1 });
      asked[time]!.reject(new Error("away"));
      await vi.waitFor(() => expect(warn).toHaveBeenCalledTimes(time));
      expect(cache.get(KEY)).toMatchObject({ revision: 1 });
    }
    expect(asked).toHaveLength(3);
  });

  it("fail where nothing was ever read and the database is away", async () => {
    const { cache, asked } = setUp();
    const reading = cache.get(KEY);
    asked[0]!.reject(new Error("away"));
    await expect(reading).rejects.toThrow("away");
  });
});
