import { once } from "node:events";
import { connect } from "node:net";
import { afterEach, expect, it } from "vitest";
import { envelopeEndpoint, openTestServer, sampleSchema, type TestServer } from "#test/http.ts";
import { heldBody } from "./held-body.ts";

let server: TestServer;
afterEach(() => server?.close());

const large = { schema: sampleSchema, limitBytes: 1e6, group: "data", bytes: 20 * 2 ** 20 } as const;
const body = JSON.stringify({ points: [{ latitude: 1 }] });
const head = [
  "POST /data HTTP/1.1",
  "Host: x",
  "x-api-key: good-key",
  "Content-Type: application/json",
  `Content-Length: ${body.length}`,
];

it("a large answer is the same text as a small one, and its memory is free when it was sent", async () => {
  const results = Array.from({ length: 1000 }, (_, index) => ({ index }));
  server = await openTestServer({
    "/large": { POST: envelopeEndpoint(large, async () => ({ results })) },
    "/small": { POST: envelopeEndpoint({ ...large, bytes: 0 }, async () => ({ results })) },
  });
  const resultOf = async (path: string) =>
    ((await (await server.post(path, body)).json()) as { result: { results: unknown } }).result.results;
  expect(await resultOf("/large")).toEqual(results);
  expect(await resultOf("/small")).toEqual(results);
  await expect.poll(() => server.context.queues.large.bytes).toBe(0);
});

it("a client that leaves in the middle of a large answer frees its memory and its files at once", async () => {
  const closed = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(65_536);
    } finally {
      closed.resolve();
    }
  }
  const formats = { "text/csv": () => endless() };
  server = await openTestServer({
    "/data": { POST: envelopeEndpoint({ ...large, formats }, async () => ({ results: [] })) },
  });
  const { port } = server.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  socket.write(`${[...head, "Accept: text/csv"].join("\r\n")}\r\n\r\n${body}`);
  await once(socket, "data");
  expect(server.context.queues.large.bytes).toBe(large.bytes);
  socket.destroy();
  await closed.promise;
  await expect.poll(() => server.context.queues.large.bytes).toBe(0);
});

it("an answer that its format cannot write is 500, and its memory is free", async () => {
  const formats = {
    "text/csv": () => {
      throw new Error("no such column");
    },
  };
  server = await openTestServer({
    "/data": { POST: envelopeEndpoint({ ...large, formats }, async () => ({ results: [] })) },
  });
  expect((await server.post("/data", body, { accept: "text/csv" })).status).toBe(500);
  expect(server.context.queues.large.bytes).toBe(0);
});

it("overload is 503 with Retry-After and a reason, and a free place ends it", async () => {
  const gate = Promise.withResolvers<void>();
  let begun = 0;
  server = await openTestServer({
    "/data": {
      POST: envelopeEndpoint(large, async () => {
        begun++;
        await gate.promise;
        return { results: [] };
      }),
    },
  });
  const { limits } = server.context.queues.large;
  Object.assign(limits, { runningOfOwner: 1, waitingOfOwner: 1 });
  const first = server.post("/data", body);
  await expect.poll(() => begun).toBe(1);
  const second = server.post("/data", body);
  await expect.poll(() => server.context.queues.large.waiting).toBe(1);
  const refused = await server.post("/data", body);
  expect(refused.status).toBe(503);
  expect(Number(refused.headers.get("retry-after"))).toBeGreaterThanOrEqual(1);
  expect(await refused.json()).toEqual({ detail: expect.stringMatching(/busy/) });
  gate.resolve();
  expect([(await first).status, (await second).status]).toEqual([200, 200]);
});

it("a body that is dropped unread frees what it holds", async () => {
  let released = 0;
  async function* pieces() {
    yield new Uint8Array(1);
  }
  const dropped = heldBody({ [Symbol.asyncIterator]: pieces }, () => () => released++);
  if (dropped === null || typeof dropped === "string" || dropped instanceof Uint8Array) throw new TypeError();
  await dropped[Symbol.asyncIterator]().return?.();
  expect(released).toBe(1);
});
