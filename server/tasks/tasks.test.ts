import { afterAll, beforeAll, expect, it, onTestFinished } from "vitest";
import type { BlobStore } from "#server/platform/blob-store.ts";
import { UnavailableError } from "#server/platform/errors.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore, testLimits } from "#test/tasks.ts";
import { observeQueue, Tasks } from "./tasks.ts";

describeWithDatabase("a task whose request cannot be stored in time", (fresh) => {
  it("is not created, neither then nor when the store responds again", async () => {
    const test = await openTestStore(await fresh());
    onTestFinished(() => test.database.close());
    const storing = Promise.withResolvers<void>();
    const blobs = { put: () => storing.promise } as unknown as BlobStore;
    const log = { info() {}, warn() {}, error() {} };
    const tasks = new Tasks({ tables: test.tables, blobs, clock: test.clock, limits: testLimits, log });
    const aborter = new AbortController();
    const submitting = tasks.submit(newTask("Ann"), new Uint8Array(10), undefined, aborter.signal);
    aborter.abort(new UnavailableError("late", 10));
    storing.resolve();
    await expect(submitting).rejects.toMatchObject({ name: "UnavailableError", retryAfter: 10 });
    expect(await test.database.prisma.task.count()).toBe(0);
  });
});

describeWithDatabase("the metrics of the queue", (fresh) => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());

  it("report the number of pending tasks and the wait of the oldest one that has not begun", async () => {
    const metrics = createMetrics();
    observeQueue(metrics, test.tables);
    const read = async () => {
      const { body } = await metrics.text();
      return ["tasks_pending", "tasks_wait_seconds", "mails_wait_seconds"].map((name) =>
        Number(new RegExp(`^${name} (\\S+)$`, "m").exec(body)?.[1]),
      );
    };
    expect(await read()).toEqual([0, 0, 0]);
    await test.store.submit(newTask("Ann", { receiveMail: true, mailTo: "ann@example.org" }));
    test.pass(60);
    await test.store.submit(newTask("Bob"));
    test.pass(30);
    expect(await read()).toEqual([2, 90, 0]);
    const claimed = (await test.queue.claim({ any: true, small: true, alone: true }))!;
    expect(await read()).toEqual([2, claimed.owner === "Ann" ? 30 : 90, 0]);
    await test.queue.fail(claimed, "wrong");
    test.pass(10);
    const [pending, , mails] = await read();
    expect([pending, mails]).toEqual([1, claimed.owner === "Ann" ? 10 : 0]);
  });
});
