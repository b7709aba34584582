import { gunzipSync } from "node:zlib";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { formatInstant } from "#lib/time.ts";
import type { Context } from "#server/context.ts";
import type { Reply } from "#server/http/exchange.ts";
import { testDoor } from "#server/http/testing.ts";
import { moveIn } from "#server/operations/house.ts";
import { router } from "#server/operations/table.ts";
import { ProcessingError } from "#server/platform/errors.ts";
import { describeOnBothDatabases } from "#server/scripts/testing/databases.ts";
import { directoryRoom } from "#server/tasks/directory-room.ts";
import { KeptAnswers } from "#server/tasks/kept-answers.ts";
import type { TaskLimits } from "#server/tasks/store.ts";
import { finishedForm } from "#server/tasks/task.ts";
import { Tasks } from "#server/tasks/tasks.ts";
import { openTestStore, type TestStore, testLimits } from "#server/tasks/testing.ts";
import { type RunTask, resultName, TaskWorker } from "#server/tasks/worker.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const weatherNow = testDoor().weather.now();
const body = {
  points: [{ latitude: 48.5, longitude: -5.2, timestamp: formatInstant(weatherNow) }],
  variables: ["wind"],
};

/** What replies tell, each its part of it. */
interface Told {
  task_id: string;
  task_name: string | null;
  status: string;
  error: string;
  results: { task_id: string }[];
  detail: { loc: unknown[]; msg: string }[];
}

describeOnBothDatabases("tasks through the API", (fresh) => {
  let test: TestStore;
  let tasks: Tasks;
  let worker: TaskWorker;
  /** What the next task does. */
  let run: RunTask;

  beforeAll(async () => {
    const place = await fresh();
    test = await openTestStore(place);
    const room = directoryRoom(`${place.dataDir}/tasks`);
    const { clock } = test;
    const limits: TaskLimits = { ...testLimits };
    const wide = { count: 1e6, periodSeconds: 60, text: "1000000 per 1 minute" };
    const door = testDoor({ "good-key": wide, "other-key": wide, third: wide });
    tasks = new Tasks({ tables: test.database.prisma, room, clock, limits, log: door.log });
    worker = new TaskWorker({
      store: tasks.store,
      room,
      run: (...asked) => run(...asked),
      log: door.log,
      slots: 2,
      mostSeconds: 60,
    });
    moveIn({
      ...door,
      clock,
      tasks,
      answers: new KeptAnswers(tasks.store, room),
      closing: new AbortController().signal,
      archive: { manifest: () => ({ version: 1, runs: [] }) },
    } as unknown as Context);
  });
  afterAll(() => test?.database.close());
  beforeEach(async () => {
    await test.database.prisma.task.deleteMany();
    await test.database.prisma.idempotencyKey.deleteMany();
    run = success();
  });

  /** Writes a result as the thread does. */
  function success(text = '"a"'): RunTask {
    return async (task, file) => {
      const finishedAt = test.clock.now() * 1000;
      const expiresAt = finishedAt + 1000 * testLimits.resultSeconds;
      const times = { finishedAt: new Date(finishedAt), expiresAt: new Date(expiresAt) };
      const more = JSON.stringify(finishedForm({ ...task, ...times })).slice(1, -1);
      const envelope = `{"task_id":["${task.id}"],"status":"SUCCESS","result":{"results":[${text}]},${more}}`;
      const stored = await tasks.room.write(file, [Buffer.from(envelope)]);
      return { stored, synthetic: true, finishedAt, expiresAt };
    };
  }

  async function work(): Promise<void> {
    await worker.look();
    await worker.idle();
  }

  async function send(
    method: string,
    target: string,
    sent?: object,
    headers: Record<string, string> = {},
  ): Promise<Reply & { json: () => Promise<Told> }> {
    const [path = "", query = ""] = target.split("?");
    const all: Record<string, string> = {
      "x-api-key": "good-key",
      "content-type": "application/json",
      ...headers,
    };
    const reply = await router.answer({
      method,
      path,
      params: {},
      query: new URLSearchParams(query),
      header: (name) => all[name],
      address: "127.0.0.1",
      id: "test",
      body: async () => new TextEncoder().encode(JSON.stringify(sent)),
      signal: new AbortController().signal,
    });
    return { ...reply, json: async () => JSON.parse(await textOf(reply)) };
  }

  const submit = async (more: object = {}, headers = {}): Promise<string> => {
    const reply = await send("POST", "/MetOcean/async", { ...body, ...more }, headers);
    expect(reply.status).toBe(202);
    test.pass(1);
    return (await reply.json()).task_id;
  };

  it("row 20: a task is accepted with its id, its place and when to ask; it is durable by then", async () => {
    const reply = await send("POST", "/MetOcean/async", body);
    const { task_id, ...rest } = await reply.json();
    expect([reply.status, rest]).toEqual([202, { status: "PENDING" }]);
    expect(task_id).toMatch(UUID);
    expect(reply.headers).toMatchObject({
      location: `/task/${task_id}`,
      "retry-after": "1",
      "ratelimit-policy": expect.stringContaining("data"),
    });
    const row = await test.database.prisma.task.findUniqueOrThrow({ where: { id: task_id } });
    const request: Uint8Array[] = [];
    for await (const chunk of tasks.room.read(row.requestFile!)) request.push(chunk);
    expect(JSON.parse(gunzipSync(Buffer.concat(request)).toString())).toEqual(body);
    // Row 9: the weather's clock of now, whenever it is computed.
    expect(row.weatherNow.getTime() / 1000).toBe(weatherNow);
  });

  it("tells its owner what a task was asked, as it was sent", async () => {
    const id = await submit({ task_name: "Brest", wind_height: 20 });
    const asked = { ...body, task_name: "Brest", wind_height: 20 };
    expect(await (await send("GET", `/task/${id}/request`)).json()).toEqual(asked);
    await work();
    expect(await (await send("GET", `/task/${id}/request`)).json()).toEqual(asked);
    expect((await send("GET", `/task/${id}/request`, undefined, { "x-api-key": "other-key" })).status).toBe(
      404,
    );
  });

  it("row 21: a pending task tells its name, kind, progress and place in the queue", async () => {
    const first = await submit({ task_name: "Überfahrt" });
    const second = await submit();
    const reply = await send("GET", `/task/${second}`);
    expect(reply.headers).toMatchObject({ "cache-control": "no-store", "retry-after": "1" });
    expect(await reply.json()).toEqual({
      task_id: second,
      task_name: null,
      kind: "MetOcean",
      created_at: expect.stringMatching(/Z$/),
      started_at: null,
      progress: 0,
      queue_position: 2,
      status: "PENDING",
    });
    const claim = (await tasks.store.claim())!;
    await tasks.store.beat(claim, 0.25);
    expect(await (await send("GET", `/task/${first}`)).json()).toMatchObject({
      status: "PENDING",
      task_name: "Überfahrt",
      progress: 0.25,
      started_at: expect.any(String),
    });
  });

  it.each([["gzip"], ["identity"]])(
    "row 19, 22: an ended task is the envelope of the answer, and when it was and goes; as %s",
    async (encoding) => {
      const id = await submit({ task_name: "a" });
      await work();
      const reply = await send("GET", `/task/${id}`, undefined, { "accept-encoding": encoding });
      expect(reply.headers["x-data-provenance"]).toBe("synthetic");
      expect(await reply.json()).toEqual({
        task_id: [id],
        status: "SUCCESS",
        result: { results: ["a"] },
        task_name: "a",
        created_at: expect.any(String),
        finished_at: expect.any(String),
        expires_at: expect.any(String),
      });
      const again = { "if-none-match": reply.headers.etag ?? "" };
      expect((await send("GET", `/task/${id}`, undefined, again)).status).toBe(304);
    },
  );

  it("row 22: a failed task says why, with 200", async () => {
    run = async () => {
      throw new ProcessingError("Chunk 3 of the archive is damaged");
    };
    const id = await submit();
    await work();
    const reply = await send("GET", `/task/${id}`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      task_id: id,
      status: "FAILURE",
      error: "Chunk 3 of the archive is damaged",
      task_name: null,
    });
  });

  it("tries a task that ends in a surprise three times, and then tells nothing of our insides", async () => {
    let runs = 0;
    run = async () => {
      runs++;
      throw new TypeError("undefined at /srv/secret.ts");
    };
    const id = await submit();
    for (let round = 0; round < 4; round++) {
      await work();
      test.pass(10);
    }
    expect(runs).toBe(3);
    const { status, error } = await (await send("GET", `/task/${id}`)).json();
    expect([status, error]).toEqual(["FAILURE", expect.not.stringContaining("secret")]);
  });

  it("row 23: lists in pages, by state, newest first", async () => {
    const done = await submit();
    await work();
    const waiting = [await submit(), await submit()];
    const all = await send("GET", "/user/tasks?limit=2");
    expect((await all.json()).results.map((each) => each.task_id)).toEqual([waiting[1], waiting[0]]);
    const next = /^<(.+)>; rel="next"$/.exec(all.headers.link ?? "")![1]!;
    const rest = await send("GET", next);
    expect((await rest.json()).results).toMatchObject([{ task_id: done, status: "SUCCESS", size: 1 }]);
    expect(rest.headers.link).toBeUndefined();
    const listed = async (state: string) =>
      (await (await send("GET", `/user/tasks/${state}`)).json()).results.length;
    expect([await listed("PENDING"), await listed("SUCCESS"), await listed("FAILURE")]).toEqual([2, 1, 0]);
    for (const wrong of ["/user/tasks/RUNNING", "/user/tasks?limit=101", "/user/tasks?cursor=x"])
      expect((await send("GET", wrong)).status).toBe(422);
    expect((await (await send("GET", "/user/tasks/RUNNING")).json()).detail[0]?.loc).toEqual([
      "path",
      "state",
    ]);
  });

  it("row 24: cancelling ends a waiting task, and a running one at once; again is the same; 409 after success", async () => {
    const [id, running] = [await submit(), await submit()];
    const cancel = async (each: string) => {
      const reply = await send("POST", `/cancel_task/${each}`);
      return [reply.status, await reply.json()] as const;
    };
    const [status, ended] = await cancel(id);
    expect([status, ended]).toMatchObject([
      200,
      { status: "FAILURE", error: "Task cancelled by user", task_id: id },
    ]);
    expect(await cancel(id)).toEqual([200, ended]);
    let heard: unknown;
    run = (_task, _file, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          heard = signal.reason;
          reject(signal.reason);
        });
      });
    await worker.look();
    await cancel(running);
    // Another process cancelled it: the next sign of life tells.
    await worker.look();
    await worker.idle();
    expect(heard).toBeInstanceOf(Error);
    run = success();
    const done = await submit();
    await work();
    expect((await cancel(done))[0]).toBe(409);
  });

  it("row 24: DELETE cancels what is pending, and removes what has ended with its files", async () => {
    const id = await submit();
    await work();
    expect((await send("GET", `/task/${id}`)).status).toBe(200);
    const removed = await send("DELETE", `/task/${id}`);
    expect([removed.status, removed.body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"]) expect((await send(method, `/task/${id}`)).status).toBe(404);
    const left: string[] = [];
    for await (const name of tasks.room.olderThan(4e9)) left.push(name);
    expect(left.filter((name) => name.startsWith(id))).toEqual([]);
    const pending = await submit();
    expect(await (await send("DELETE", `/task/${pending}`)).json()).toMatchObject({ status: "FAILURE" });
  });

  it("row 25: another owner's task, one that never was and a malformed id are one and the same", async () => {
    const id = await submit();
    await work();
    await send("GET", `/task/${id}`);
    const foreign = { "x-api-key": "other-key" };
    for (const [method, path] of [
      ["GET", "/task/:id"],
      ["DELETE", "/task/:id"],
      ["GET", "/task/:id/events"],
      ["POST", "/cancel_task/:id"],
    ] as const) {
      const replies: unknown[] = [];
      for (const each of [id, "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11", "nothing", "%00", "a".repeat(300)]) {
        const { status, body, headers } = await send(method, path.replace(":id", each), undefined, foreign);
        const { "x-ratelimit-remaining": _, ratelimit: __, ...rest } = headers;
        replies.push({ status, body, rest });
      }
      expect(replies[0]).toMatchObject({ status: 404, body: '{"detail":"Task not found"}' });
      for (const reply of replies) expect(reply).toEqual(replies[0]);
    }
    expect((await send("GET", "/user/tasks", undefined, foreign)).body).toBe('{"results":[]}');
  });

  it("row 25: what is remembered of a task is asked for with its owner: a stranger costs the same query", async () => {
    const id = await submit();
    await work();
    await tasks.reader.find("good-key", id);
    const queries: string[] = [];
    const spied = test.database.prisma.task.findFirst;
    const table = test.database.prisma.task as unknown as { findFirst: unknown };
    table.findFirst = (asked: { where: { owner: string } }) => {
      queries.push(asked.where.owner);
      return (spied as (asked: unknown) => unknown).call(test.database.prisma.task, asked);
    };
    await tasks.reader.find("good-key", id);
    await tasks.reader.find("other-key", id);
    await tasks.reader.find("other-key", "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11");
    table.findFirst = spied;
    expect(queries).toEqual(["other-key", "other-key"]);
  });

  it("row 26: a result is 410 when its time is over, swept or not; then the task is 404", async () => {
    const id = await submit();
    await work();
    test.pass(testLimits.resultSeconds);
    const over = await send("GET", `/task/${id}`);
    expect([over.status, over.body]).toEqual([410, '{"detail":"Task result expired"}']);
    await tasks.sweep();
    tasks.reader.forget("good-key", id);
    expect((await send("GET", `/task/${id}`)).status).toBe(410);
    test.pass(testLimits.rowSeconds);
    await tasks.sweep();
    tasks.reader.forget("good-key", id);
    expect((await send("GET", `/task/${id}`)).status).toBe(404);
  });

  describe("row 27: Idempotency-Key", () => {
    const key = { "idempotency-key": "one" };
    it("the same body is the same task, of each owner", async () => {
      const id = await submit({}, key);
      const again = await send("POST", "/MetOcean/async", body, key);
      expect([again.status, again.headers["idempotent-replayed"], await again.json()]).toEqual([
        202,
        "true",
        { task_id: id, status: "PENDING" },
      ]);
      const other = await send("POST", "/MetOcean/async", body, { ...key, "x-api-key": "other-key" });
      expect((await other.json()).task_id).not.toBe(id);
    });

    it("another body, or another path, is 422, and so is a key that is none", async () => {
      await submit({}, key);
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

    it("409 while the first request is open, and one task when many come at once", async () => {
      const replies = await Promise.all([1, 2, 3].map(() => send("POST", "/MetOcean/async", body, key)));
      expect(replies.map(({ status }) => status).toSorted()).toEqual([202, 409, 409]);
      expect(await test.database.prisma.task.count()).toBe(1);
    });

    it("an answer given at once is given again, to the byte", async () => {
      const first = await send("POST", "/MetOcean", body, key);
      const text = await textOf(first);
      const again = await send("POST", "/MetOcean", body, key);
      expect([again.status, again.headers["idempotent-replayed"], await textOf(again)]).toEqual([
        200,
        "true",
        text,
      ]);
      expect(JSON.parse(text).status).toBe("SUCCESS");
    });
  });

  it("row 28: a name is 200 characters of text that any file can hold", async () => {
    const name = "ж".repeat(200);
    const id = await submit({ task_name: name });
    expect((await (await send("GET", `/task/${id}`)).json()).task_name).toBe(name);
    for (const wrong of ["x".repeat(201), "a\0b", "\ud800"])
      expect((await send("POST", "/MetOcean/async", { ...body, task_name: wrong })).status).toBe(422);
  });

  it("row 29: without a mail server the reply says so", async () => {
    const asked = await send("POST", "/MetOcean/async", { ...body, receive_mail: true });
    expect(asked.headers["x-notification"]).toBe("not-configured");
    expect((await send("POST", "/MetOcean/async", body)).headers["x-notification"]).toBeUndefined();
  });

  it("row 4: a full queue is told at submission: 429 for one's own, 503 for everybody's", async () => {
    for (let count = 0; count < testLimits.pendingOfOwner; count++) await submit();
    const own = await send("POST", "/MetOcean/async", body);
    expect([own.status, own.headers["retry-after"], await own.json()]).toEqual([
      429,
      "30",
      { error: "Rate limit exceeded: 5 pending tasks" },
    ]);
    for (let count = testLimits.pendingOfOwner; count < testLimits.pending; count++)
      await submit({}, { "x-api-key": "other-key" });
    const all = await send("POST", "/MetOcean/async", body, { "x-api-key": "third" });
    expect([all.status, all.headers["retry-after"]]).toEqual([503, "30"]);
  });

  it("row 3, 6: what is wrong makes no task, and the sync path names this one", async () => {
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
    expect(await test.database.prisma.task.count()).toBe(0);
    const many = { ...body, points: Array.from({ length: 10_001 }, () => body.points[0]) };
    const sync = await send("POST", "/MetOcean", many);
    expect((await sync.json()).detail[0]?.msg).toContain("/MetOcean/async");
    expect((await send("POST", "/MetOcean/async", many)).status).toBe(202);
  });

  it("tells of a task as it goes on, until its end, and stops for a client that leaves", async () => {
    const id = await submit();
    const reply = await send("GET", `/task/${id}/events`);
    expect(reply.headers).toMatchObject({
      "content-type": "text/event-stream",
      "cache-control": "no-store, no-transform",
    });
    const events = reply.body as AsyncGenerator<Uint8Array>;
    const next = async () => {
      const { value, done } = await events.next();
      return done ? undefined : Buffer.from(value as Uint8Array).toString();
    };
    expect(await next()).toMatch(/^event: progress\ndata: \{"task_id":.*"status":"PENDING".*\}\n\n$/);
    await work();
    expect(await next()).toMatch(/^event: end\ndata: .*"status":"SUCCESS".*\n\n$/);
    expect(await next()).toBeUndefined();
  });

  it("a worker that lost its task leaves neither result nor file", async () => {
    const id = await submit();
    run = async (task, file, hooks) => {
      const made = await success()(task, file, hooks);
      // Another took it meanwhile, because this one was silent too long.
      test.pass(60);
      const other = (await tasks.store.claim())!;
      await tasks.store.fail(other, "the other one's end");
      return made;
    };
    await work();
    expect(await (await send("GET", `/task/${id}`)).json()).toMatchObject({ error: "the other one's end" });
    const late = tasks.room.read(resultName({ id, token: 1 }));
    await expect(late[Symbol.asyncIterator]().next()).rejects.toThrow("There is no file");
  });
});

async function textOf({ body, headers }: Reply): Promise<string> {
  if (typeof body === "string") return body;
  const chunks: Uint8Array[] = [];
  for await (const chunk of body instanceof Uint8Array ? [body] : (body ?? [])) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  return (headers["content-encoding"] === "gzip" ? gunzipSync(bytes) : bytes).toString();
}
