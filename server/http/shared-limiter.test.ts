import { expect, it, onTestFinished, vi } from "vitest";
import { type Limit, parseLimit } from "#lib/contract/limit.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore } from "#test/tasks.ts";
import { databaseRateWindows, type RateWindows } from "./rate-windows.ts";
import { type SharedLimiter, sharedRateLimiter } from "./shared-limiter.ts";

const limitOf = (text: string): Limit => parseLimit(text)!;
const thousand = limitOf("1000 per 1 hour");

describeWithDatabase("a limit that processes share", (fresh) => {
  /** Processes on one database, whose clock and their own the test advances. */
  async function open(count = 1) {
    const { tables, database, clock, pass } = await openTestStore(await fresh());
    onTestFinished(() => database.close());
    const queries = vi.spyOn(tables, "$queryRaw");
    const logged = { warn: vi.fn(), info: vi.fn() };
    const stores = Array.from({ length: count }, () => databaseRateWindows(tables, "the secret"));
    const processes = stores.map((windows) =>
      sharedRateLimiter({ windows, clock, log: logged, elapsed: () => clock.now() * 1000 }),
    );
    for (const process of [...processes, ...processes]) await process.beat();
    queries.mockClear();
    const rows = () =>
      database.prisma.$queryRaw<{ taken: number }[]>`SELECT taken, bucket::text FROM rate_window`;
    return { processes, stores, tables, queries, clock, pass, rows, logged };
  }

  /** Sends requests by turns, several at the same time. @returns How many were allowed. */
  async function send(processes: readonly SharedLimiter[], count: number, limit: Limit, bucket = "data:1") {
    let allowed = 0;
    for (let sent = 0; sent < count; sent += 16) {
      const batch = Array.from({ length: Math.min(16, count - sent) }, async (_, index) =>
        processes[(sent + index) % processes.length]!.take(bucket, limit),
      );
      for (const allowance of await Promise.all(batch)) if (allowance.allowed) allowed++;
    }
    return allowed;
  }

  it("allows as much in all as one process would, with few questions to the database", async () => {
    const { processes, queries } = await open(4);
    expect(await send(processes, 2000, thousand)).toBe(1000);
    expect(queries.mock.calls.length).toBeLessThan(150);
    expect(processes.reduce((sum, { asked }) => sum + asked, 0)).toBe(queries.mock.calls.length);
  });

  it("allows no more where processes are asked unevenly, and as much when the others have rested", async () => {
    const { processes, pass } = await open(4);
    const [first, ...others] = processes as [SharedLimiter, ...SharedLimiter[]];
    const early = await send(others, 300, thousand);
    const before = early + (await send([first], 1000, thousand));
    // What lies with the others is at most an allowance and a half of each.
    expect(before).toBeGreaterThan(770);
    expect(before).toBeLessThanOrEqual(1000);
    pass(1.5);
    for (const process of processes) await process.tidy();
    expect(before + (await send([first], 1000, thousand))).toBe(1000);
  });

  it("counts small limits exactly, also of callers who change the process with each request", async () => {
    const { processes } = await open(4);
    const limit = limitOf("10 per 1 minute");
    const remaining: number[] = [];
    for (let index = 0; index < 12; index++) {
      const said = await processes[(index * index) % 4]!.take("data:2", limit);
      expect(said.allowed).toBe(index < 10);
      remaining.push(said.remaining);
    }
    expect(remaining).toEqual([9, 8, 7, 6, 5, 4, 3, 2, 1, 0, 0, 0]);
  });

  it("says the same of the window in every process, and begins a new one when the database's has ended", async () => {
    const { processes, pass, clock } = await open(2);
    const limit = limitOf("2 per 1 minute");
    const start = clock.now();
    const both = [await processes[0]!.take("a", limit), await processes[1]!.take("a", limit)];
    for (const said of both)
      expect(said).toMatchObject({ allowed: true, resetSeconds: 60, resetAt: start + 60 });
    pass(59.5);
    for (const process of processes) {
      expect(await process.take("a", limit)).toMatchObject({ allowed: false, resetSeconds: 1 });
    }
    pass(0.5);
    expect(await processes[1]!.take("a", limit)).toMatchObject({
      allowed: true,
      remaining: 1,
      resetSeconds: 60,
    });
  });

  it("lets no allowance outlive its window", async () => {
    const { processes, pass } = await open(2);
    await send(processes, 100, thousand);
    pass(3600);
    expect(await send(processes, 2000, thousand)).toBe(1000);
  });

  it("asks no more than once a second about a limit that is used up", async () => {
    const { processes, queries, pass } = await open(1);
    await send(processes, 1200, thousand);
    queries.mockClear();
    for (let index = 0; index < 100; index++) {
      const said = processes[0]!.take("data:1", thousand);
      expect(said).not.toBeInstanceOf(Promise);
    }
    expect(queries).not.toHaveBeenCalled();
    pass(1.1);
    for (let index = 0; index < 100; index++) await processes[0]!.take("data:1", thousand);
    expect(queries).toHaveBeenCalledTimes(1);
  });

  it("takes allowances of many callers in one statement", async () => {
    const { processes, queries } = await open(1);
    const callers = Array.from({ length: 300 }, (_, index) => `data:${index}`);
    const all = await Promise.all(callers.map((caller) => processes[0]!.take(caller, thousand)));
    expect(all.every(({ allowed, remaining }) => allowed && remaining === 999)).toBe(true);
    expect(queries.mock.calls.length).toBeLessThanOrEqual(2);
  });

  it("gives back what it has when it closes, so that a restart costs nothing", async () => {
    const { processes, rows } = await open(2);
    const used = await send([processes[0]!], 200, thousand);
    await processes[0]!.close();
    expect(await rows()).toMatchObject([{ taken: used }]);
    expect(used + (await send([processes[1]!], 1000, thousand))).toBe(1000);
  });

  it("stores no address, and deletes what has ended", async () => {
    const { processes, rows, pass } = await open(1);
    await processes[0]!.take("failed-keys:192.0.2.7", limitOf("100 per 1 minute"));
    expect(JSON.stringify(await rows())).not.toContain("192.0.2.7");
    pass(60 + 61);
    await processes[0]!.beat();
    expect(await rows()).toEqual([]);
  });

  it("uses up its allowance while the database is away, then allows its part of the limit, and shares again", async () => {
    const { processes, stores, queries, pass, logged } = await open(2);
    await send([processes[0]!], 400, thousand);
    const away = Promise.reject(new Error("the connection ended"));
    away.catch(() => {});
    queries.mockReturnValue(away as never);
    // 500 are its part; what it has taken and not used, a few of these.
    const allowed = 400 + (await send([processes[0]!], 1000, thousand));
    expect(allowed).toBe(500);
    expect(await processes[0]!.take("data:1", thousand)).toMatchObject({ allowed: false, remaining: 0 });
    expect(await send([processes[0]!], 5, limitOf("1 per 1 minute"), "data:2")).toBe(1);
    expect(logged.warn).toHaveBeenCalledTimes(1);
    queries.mockRestore();
    pass(1.1);
    await processes[0]!.take("data:1", thousand);
    await vi.waitFor(async () =>
      expect((await processes[0]!.take("data:1", thousand)).remaining).toBeGreaterThan(400),
    );
    expect(logged.info).toHaveBeenCalledTimes(1);
    await stores[1]!.leave();
    expect(await stores[0]!.beat()).toBe(1);
  });
});

it("waits for a database that hangs once, not with every request", async () => {
  const hangs: RateWindows = {
    take: () => new Promise(() => {}),
    beat: async () => 2,
    leave: async () => {},
  };
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const log = { warn: vi.fn(), info: vi.fn() };
  const limiter = sharedRateLimiter({ windows: hangs, clock: { now: () => 0 }, log, elapsed: () => 0 });
  await limiter.beat();
  const first = limiter.take("a", limitOf("4 per 1 minute"));
  await vi.advanceTimersByTimeAsync(2000);
  expect(await first).toMatchObject({ allowed: true });
  expect(await limiter.take("a", limitOf("4 per 1 minute"))).toMatchObject({ allowed: true, remaining: 0 });
  expect(await limiter.take("a", limitOf("4 per 1 minute"))).toMatchObject({ allowed: false });
});
