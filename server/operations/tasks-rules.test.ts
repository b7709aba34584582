import { describe, expect, it, vi } from "vitest";
import { connectContext } from "#test/send.ts";
import { newTask, testLimits } from "#test/tasks.ts";
import { body, describeTasksApi, send, submit, work } from "#test/tasks-api.ts";

describeTasksApi("the rules of tasks through the API", (api) => {
  it("a task that ends while it is deleted is removed like one that ended before", async () => {
    const id = await submit(api);
    const pending = await api.tasks.reader.find("good-key", id);
    await work(api);
    vi.spyOn(api.tasks.reader, "find").mockResolvedValueOnce(pending);
    expect((await send("DELETE", `/task/${id}`)).status).toBe(204);
    expect((await send("GET", `/task/${id}`)).status).toBe(404);
  });

  it("an expired result is 410, swept or not; later the task is 404", async () => {
    const id = await submit(api);
    await work(api);
    api.test.pass(testLimits.resultSeconds);
    const over = await send("GET", `/task/${id}`);
    expect([over.status, over.body]).toEqual([410, '{"detail":"Task result expired"}']);
    await api.tasks.retention.sweep();
    api.tasks.reader.forget("good-key", id);
    expect((await send("GET", `/task/${id}`)).status).toBe(410);
    api.test.pass(testLimits.rowSeconds);
    await api.tasks.retention.sweep();
    api.tasks.reader.forget("good-key", id);
    expect((await send("GET", `/task/${id}`)).status).toBe(404);
  });

  it("results and kept answers expire by the database's clock, whatever the clock of the replica says", async () => {
    const id = await submit(api);
    await work(api);
    const idempotency = { key: "kept", hash: "x" };
    const answers = api.context.answers!;
    const { id: taskId } = newTask("good-key");
    await answers.keep("good-key", idempotency, taskId, { headers: {}, body: "kept" });
    const statusAt = async (skew: number, path: string) => {
      connectContext({ ...api.context, clock: { now: () => api.test.clock.now() + skew } });
      api.tasks.reader.forget("good-key", id);
      return (await send("GET", path)).status;
    };
    const tenDays = 10 * 86_400;
    for (const skew of [0, tenDays, -tenDays]) {
      expect(await statusAt(skew, `/task/${id}`)).toBe(200);
      expect(await statusAt(skew, `/task/${id}/request`)).toBe(200);
    }
    api.test.pass(86_399);
    expect(await answers.find("good-key", "kept")).toMatchObject({ taskId });
    api.test.pass(1);
    expect(await answers.find("good-key", "kept")).toBeUndefined();
    expect(await answers.keep("good-key", idempotency, newTask("a").id, { headers: {}, body: "" })).toBe(
      true,
    );
    api.test.pass(testLimits.resultSeconds);
    for (const skew of [0, tenDays, -tenDays]) {
      expect(await statusAt(skew, `/task/${id}`)).toBe(410);
      expect(await statusAt(skew, `/task/${id}/request`)).toBe(410);
    }
    connectContext(api.context);
  });

  describe("Idempotency-Key", () => {
    const key = { "idempotency-key": "one" };
    it("another body or path is 422, and so is an invalid key", async () => {
      await submit(api, {}, key);
      for (const [path, sent, header] of [
        ["/MetOcean/async", { ...body, task_name: "b" }, "one"],
        ["/MetOcean", body, "one"],
        ["/MetOcean/async", body, ""],
        ["/MetOcean/async", body, "a b"],
        ["/MetOcean/async", body, "x".repeat(256)],
      ] as const) {
        const reply = await send("POST", path, sent, { "idempotency-key": header });
        expect(reply.status).toBe(422);
        expect((await reply.json()).detail[0]?.loc).toEqual(["header", "Idempotency-Key"]);
      }
    });

    it("409 while the first request is being answered, and one task when many arrive at once", async () => {
      const replies = await Promise.all([1, 2, 3].map(() => send("POST", "/MetOcean/async", body, key)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
      expect(await api.test.database.prisma.task.count()).toBe(1);
    });
  });

  it("without a mail server the reply says so", async () => {
    const request = await send("POST", "/MetOcean/async", { ...body, receive_mail: true });
    expect(request.headers["x-notification"]).toBe("not-configured");
    expect((await send("POST", "/MetOcean/async", body)).headers["x-notification"]).toBeUndefined();
  });

  it("a full queue is reported at submission: 429 for the caller's own, 503 for the whole queue", async () => {
    for (let count = 0; count < testLimits.pendingOfOwner; count++) await submit(api);
    const own = await send("POST", "/MetOcean/async", body);
    expect([own.status, own.headers["retry-after"], await own.json()]).toEqual([
      429,
      "30",
      { error: "Rate limit exceeded: 5 pending tasks" },
    ]);
    for (let count = testLimits.pendingOfOwner; count < testLimits.pending; count++)
      await submit(api, {}, { "x-api-key": "other-key" });
    const all = await send("POST", "/MetOcean/async", body, { "x-api-key": "third" });
    expect([all.status, all.headers["retry-after"]]).toEqual([503, "30"]);
  });

  it("invalid requests create no task, and the sync path names the async one", async () => {
    const wrong = await send("POST", "/MetOcean/async", {
      ...body,
      points: [{ ...body.points[0], latitude: 91 }],
    });
    expect(wrong.status).toBe(422);
    const late = await send("POST", "/MetOcean/async", {
      ...body,
      points: [{ ...body.points[0], timestamp: "2035-01-01T00:00:00Z" }],
    });
    expect((await late.json()).detail[0]?.loc).toEqual(["body", "points", 0, "timestamp"]);
    expect(await api.test.database.prisma.task.count()).toBe(0);
    const many = { ...body, points: Array.from({ length: 10_001 }, () => body.points[0]) };
    const sync = await send("POST", "/MetOcean", many);
    expect((await sync.json()).detail[0]?.msg).toContain("/MetOcean/async");
    expect((await send("POST", "/MetOcean/async", many)).status).toBe(202);
  });
});
