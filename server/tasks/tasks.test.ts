import { afterAll, beforeAll, expect, it } from "vitest";
import { createMetrics } from "#server/platform/metrics.ts";
import { describeWithDatabase } from "#test/databases.ts";
import { newTask, openTestStore, type TestStore } from "#test/tasks.ts";
import { observeQueue } from "./tasks.ts";

describeWithDatabase("the metrics of the queue", (fresh) => {
  let test: TestStore;
  beforeAll(async () => {
    test = await openTestStore(await fresh());
  });
  afterAll(() => test?.database.close());

  it("tell how many tasks are pending and how long the oldest has waited that nobody has begun", async () => {
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
