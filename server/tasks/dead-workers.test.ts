import { afterAll, afterEach, beforeAll, expect, it, vi } from "vitest";
import { type Database, openDatabase } from "#server/platform/db.ts";
import type { Session } from "#server/platform/session.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { LEASE_SECONDS, SILENCE_SECONDS, TaskQueue, WORKER_LOCKS } from "./queue.ts";

describeWithDatabase("the claims of a worker whose session has ended", (fresh) => {
  let test: TestStore;
  const sessions: Session[] = [];
  beforeAll(async () => {
    test = await openTestStore(await fresh(), { pendingOfOwner: 100, pending: 1000 });
  });
  afterEach(async () => {
    for (const session of sessions.splice(0)) await session.close();
    await test.database.prisma.task.deleteMany();
  });
  afterAll(() => test?.database.close());

  const submit = async (owner = "a") => {
    const task = newTask(owner, { size: 1000 });
    expect(await test.store.submit(task)).toBe("taken");
    return task.id;
  };
  const hold = async (worker: number, database: Database = test.database) => {
    const session = database.holdLock(WORKER_LOCKS, worker);
    sessions.push(session);
    await session.attempted;
    return session;
  };
  /** A worker of another process, as long as its session is open. */
  const openWorker = async () => {
    const queue = new TaskQueue(test.tables, testLimits);
    return { queue, session: await hold(queue.worker) };
  };

  it("are free after a second without heartbeats, not after the lease", async () => {
    const id = await submit();
    const [dead, other] = [await openWorker(), await openWorker()];
    const lost = (await dead.queue.claim())!;
    await dead.session.close();
    test.pass(SILENCE_SECONDS / 2);
    expect(await other.queue.claim()).toBeUndefined();
    expect(await other.queue.waiting()).toEqual([]);
    test.pass(SILENCE_SECONDS / 2);
    expect(await other.queue.waiting()).toEqual([{ id }]);
    const claimed = (await other.queue.claim())!;
    expect(claimed).toMatchObject({ id, token: lost.token + 1, interruptions: 1 });
  });

  it("wait for their lease where the same piece was interrupted again and again", async () => {
    await submit();
    for (let interruptions = 0; interruptions < 3; interruptions++) {
      const dying = await openWorker();
      expect(await dying.queue.claim()).toMatchObject({ interruptions });
      await dying.session.close();
      test.pass(SILENCE_SECONDS);
    }
    const dying = await openWorker();
    expect(await dying.queue.claim()).toMatchObject({ interruptions: 3, runsAlone: true });
    await dying.session.close();
    const next = await openWorker();
    test.pass(LEASE_SECONDS - 1);
    expect(await next.queue.claim()).toBeUndefined();
    test.pass(1);
    expect(await next.queue.claim()).toMatchObject({ interruptions: 4 });
  });

  it("are not free while the worker lives and sends heartbeats, and can be finished", async () => {
    await submit();
    const [living, other] = [await openWorker(), await openWorker()];
    const claimed = (await living.queue.claim())!;
    await living.session.close();
    for (let beats = 0; beats < 40; beats++) {
      test.pass(SILENCE_SECONDS / 2);
      expect(await living.queue.beat(claimed, 0)).toBe(true);
      expect(await other.queue.claim()).toBeUndefined();
    }
    expect(await living.queue.advance(claimed, 500, 1)).toBe(true);
  });

  it("can change nothing once another worker has them", async () => {
    await submit();
    const [silent, other] = [await openWorker(), await openWorker()];
    const lost = (await silent.queue.claim())!;
    await silent.session.close();
    test.pass(SILENCE_SECONDS);
    const claimed = (await other.queue.claim())!;
    expect(await silent.queue.beat(lost, 0.9)).toBe(false);
    expect(await silent.queue.advance(lost, 500, 1)).toBe(false);
    expect(await silent.queue.fail(lost, "late")).toBe(false);
    expect(await other.queue.advance(claimed, 500, 1)).toBe(true);
  });

  it("are not taken by the worker itself, which still computes them", async () => {
    await submit();
    const worker = await openWorker();
    await worker.queue.claim();
    await worker.session.close();
    test.pass(LEASE_SECONDS - 1);
    expect(await worker.queue.claim()).toBeUndefined();
  });

  it("keep their lease where the session was opened again", async () => {
    await submit();
    const [worker, other] = [await openWorker(), await openWorker()];
    await worker.queue.claim();
    const { prisma } = test.database;
    const holders = () => prisma.$queryRaw<{ pid: number }[]>`
      SELECT pid FROM pg_locks WHERE locktype = 'advisory' AND objid::bigint = ${worker.queue.worker} AND granted`;
    const [first] = await holders();
    await prisma.$queryRaw`SELECT pg_terminate_backend(${first!.pid}::int)`;
    await vi.waitFor(async () => {
      const [now] = await holders();
      expect(now).toBeDefined();
      expect(now).not.toEqual(first);
    });
    test.pass(LEASE_SECONDS - 1);
    expect(await other.queue.claim()).toBeUndefined();
    test.pass(1);
    expect(await other.queue.claim()).toBeDefined();
  });

  it("have their lease only if they were made without the lock", async () => {
    await submit();
    const [without, other] = [new TaskQueue(test.tables, testLimits), await openWorker()];
    await without.claim();
    test.pass(LEASE_SECONDS - 1);
    expect(await other.queue.claim()).toBeUndefined();
    test.pass(1);
    expect(await other.queue.claim()).toBeDefined();
  });

  it("are free whoever has a lock of the same number in another database of the server", async () => {
    await submit();
    const [dead, other] = [await openWorker(), await openWorker()];
    await dead.queue.claim();
    await dead.session.close();
    const elsewhere = await openDatabase(await fresh());
    try {
      const session = await hold(dead.queue.worker, elsewhere);
      test.pass(SILENCE_SECONDS);
      expect(await other.queue.claim()).toBeDefined();
      await session.close();
    } finally {
      await elsewhere.close();
    }
  });

  it("do not count as running when owners take turns", async () => {
    const [dead, other] = [await openWorker(), await openWorker()];
    await submit("a");
    await dead.queue.claim();
    await dead.session.close();
    test.pass(SILENCE_SECONDS);
    await submit("b");
    await submit("b");
    expect((await other.queue.claim())?.owner).toBe("b");
    expect((await other.queue.claim())?.owner).toBe("a");
  });
});
