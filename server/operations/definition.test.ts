import { afterEach, expect, it } from "vitest";
import { ProcessingError, UnavailableError } from "#server/platform/errors.ts";
import {
  envelopeEndpoint,
  openTestServer,
  readEndpoint,
  sampleSchema,
  type TestBodyRules,
  type TestServer,
} from "#test/http.ts";
import type { Answer, AnswerRules } from "./envelope-reply.ts";

let server: TestServer;
afterEach(() => server.close());

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/;
const body = { points: [{ latitude: 1 }] };

async function open(
  compute: (job: { signal: AbortSignal }) => Promise<Answer>,
  rules: Partial<TestBodyRules<typeof sampleSchema>> & AnswerRules<Answer> = {},
) {
  server = await openTestServer({
    "/data": {
      POST: envelopeEndpoint({ schema: sampleSchema, limitBytes: 1e6, group: "data", ...rules }, compute),
    },
  });
}

it("a success is an envelope of task_id, status and result that no cache stores", async () => {
  await open(async () => ({ results: [{ a: 1 }] }));
  const reply = await server.post("/data", body);
  const answer = (await reply.json()) as { task_id: string; status: string; result: Record<string, unknown> };
  expect(Object.keys(answer)).toEqual(["task_id", "status", "result"]);
  expect(answer.task_id).toMatch(UUID);
  expect(answer.status).toBe("SUCCESS");
  expect(Object.keys(answer.result)).toEqual(["results", "execution_time"]);
  expect(answer.result.results).toEqual([{ a: 1 }]);
  expect(answer.result.execution_time).toMatch(/^\d+\.\d{3} seconds$/);
  expect(reply.headers.get("cache-control")).toBe("no-store");
  expect(reply.headers.get("content-type")).toBe("application/json");
});

it("a known failure states its reason with status 200 and no stack", async () => {
  await open(async () => {
    throw new ProcessingError("Chunk 3 of the archive is damaged");
  });
  const reply = await server.post("/data", body);
  expect(reply.status).toBe(200);
  expect(await reply.json()).toEqual({
    task_id: expect.stringMatching(UUID),
    status: "FAILURE",
    error: "Chunk 3 of the archive is damaged",
  });
});

it("an unexpected failure shows the caller no internals, and logs everything under the same task id", async () => {
  await open(async () => {
    throw new TypeError("undefined is not a function at /srv/secret.ts");
  });
  const answer = (await (await server.post("/data", body)).json()) as {
    task_id: string;
    status: string;
    error: string;
  };
  expect(answer.status).toBe("FAILURE");
  expect(answer.error).not.toContain("secret");
  const [line] = server.context.logged.filter(({ level }) => level === "error");
  expect(line?.fields).toMatchObject({ taskId: answer.task_id, err: expect.any(TypeError) });
});

it("an overload is 503 with Retry-After, not a failure of the task", async () => {
  await open(async () => {
    throw new UnavailableError("The archive is being opened", 7);
  });
  const reply = await server.post("/data", body);
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("7");
  expect(reply.headers.get("ratelimit")).not.toBeNull();
  expect(await reply.json()).toEqual({ detail: "The archive is being opened" });
});

it("stops computing when the client disconnects, and logs no error", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: stopped, resolve: stop } = Promise.withResolvers<void>();
  await open(
    ({ signal }) =>
      new Promise((_resolve, reject) => {
        begin();
        signal.addEventListener("abort", () => {
          reject(signal.reason);
          stop();
        });
      }),
  );
  const aborter = new AbortController();
  const reply = fetch(`${server.url}/data`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-api-key": "good-key" },
    body: JSON.stringify(body),
    signal: aborter.signal,
  });
  await begun;
  aborter.abort();
  await expect(reply).rejects.toThrow();
  await stopped;
  await expect.poll(() => server.context.logged.length).toBe(1);
  expect(server.context.logged[0]).toMatchObject({ level: "info", fields: { status: 499 } });
});

it("of a query name that is repeated, the last value counts", async () => {
  const query = sampleSchema.pick({ name: true });
  const read = readEndpoint({ group: "storms", query }, () => ({ status: 204, headers: {}, body: null }));
  server = await openTestServer({ "/storms": { GET: read } });
  const statusOf = async (search: string) =>
    (await fetch(`${server.url}/storms?${search}`, { headers: { "x-api-key": "good-key" } })).status;
  expect([await statusOf("name=too-long&name=b"), await statusOf("name=b&name=too-long")]).toEqual([
    204, 422,
  ]);
});
