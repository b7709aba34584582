import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import type { BlobEntry } from "#server/platform/blob-store.ts";
import { folderBlobStore } from "#server/platform/folder-blob-store.ts";
import { testAnswers } from "#test/answers.ts";
import { describeWithDatabase, temporaryFolders } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { withConverted } from "./converted-files.ts";
import { LEASE_SECONDS, type Result, type TaskQueue } from "./queue.ts";
import { Retention } from "./retention.ts";
import { countConverted } from "./storage.ts";
import type { TaskStore } from "./store.ts";

const RESULT = "3e1f0c0e-6a5b-4c59-9d53-0a3f7c1f9b10.1.result";

const result: Omit<Result, "finishedAt" | "expiresAt"> = {
  file: RESULT,
  stored: { bytes: 10, hash: "00" },
  synthetic: true,
};

describeWithDatabase("the queue of tasks", (fresh) => {
  const folders = temporaryFolders();
  let test: TestStore;
  let store: TaskStore;
  let queue: TaskQueue;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
    ({ store, queue } = test);
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
    await test.database.prisma.outbox.deleteMany();
  });

  const submit = async (owner: string, more = {}) => {
    const task = newTask(owner, more);
    expect(await store.submit(task)).toBe("taken");
    test.pass(1);
    return task.id;
  };
  const ended = (): Result => {
    const finishedAt = new Date(1_800_000_000_000);
    return { ...result, finishedAt, expiresAt: new Date(finishedAt.getTime() + 1000) };
  };

  it("hands out a task once, however many workers claim at the same time", async () => {
    const id = await submit("a");
    const claims = await Promise.all([1, 2, 3, 4].map(() => queue.claim()));
    expect(claims.filter(Boolean).map((task) => [task!.id, task!.token])).toEqual([[id, 1]]);
    expect(await queue.claim()).toBeUndefined();
  });

  it("is fair: many tasks of one owner do not delay the one task of another", async () => {
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

  it("prefers the owner with the fewest running", async () => {
    const [first] = [await submit("a"), await submit("a")];
    const other = await submit("b");
    expect((await queue.claim())?.id).toBe(first);
    expect((await queue.claim())?.id).toBe(other);
  });

  it("gives the task of a worker without heartbeat to another, and refuses the first one's late result", async () => {
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

  it("a task that was given back is claimed again, not before its time", async () => {
    const id = await submit("a");
    await queue.release((await queue.claim())!, 30, { failed: true });
    expect(await queue.claim()).toBeUndefined();
    test.pass(31);
    expect(await queue.claim()).toMatchObject({ id, failures: 1, token: 2 });
  });

  it("refuses a task at once if too many are pending, of its owner or of all", async () => {
    for (let count = 0; count < 5; count++) await submit("a");
    expect(await store.submit(newTask("a"))).toBe("owner is full");
    for (let count = 0; count < 3; count++) await submit("b");
    expect(await store.submit(newTask("c"))).toBe("full");
    await queue.fail((await queue.claim())!, "no");
    expect(await store.submit(newTask("c"))).toBe("taken");
  });

  it("one Idempotency-Key makes one task of its owner, for a day", async () => {
    const blobs = folderBlobStore(folders());
    const answers = testAnswers(test.tables, blobs);
    const idempotency = { key: "k", hash: "aa" };
    const [first, second, other, later] = [newTask("a"), newTask("a"), newTask("b"), newTask("a")];
    expect(await store.submit(first, idempotency)).toBe("taken");
    expect(await store.submit(second, idempotency)).toBe("key is taken");
    expect(await store.submit(other, idempotency)).toBe("taken");
    const answer = { headers: {}, body: "too late" };
    expect(await answers.keep("a", idempotency, second.id, answer)).toBe(false);
    expect(await answers.find("a", "k")).toEqual({ taskId: first.id, hash: "aa" });
    expect(await test.database.prisma.task.count()).toBe(2);
    test.pass(86_400);
    expect(await answers.find("a", "k")).toBeUndefined();
    expect(await store.submit(later, { key: "k", hash: "bb" })).toBe("taken");
    expect(await answers.find("a", "k")).toMatchObject({ taskId: later.id, hash: "bb" });
  });

  it("lists the owner's tasks, newest first, page by page, also those created at the same time", async () => {
    const ids: string[] = [];
    for (let count = 0; count < 4; count++) {
      const task = newTask("a");
      await store.submit(task);
      ids.push(task.id);
    }
    test.pass(1);
    ids.push(await submit("a"));
    await submit("b");
    const pages: string[] = [];
    for (let page = await store.list("a", "PENDING", 2); page.length > 0; ) {
      pages.push(...page.map(({ id }) => id));
      page = await store.list("a", "PENDING", 2, page.at(-1)!);
    }
    expect(pages[0]).toBe(ids[4]);
    expect(pages.toSorted()).toEqual(ids.toSorted());
    expect(await store.list("a", "SUCCESS", 2)).toEqual([]);
  });

  it("writes one mail with the end of a task that asked for it, whatever ended it", async () => {
    const mail = { receiveMail: true, mailTo: "master@example.org" };
    const [success, failure, cancelled] = [
      await submit("a", { ...mail, name: "Bücher\n" }),
      await submit("b", mail),
      await submit("c", mail),
    ];
    await submit("d", { receiveMail: true });
    await store.cancel("c", cancelled);
    await store.cancel("c", cancelled);
    for (const end of [() => true, () => false, () => false]) {
      const claim = (await queue.claim())!;
      if (end()) await queue.succeed(claim, ended());
      else await queue.fail(claim, "no");
      await queue.fail(claim, "again");
    }
    const mails = await test.database.prisma.outbox.findMany({ orderBy: { createdAt: "asc" } });
    expect(mails.map(({ taskId }) => taskId).toSorted()).toEqual([success, failure, cancelled].toSorted());
    expect(mails.find(({ taskId }) => taskId === success)).toMatchObject({
      address: "master@example.org",
      sentAt: null,
      payload: { status: "SUCCESS", task_name: "Bücher\n", kind: "MetOcean" },
    });
  });

  it("deletes expired results, then rows; and old blobs only if no row names them", async () => {
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
    // BLOB_URL may name a folder or a bucket that has other things too.
    const foreign = ["thesis.pdf", `other/${orphan}`, "archive/manifest.json", randomUUID()];
    const old = [file, `${file}.csv`, `${id}.request`, orphan, `${orphan}.nc`, ...foreign];
    listed = old.map((key) => ({ key, bytes: 1, modified: clock.now() - 3601 }));
    listed.push({ key: `${randomUUID()}.request`, bytes: 1, modified: clock.now() - 3599 });
    await retention.sweepOrphans();
    expect(deleted.splice(0)).toEqual([orphan, `${orphan}.nc`]);

    test.pass(2);
    await retention.sweep();
    expect(deleted.splice(0).toSorted()).toEqual([`${id}.request`, ...withConverted(file)].toSorted());
    expect(await store.find("a", id)).toMatchObject({ status: "SUCCESS", resultFile: null });
    test.pass(30 * 86_400);
    await retention.sweep();
    expect(deleted).toEqual([]);
    expect(await store.find("a", id)).toBeUndefined();
  });
});
