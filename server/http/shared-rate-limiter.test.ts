import { expect, it, onTestFinished, vi } from "vitest";
import { type Limit, parseLimit } from "#lib/contract/limits.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { openTestStore } from "#test/tasks.ts";
import type { RateLimiter } from "./rate-limiter.ts";
import { databaseRateLimiter } from "./shared-rate-limiter.ts";

const limitOf = (text: string): Limit => parseLimit(text)!;
const thousand = limitOf("1000 per 1 hour");

describeWithDatabase("a limit that processes share", (fresh) => {
  /** Opens processes on one database; the test advances its clock and theirs. */
  async function open(count = 1) {
    const { tables, database, clock, pass } = await openTestStore(await fresh());
    onTestFinished(() => database.close());
    const queries = vi.spyOn(tables, "$queryRaw");
    const logged = { warn: vi.fn(), info: vi.fn() };
    let elapsedMs = 0;
    const passBoth = (seconds: number) => {
      pass(seconds);
      elapsedMs += 1000 * seconds;
    };
    const elapsed = () => elapsedMs;
    const processes = Array.from({ length: count }, () =>
      databaseRateLimiter({ tables, secret: "the secret", clock, log: logged, elapsed }),
    );
    onTestFinished(() => {
      for (const { close } of processes) close();
    });
    queries.mockClear();
    const rows = () => database.prisma.$queryRaw<object[]>`SELECT taken, bucket::text FROM rate_window`;
    return { processes, queries, clock, pass: passBoth, setClock: pass, rows, logged };
  }

  /** Sends requests from each process in turn, several at the same time. @returns The number of allowed requests. */
  async function send(processes: readonly RateLimiter[], count: number, limit: Limit, bucket = "data:1") {
    let allowed = 0;
    for (let sent = 0; sent < count; sent += 16) {
      const batch = Array.from({ length: Math.min(16, count - sent) }, async (_, index) =>
        processes[(sent + index) % processes.length]!.take(bucket, limit),
      );
      for (const allowance of await Promise.all(batch)) if (allowance.allowed) allowed++;
    }
    return allowed;
  }

  it("allows as much in all as one process would, evenly asked or not, and asks no more for a limit that is used up", async () => {
    const { processes, queries } = await open(4);
    const early = await send(processes.slice(1), 300, thousand);
    expect(early + (await send(processes, 1000, thousand))).toBe(1000);
    queries.mockClear();
    expect(await send(processes, 1000, thousand)).toBe(0);
    expect(queries.mock.calls.length).toBeLessThanOrEqual(4);
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

  it("is not closed for a day by a database whose clock was a day ahead for two seconds", async () => {
    const { processes, pass, setClock, clock } = await open(2);
    const limit = limitOf("2 per 1 minute");
    setClock(86_400);
    await send(processes, 16, limit, "a");
    setClock(-86_400);
    pass(61);
    expect(await processes[0]!.take("a", limit)).toMatchObject({ allowed: true, resetAt: clock.now() + 60 });
    expect(await processes[1]!.take("a", limit)).toMatchObject({ allowed: true, remaining: 0 });
    // A statement that began before the one that opened the window counts in it.
    setClock(-3);
    expect(await processes[0]!.take("a", limit)).toMatchObject({ allowed: false });
  });

  it("stores no address, and deletes what has ended", async () => {
    const { processes, rows, pass } = await open(1);
    await processes[0]!.take("failed-keys:192.0.2.7", limitOf("100 per 1 minute"));
    expect(JSON.stringify(await rows())).not.toContain("192.0.2.7");
    pass(60 + 61);
    await processes[0]!.sweep();
    expect(await rows()).toEqual([]);
  });

  it("counts alone while the database is away, whether it refuses or hangs, and shares again", async () => {
    const { processes, queries, pass, logged } = await open(1);
    const process: RateLimiter = processes[0]!;
    queries.mockReturnValue(Promise.reject(new Error("the connection ended")) as never);
    expect(await send([process], 1200, thousand)).toBe(1000);
    expect(logged.warn).toHaveBeenCalledTimes(1);
    pass(1.1);
    queries.mockReturnValue(new Promise(() => {}) as never);
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
    onTestFinished(() => void vi.useRealTimers());
    const first = process.take("b", thousand);
    await vi.advanceTimersByTimeAsync(2000);
    expect(await first).toMatchObject({ allowed: true });
    // The second request waits for nothing.
    expect(await process.take("b", thousand)).toMatchObject({ allowed: true, remaining: 998 });
    vi.useRealTimers();
    queries.mockRestore();
    pass(1.1);
    expect(await process.take("data:1", thousand)).toMatchObject({ allowed: true, remaining: 999 });
    expect(logged.info).toHaveBeenCalledTimes(1);
  });
});
