import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import type { BlobEntry } from "#server/platform/blob-store.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { withConverted } from "./converted-files.ts";
import { LEASE_SECONDS, type Result, type TaskQueue } from "./queue.ts";
import { Retention } from "./retention.ts";
import { countConverted } from "./storage.ts";
import type { NewTask, TaskStore } from "./store.ts";

const RESULT = "3e1f0c0e-6a5b-4c59-9d53-0a3f7c1f9b10.1.result";

describeWithDatabase("the queue of tasks", (fresh) => {
  let test: TestStore;
  let store: TaskStore;
  let queue: TaskQueue;
  beforeAll(async () => {
    test = await openTestStore(await fresh(), { pendingOfOwner: 100, pending: 1000 });
    ({ store, queue } = test);
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
    await test.database.prisma.outbox.deleteMany();
  });

  const submit = async (owner = "a", more: Partial<NewTask> | number = 1000, kind?: NewTask["kind"]) => {
    const task = newTask(owner, typeof more === "number" ? { size: more, ...(kind && { kind }) } : more);
    expect(await store.submit(task)).toBe("taken");
    test.pass(1);
    return task.id;
  };
  const ended = (): Result => {
    const finishedAt = new Date(1_800_000_000_000);
    const expiresAt = new Date(finishedAt.getTime() + 1000);
    return { file: RESULT, stored: { bytes: 10, hash: "00" }, synthetic: true, finishedAt, expiresAt };
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
  it("hands out a task once, however many workers claim at the same time", async () => {
    const id = await submit("a");
    const claims = await Promise.all([1, 2, 3, 4].map(() => queue.claim()));
    expect(claims.filter(Boolean).map((task) => [task!.id, task!.token])).toEqual([[id, 1]]);
    expect(await queue.claim()).toBeUndefined();
  });

  it("hands out what a database whose clock was a day ahead has claimed or postponed meanwhile", async () => {
    const ids = [await submit("a"), await submit("b")].toSorted();
    test.pass(86_400);
    const [dead, failed] = [(await queue.claim())!, (await queue.claim())!];
    await queue.release(failed, 5, { failed: true });
    test.pass(-86_400);
    const claims = [(await queue.claim())!, (await queue.claim())!];
    expect(claims.map(({ id }) => id).toSorted()).toEqual(ids);
    expect(await queue.beat(dead, 0.5)).toBe(false);
    expect(await queue.claim()).toBeUndefined();
  });

  it("is fair: many tasks of one owner do not delay the single task of another", async () => {
    const many = [await submit("a"), await submit("a"), await submit("a"), await submit("a")];
    const one = await submit("b");
    expect((await queue.waiting()).map(({ id }) => id)).toEqual([many[0], one, many[1], many[2], many[3]]);
    const taken: (string | undefined)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      test.pass(1);
      const task = (await queue.claim())!;
      taken.push(task.id);
      await queue.succeed(task, ended());
    }
    expect(taken).toEqual([many[0], one, many[1], many[2], many[3]]);
  });

  it("gives the task of a worker without heartbeat to another, and rejects the first one's late result", async () => {
    await submit("a");
    const dead = (await queue.claim())!;
    test.pass(LEASE_SECONDS - 1);
    expect(await queue.beat(dead, 0.5)).toBe(true);
    test.pass(LEASE_SECONDS - 1);
    expect(await queue.claim()).toBeUndefined();
    test.pass(2);
    const live = (await queue.claim())!;
    expect([live.id, live.token]).toEqual([dead.id, 2]);
    expect(await queue.beat(dead, 0.9)).toBe(false);
    expect(await queue.succeed(dead, ended())).toBe(false);
    expect(await queue.fail(dead, "too late")).toBe(false);
    expect(await queue.succeed(live, ended())).toBe(true);
    expect(await store.find("a", live.id)).toMatchObject({ status: "SUCCESS", progress: 1, synthetic: true });
  });

  it("a terminal state never changes", async () => {
    const id = await submit("a");
    const claim = (await queue.claim())!;
    await queue.succeed(claim, ended());
    const before = await store.find("a", id);
    expect(await queue.fail(claim, "no")).toBe(false);
    expect(await queue.beat(claim, 0)).toBe(false);
    await queue.release(claim, 0, { failed: true });
    expect((await store.cancel("a", id))?.cancelled).toBe(false);
    expect(await store.find("a", id)).toEqual(before);
  });

  it("deletes expired results, then rows, and old blobs only if no row names them", async () => {
    const deleted: string[] = [];
    let listed: BlobEntry[] = [];
    const blobs = {
      delete: async (key: string) => void deleted.push(key),
      async *list() {
        yield* listed;
      },
    };
    const { clock, tables } = test;
    const retention = new Retention({ tables, blobs, clock, limits: testLimits });
    const id = await submit("a");
    const claim = (await queue.claim())!;
    const file = `${id}.1.result`;
    await queue.succeed(claim, { ...ended(), file });
    await countConverted(tables, { key: `${file}.csv`, bytes: 1 });

    const orphan = `${randomUUID()}.1.result`;
    // BLOB_URL may name a folder or a bucket that contains other objects too.
    const foreign = ["thesis.pdf", `other/${orphan}`, "archive/manifest.json", randomUUID()];
    const old = [file, `${file}.csv`, `${id}.request`, orphan, `${orphan}.netcdf`, ...foreign];
    listed = old.map((key) => ({ key, bytes: 1, modified: clock.now() - 3601 }));
    listed.push({ key: `${randomUUID()}.request`, bytes: 1, modified: clock.now() - 3599 });
    await retention.sweepOrphans();
    expect(deleted.splice(0)).toEqual([orphan, `${orphan}.netcdf`]);

    test.pass(2);
    await retention.sweep();
    expect(deleted.splice(0).toSorted()).toEqual([`${id}.request`, ...withConverted(file)].toSorted());
    expect(await store.find("a", id)).toMatchObject({ status: "SUCCESS", resultFile: null });
    test.pass(30 * 86_400);
    await retention.sweep();
    expect(deleted).toEqual([]);
    expect(await store.find("a", id)).toBeUndefined();
  });

  describe("turns", () => {
    it("pass from owner to owner with each piece, however many tasks an owner has", async () => {
      const many = [await submit("a", 200_000), await submit("a", 200_000), await submit("a", 200_000)];
      const one = await submit("b", 200_000);
      const turns = [await turn(), await turn(), await turn(), await turn()];
      expect(turns).toEqual([many[0], one, many[0], one]);
    });

    it("go to the task of an owner with the least remaining work", async () => {
      const large = await submit("a", 200_000);
      expect(await turn(0.5)).toBe(large);
      const [medium, almost] = [await submit("a", 150_000), await submit("a", 50_000)];
      expect([await turn(0.1), await turn(0.1)]).toEqual([almost, almost]);
      await store.cancel("a", almost);
      expect(await turn()).toBe(large);
      await store.cancel("a", large);
      expect(await turn()).toBe(medium);
    });

    it("reach a large task even if its owner keeps sending smaller ones", async () => {
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

    it("preserve computed work: progress, start and pieces survive a lost worker and a closing one", async () => {
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

    it("let a task run alone until its piece is finished, after its thread ended or after three interruptions", async () => {
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
      // The third interruption of the task is counted at this claim.
      expect(await queue.claim(shared)).toMatchObject({ interruptions: 3 });
      test.pass(LEASE_SECONDS + 1);
      expect(await queue.claim(shared)).toBeUndefined();
      expect(await queue.claim()).toMatchObject({ runsAlone: true });
    });
  });
});
