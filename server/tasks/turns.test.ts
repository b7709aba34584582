import { afterAll, afterEach, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore } from "#test/tasks.ts";
import { LEASE_SECONDS, TaskQueue } from "./queue.ts";
import type { TaskStore } from "./store.ts";

describeWithDatabase("the turns of tasks", (fresh) => {
  let test: TestStore;
  let store: TaskStore;
  let queue: TaskQueue;
  beforeAll(async () => {
    test = await openTestStore(await fresh(), { pendingOfOwner: 100, pending: 1000 });
    ({ store, queue } = test);
  });
  afterAll(() => test?.database.close());
  afterEach(() => void vi.restoreAllMocks());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
  });

  const submit = async (owner: string, size: number, kind: "MetOcean" | "2DMetOcean" = "MetOcean") => {
    const task = newTask(owner, { size, kind });
    expect(await store.submit(task)).toBe("taken");
    test.pass(1);
    return task.id;
  };
  const row = (id: string) => test.database.prisma.task.findUniqueOrThrow({ where: { id } });
  /** Computes one piece of the task whose turn it is. */
  const turn = async (share = 0.1) => {
    const task = (await queue.claim())!;
    const done = Math.min(task.size, task.done + share * task.size);
    expect(await queue.advance(task, done, 400)).toBe(true);
    test.pass(1);
    return task.id;
  };

  it("pass from owner to owner with each piece, however many tasks an owner has", async () => {
    const many = [await submit("a", 200_000), await submit("a", 200_000), await submit("a", 200_000)];
    const one = await submit("b", 200_000);
    const turns = [await turn(), await turn(), await turn(), await turn()];
    expect(turns).toEqual([many[0], one, many[0], one]);
  });

  it("go to the shortest remaining task of an owner", async () => {
    const large = await submit("a", 200_000);
    expect(await turn(0.5)).toBe(large);
    const [medium, almost] = [await submit("a", 150_000), await submit("a", 50_000)];
    expect([await turn(0.1), await turn(0.1)]).toEqual([almost, almost]);
    await store.cancel("a", almost);
    expect(await turn()).toBe(large);
    await store.cancel("a", large);
    expect(await turn()).toBe(medium);
  });

  it("come to a large task even if its owner goes on sending smaller ones", async () => {
    const large = await submit("a", 200_000);
    let turns = 0;
    for (let next = ""; next !== large; turns++) {
      await submit("a", 1000);
      const task = (await queue.claim())!;
      next = task.id;
      await queue.fail(task, "ended");
    }
    expect(turns).toBeGreaterThan(100);
    expect(turns).toBeLessThan(250);
  });

  it("do not keep a small task waiting: a place is reserved for one of up to 100 points", async () => {
    const reserved = { any: false, small: true, alone: false };
    await submit("a", 101);
    await submit("a", 10_001, "2DMetOcean");
    expect(await queue.claim(reserved)).toBeUndefined();
    const small = [await submit("a", 100), await submit("b", 10_000, "2DMetOcean")];
    const claimed = [await queue.claim(reserved), await queue.claim(reserved)];
    expect(claimed.map((task) => task?.id)).toEqual(small);
    expect(claimed.map((task) => task?.isSmall)).toEqual([true, true]);
  });

  it("do not give a small task a place where it would wait for a large one", async () => {
    await submit("a", 100);
    expect(await queue.claim({ any: true, small: false, alone: true })).toBeUndefined();
    expect(await queue.claim({ any: false, small: true, alone: false })).toBeDefined();
  });

  it("keep what is computed: progress, start and pieces survive a lost worker and a closing one", async () => {
    const id = await submit("a", 200_000);
    await turn(0.25);
    const { startedAt } = await row(id);
    const closing = (await queue.claim())!;
    await queue.beat(closing, 0.3);
    await queue.release(closing, 0);
    const dead = (await queue.claim())!;
    const computed = { pieces: [1], done: 50_000, progress: 0.3 };
    expect(dead).toMatchObject({ ...computed, computedMs: 400, interruptions: 0 });
    expect(dead.startedAt).toEqual(startedAt);
    test.pass(LEASE_SECONDS + 1);
    const next = (await queue.claim())!;
    expect(next).toMatchObject({ ...computed, interruptions: 1, runsAlone: false });
    expect(await queue.advance(dead, 100_000, 1)).toBe(false);
    expect(await queue.advance(next, 100_000, 1)).toBe(true);
    expect(await row(id)).toMatchObject({
      pieces: [1, 4],
      progress: 0.5,
      interruptions: 0,
      leaseUntil: null,
    });
  });

  it("are free at once: a heartbeat that arrives after its piece does not hold the task", async () => {
    await submit("a", 1000);
    const task = (await queue.claim())!;
    await queue.advance(task, 500, 1);
    expect(await queue.beat(task, 0.5)).toBe(false);
    expect(await queue.advance(task, 500, 1)).toBe(false);
    expect(await queue.claim()).toMatchObject({ id: task.id, pieces: [1], interruptions: 0 });
  });

  it("of a task that begins again: no pieces, and its progress does not go back", async () => {
    const id = await submit("a", 200_000);
    await turn(0.25);
    await queue.release((await queue.claim())!, 0, { restart: true });
    expect(await row(id)).toMatchObject({ pieces: [], done: 0, progress: 0.25 });
  });

  it("give a queue position only to tasks that have not begun", async () => {
    const [begun, waiting] = [await submit("a", 1000), await submit("a", 2000)];
    expect((await queue.waiting()).map(({ id }) => id)).toEqual([begun, waiting]);
    await turn();
    expect((await queue.waiting()).map(({ id }) => id)).toEqual([waiting]);
  });

  it("let a task run alone whose thread ended, or that was interrupted three times, until its piece is finished", async () => {
    await submit("a", 1000);
    const shared = { any: true, small: true, alone: false };
    await queue.release((await queue.claim(shared))!, 0, { alone: true });
    expect(await queue.claim(shared)).toBeUndefined();
    const alone = (await queue.claim({ any: false, small: false, alone: true }))!;
    expect(alone.runsAlone).toBe(true);
    await queue.advance(alone, 500, 1);
    for (let killed = 0; killed < 3; killed++) {
      expect((await queue.claim(shared))?.runsAlone).toBe(false);
      test.pass(LEASE_SECONDS + 1);
    }
    // Whose third interruption shows at this claim.
    expect(await queue.claim(shared)).toMatchObject({ interruptions: 3 });
    test.pass(LEASE_SECONDS + 1);
    expect(await queue.claim(shared)).toBeUndefined();
    expect(await queue.claim()).toMatchObject({ runsAlone: true });
  });

  it.each([
    ["ahead", 9_000],
    ["behind", -9_000],
  ])(
    "count by the database's clock: a worker whose clock is 9 s %s neither takes a task that is being computed nor loses one",
    async (_, skewMs) => {
      const realNow = Date.now;
      const skewed = <T>(call: () => Promise<T>): Promise<T> => {
        const spy = vi.spyOn(Date, "now").mockImplementation(() => realNow() + skewMs);
        return call().finally(() => spy.mockRestore());
      };
      // Two workers, with the clock of the database as it is.
      const real = () => new TaskQueue(test.database.prisma, store.limits);
      const [right, wrong] = [real(), real()];
      await submit("a", 1000);
      await test.database.prisma.$executeRaw`UPDATE task SET available_at = now() - interval '1 s'`;
      const first = (await right.claim())!;
      expect(await skewed(() => wrong.claim())).toBeUndefined();
      expect(await right.beat(first, 0)).toBe(true);
      await right.release(first, 0);
      const second = (await skewed(() => wrong.claim()))!;
      expect(second.id).toBe(first.id);
      expect(await right.claim()).toBeUndefined();
      expect(await skewed(() => wrong.beat(second, 0))).toBe(true);
    },
  );
});
