import { gunzipSync } from "node:zlib";
import { expect, it } from "vitest";
import { ProcessingError } from "#server/platform/errors.ts";
import { bytesOf, textOf } from "#test/send.ts";
import { body, describeTasksApi, result, send, submit, success, weatherNow, work } from "#test/tasks-api.ts";

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;

describeTasksApi("a task through the API", (api) => {
  it("an accepted task has id, location and Retry-After, and is durable", async () => {
    const reply = await send("POST", "/MetOcean/async", body);
    const { task_id, ...rest } = await reply.json();
    expect([reply.status, rest]).toEqual([202, { status: "PENDING" }]);
    expect(task_id).toMatch(UUID);
    expect(reply.headers).toMatchObject({
      location: `/task/${task_id}`,
      "retry-after": "1",
      "ratelimit-policy": expect.stringContaining("data"),
    });
    const row = await api.test.database.prisma.task.findUniqueOrThrow({ where: { id: task_id } });
    const request = (await api.tasks.blobs.get(row.requestFile!))!;
    expect(JSON.parse(gunzipSync(request).toString())).toEqual(body);
    // Row 9: the weather's clock of now, whenever it is computed.
    expect(row.weatherNow.getTime() / 1000).toBe(weatherNow);
  });

  it("returns the request of a task to its owner as it was sent", async () => {
    const id = await submit(api, { task_name: "Brest", wind_height: 20 });
    const request = { ...body, task_name: "Brest", wind_height: 20 };
    expect(await (await send("GET", `/task/${id}/request`)).json()).toEqual(request);
    await work(api);
    expect(await (await send("GET", `/task/${id}/request`)).json()).toEqual(request);
    expect((await send("GET", `/task/${id}/request`, undefined, { "x-api-key": "other-key" })).status).toBe(
      404,
    );
  });

  it.each([["gzip"], ["identity"]])(
    "an ended task is the envelope of the answer with its times; as %s",
    async (encoding) => {
      const id = await submit(api, { task_name: "a" });
      await work(api);
      const reply = await send("GET", `/task/${id}`, undefined, { "accept-encoding": encoding });
      expect(reply.headers["x-data-provenance"]).toBe("synthetic");
      expect(await reply.json()).toEqual({
        task_id: [id],
        status: "SUCCESS",
        result: { results: [result], execution_time: "0.001 seconds" },
        task_name: "a",
        created_at: expect.any(String),
        finished_at: expect.any(String),
        expires_at: expect.any(String),
      });
      const again = { "if-none-match": reply.headers.etag ?? "" };
      expect((await send("GET", `/task/${id}`, undefined, again)).status).toBe(304);
    },
  );

  it("a result comes in the format that Accept names, with an ETag of its own", async () => {
    const conditions = { Winds_10m_Direction: 12.3, Winds_10m_Intensity: null };
    api.run = success(api, JSON.stringify({ coordinates: body.points[0], conditions }));
    const id = await submit(api);
    await work(api);
    const get = (accept: string, more = {}) => send("GET", `/task/${id}`, undefined, { accept, ...more });
    const tags = new Set<string | undefined>();
    for (const [accept, type] of [
      ["application/json", "application/json"],
      ["text/csv", "text/csv"],
      ["application/x-ndjson", "application/x-ndjson"],
      ["application/vnd.apache.arrow.stream", "application/vnd.apache.arrow.stream"],
      ["application/x-netcdf", "application/x-netcdf"],
      ["application/geo+json", "application/geo+json"],
      ["image/png", "application/json"],
    ] as const) {
      const reply = await get(accept);
      expect([reply.status, reply.headers["content-type"], reply.headers.vary]).toEqual([
        200,
        type,
        "X-API-Key, Accept",
      ]);
      expect(reply.headers["x-data-provenance"]).toBe("synthetic");
      tags.add(reply.headers.etag);
      expect((await get(accept, { "if-none-match": reply.headers.etag })).status).toBe(304);
      expect((await bytesOf(reply)).length).toBeGreaterThan(50);
    }
    expect(tags.size).toBe(6);
    const lines = (await textOf(await get("text/csv"))).split("\r\n");
    expect(lines[1]).toMatch(/^48\.5,-5\.2,[^,]+,12\.3,,Not for navigation; synthetic/);
    const { features } = JSON.parse(await textOf(await get("application/geo+json")));
    expect(features).toMatchObject([{ properties: { Winds_10m_Intensity: null } }]);
  });

  it("a failed task states its reason with status 200", async () => {
    api.run = async () => {
      throw new ProcessingError("Chunk 3 of the archive is damaged");
    };
    const id = await submit(api);
    await work(api);
    const reply = await send("GET", `/task/${id}`);
    expect(reply.status).toBe(200);
    expect(await reply.json()).toMatchObject({
      task_id: id,
      status: "FAILURE",
      error: "Chunk 3 of the archive is damaged",
      task_name: null,
    });
  });

  it("lists in pages, by state, newest first", async () => {
    const done = await submit(api);
    await work(api);
    const waiting = [await submit(api), await submit(api)];
    const all = await send("GET", "/user/tasks?limit=2");
    expect((await all.json()).results.map((each) => each.task_id)).toEqual([waiting[1], waiting[0]]);
    const next = /^<(.+)>; rel="next"$/.exec(all.headers.link ?? "")![1]!;
    const rest = await send("GET", next);
    expect((await rest.json()).results).toMatchObject([{ task_id: done, status: "SUCCESS", size: 1 }]);
    expect(rest.headers.link).toBeUndefined();
    const listed = async (state: string) =>
      (await (await send("GET", `/user/tasks/${state}`)).json()).results.length;
    expect([await listed("PENDING"), await listed("SUCCESS"), await listed("FAILURE")]).toEqual([2, 1, 0]);
    for (const wrong of [
      "/user/tasks/RUNNING",
      "/user/tasks?limit=101",
      "/user/tasks?limit=0x10",
      "/user/tasks?limit=",
      "/user/tasks?cursor=x",
    ])
      expect((await send("GET", wrong)).status).toBe(422);
    expect((await (await send("GET", "/user/tasks/RUNNING")).json()).detail[0]?.loc).toEqual([
      "path",
      "state",
    ]);
  });

  it("cancelling ends a waiting or running task at once; again is the same; 409 after success", async () => {
    const [id, running] = [await submit(api), await submit(api)];
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
    api.run = (_task, _file, { signal }) =>
      new Promise((_resolve, reject) => {
        signal.addEventListener("abort", () => {
          heard = signal.reason;
          reject(signal.reason);
        });
      });
    await api.worker.poll();
    await cancel(running);
    // Another process cancelled the task; the next heartbeat reports it.
    await api.worker.poll();
    await api.worker.idle();
    expect(heard).toBeInstanceOf(Error);
    api.run = success(api);
    const done = await submit(api);
    await work(api);
    expect((await cancel(done))[0]).toBe(409);
  });

  it("DELETE cancels a pending task, and removes an ended one with its files", async () => {
    const id = await submit(api);
    await work(api);
    expect((await send("GET", `/task/${id}`)).status).toBe(200);
    const removed = await send("DELETE", `/task/${id}`);
    expect([removed.status, removed.body]).toEqual([204, null]);
    for (const method of ["GET", "DELETE"]) expect((await send(method, `/task/${id}`)).status).toBe(404);
    const left: string[] = [];
    for await (const { key } of api.tasks.blobs.list()) left.push(key);
    expect(left.filter((name) => name.startsWith(id))).toEqual([]);
    const pending = await submit(api);
    expect(await (await send("DELETE", `/task/${pending}`)).json()).toMatchObject({ status: "FAILURE" });
  });

  it("streams the progress of a task until its end, and stops when the client disconnects", async () => {
    const id = await submit(api);
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
    await work(api);
    // The claim of the task may be an event of its own.
    let last = await next();
    while (last?.startsWith("event: progress")) last = await next();
    expect(last).toMatch(/^event: end\ndata: .*"status":"SUCCESS".*\n\n$/);
    expect(await next()).toBeUndefined();
  });
});
