import { afterAll, beforeAll, beforeEach, expect, it } from "vitest";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore } from "#test/tasks.ts";
import { LEASE_SECONDS, type Result, type TaskStore } from "./store.ts";

const result: Omit<Result, "finishedAt" | "expiresAt"> = {
  file: "a-result",
  stored: { bytes: 10, hash: "00" },
  synthetic: true,
};

describeWithDatabase("the queue of tasks", (fresh) => {
  let test: TestStore;
  let store: TaskStore;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
    store = test.store;
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

  it("takes a task once, however many ask at the same time", async () => {
    const id = await submit("a");
    const claims = await Promise.all([1, 2, 3, 4].map(() => store.claim()));
    expect(claims.filter(Boolean).map((task) => [task!.id, task!.token])).toEqual([[id, 1]]);
    expect(await store.claim()).toBeUndefined();
  });

  it("is fair: one owner's many do not keep another's one waiting", async () => {
    const many = [await submit("a"), await submit("a"), await submit("a"), await submit("a")];
    const one = await submit("b");
    expect((await store.waiting()).map(({ id }) => id)).toEqual([many[0], one, many[1], many[2], many[3]]);
    const taken: (string | undefined)[] = [];
    for (let turn = 0; turn < 5; turn++) {
      test.pass(1);
      const task = (await store.claim())!;
      taken.push(task.id);
      await store.succeed(task, ended());
    }
    expect(taken).toEqual([many[0], one, many[1], many[2], many[3]]);
  });

  it("prefers the owner with the fewest running", async () => {
    const [first] = [await submit("a"), await submit("a")];
    const other = await submit("b");
    expect((await store.claim())?.id).toBe(first);
    expect((await store.claim())?.id).toBe(other);
  });

  it("is tidied while it is used", async () => {
    const id = await submit("a");
    await Promise.all([store.tidy(), store.claim()]);
    expect(await store.find("a", id)).toMatchObject({ token: 1 });
  });

  it("gives the task of a silent worker to another, and refuses what the first one brings late", async () => {
    await submit("a");
    const dead = (await store.claim())!;
    test.pass(LEASE_SECONDS - 1);
    expect(await store.beat(dead, 0.5)).toBe(true);
    test.pass(LEASE_SECONDS - 1);
    expect(await store.claim()).toBeUndefined();
    test.pass(2);
    const live = (await store.claim())!;
    expect([live.id, live.token]).toEqual([dead.id, 2]);
    expect(await store.beat(dead, 0.9)).toBe(false);
    expect(await store.succeed(dead, ended())).toBe(false);
    expect(await store.fail(dead, "too late")).toBe(false);
    expect(await store.succeed(live, ended())).toBe(true);
    expect(await store.find("a", live.id)).toMatchObject({ status: "SUCCESS", progress: 1, synthetic: true });
  });

  it("row 21: a terminal state never changes", async () => {
    const id = await submit("a");
    const claim = (await store.claim())!;
    await store.succeed(claim, ended());
    const before = await store.find("a", id);
    expect(await store.fail(claim, "no")).toBe(false);
    expect(await store.beat(claim, 0)).toBe(false);
    await store.release(claim, 0, true);
    expect((await store.cancel("a", id))?.cancelled).toBe(false);
    expect(await store.find("a", id)).toEqual(before);
  });

  it("tries a task that was given back again, not before its time", async () => {
    const id = await submit("a");
    await store.release((await store.claim())!, 30, true);
    expect(await store.claim()).toBeUndefined();
    test.pass(31);
    expect(await store.claim()).toMatchObject({ id, failures: 1, token: 2 });
  });

  it("frees what a killed process held, when that was the only one", async () => {
    const id = await submit("a");
    await store.claim();
    await store.releaseAll();
    expect((await store.claim())?.id).toBe(id);
  });

  it("row 4: refuses a task at once where too many wait, of its owner or of all", async () => {
    for (let count = 0; count < 5; count++) await submit("a");
    expect(await store.submit(newTask("a"))).toBe("owner is full");
    for (let count = 0; count < 3; count++) await submit("b");
    expect(await store.submit(newTask("c"))).toBe("full");
    await store.fail((await store.claim())!, "no");
    expect(await store.submit(newTask("c"))).toBe("taken");
  });

  it("row 27: one Idempotency-Key makes one task of its owner, for a day", async () => {
    const idempotency = { key: "k", hash: "aa" };
    const [first, second, other, later] = [newTask("a"), newTask("a"), newTask("b"), newTask("a")];
    expect(await store.submit(first, idempotency)).toBe("taken");
    expect(await store.submit(second, idempotency)).toBe("key is taken");
    expect(await store.submit(other, idempotency)).toBe("taken");
    expect(await store.known("a", "k")).toMatchObject({ taskId: first.id, hash: "aa" });
    expect(await store.remember("a", idempotency, second.id, "f")).toBe(false);
    expect(await test.database.prisma.task.count()).toBe(2);
    test.pass(86_400);
    expect(await store.known("a", "k")).toBeUndefined();
    expect(await store.submit(later, { key: "k", hash: "bb" })).toBe("taken");
    expect(await store.known("a", "k")).toMatchObject({ taskId: later.id, hash: "bb" });
  });

  it("row 23: lists one's own, newest first, page by page, also those of the same instant", async () => {
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

  it("row 29: writes one mail with the end of a task that asked for it, whatever ended it", async () => {
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
      const claim = (await store.claim())!;
      if (end()) await store.succeed(claim, ended());
      else await store.fail(claim, "no");
      await store.fail(claim, "again");
    }
    const mails = await test.database.prisma.outbox.findMany({ orderBy: { createdAt: "asc" } });
    expect(mails.map(({ taskId }) => taskId).toSorted()).toEqual([success, failure, cancelled].toSorted());
    expect(mails.find(({ taskId }) => taskId === success)).toMatchObject({
      address: "master@example.org",
      sentAt: null,
      payload: { status: "SUCCESS", task_name: "Bücher\n", kind: "MetOcean" },
    });
  });

  it("row 26: forgets results when they are due, then rows; and only files that nothing names", async () => {
    const id = await submit("a");
    const claim = (await store.claim())!;
    await store.succeed(claim, ended());
    expect(await store.unnamed(["a-result", `${id}.request`, "orphan"])).toEqual(["orphan"]);
    test.pass(2);
    expect((await store.sweep()).toSorted()).toEqual([`${id}.request`, "a-result"].toSorted());
    expect(await store.find("a", id)).toMatchObject({ status: "SUCCESS", resultFile: null });
    test.pass(30 * 86_400);
    expect(await store.sweep()).toEqual([]);
    expect(await store.find("a", id)).toBeUndefined();
  });
});
