import { connect } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, expect, it } from "vitest";
import { BlobMissingError } from "#server/platform/blob-store.ts";
import { envelopeEndpoint, openEndpoint, openTestServer, sampleSchema, type TestServer } from "#test/http.ts";
import { closeGently } from "./connections.ts";

let server: TestServer;
afterEach(() => server.close());

const LIMIT = 2 * 2 ** 20;
const valid = JSON.stringify({ points: [{ latitude: 1 }] });
const short = { headersMs: 150, requestMs: 300, checkMs: 30 };

async function open(
  options: Parameters<typeof openTestServer>[1] = {},
  compute = async () => ({ results: [] }),
) {
  server = await openTestServer(
    {
      "/data": {
        POST: envelopeEndpoint({ schema: sampleSchema, limitBytes: LIMIT, group: "data" }, compute),
      },
      "/open": { GET: openEndpoint(() => ({ status: 200, headers: {}, body: "open" })) },
    },
    options,
  );
}

const head = (lines: string[], first = "POST /data HTTP/1.1") =>
  `${[first, "Host: x", "x-api-key: good-key", "Content-Type: application/json", ...lines].join("\r\n")}\r\n\r\n`;

const statusesOf = (text: string) =>
  [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));

it("a body of 2 MiB is read, one byte more is 413, and the connection stays open", async () => {
  await open();
  const padded = (bytes: number) =>
    valid.replace("}]}", `}],"pad":"${"x".repeat(bytes - valid.length - 9)}"}`);
  expect(Buffer.byteLength(padded(LIMIT))).toBe(LIMIT);
  expect((await server.post("/data", padded(LIMIT))).status).toBe(200);
  const rejected = await server.post("/data", padded(LIMIT + 1));
  expect(rejected.status).toBe(413);
  expect(await rejected.json()).toEqual({ detail: expect.stringContaining(String(LIMIT)) });
  expect((await server.post("/data", valid)).status).toBe(200);
});

it("a body without a length is cut at the limit too", async () => {
  await open();
  const chunk = `10000\r\n${" ".repeat(0x10000)}\r\n`;
  const reply = await server.raw(
    `${head(["Transfer-Encoding: chunked", "Connection: close"])}${chunk.repeat(40)}0\r\n\r\n`,
  );
  expect(reply).toMatch(/^HTTP\/1.1 413 /);
});

it.each([
  ["application/json", 200],
  ["application/json; charset=utf-8", 200],
  ['Application/JSON;Charset="UTF-8"', 200],
  ["application/json; charset=iso-8859-1", 415],
  ["text/plain", 415],
  ["application/x-www-form-urlencoded", 415],
  ["application/jsonp", 415],
  ["", 415],
])("content type %s is %i", async (type, status) => {
  await open();
  const reply = await server.post("/data", Buffer.from(valid), { "content-type": type });
  expect(reply.status).toBe(status);
});

it("a compressed body is 415, whatever its type", async () => {
  await open();
  const reply = await server.post("/data", gzipSync(valid), { "content-encoding": "gzip" });
  expect(reply.status).toBe(415);
  expect(await reply.json()).toEqual({ detail: expect.any(String) });
  expect((await server.post("/data", valid, { "content-encoding": "identity" })).status).toBe(200);
});

it("the body of a request with a wrong key cannot be sent forever", async () => {
  await open({ times: short });
  const reply = await server.raw("POST /data HTTP/1.1\r\nHost: x\r\nContent-Length: 100000\r\n\r\n{");
  expect(statusesOf(reply)[0]).toBe(403);
});

it("a body that fails before its first byte is answered as an error, and one that was deleted meanwhile as 410", async () => {
  const body = (error: Error) => ({
    [Symbol.asyncIterator]: () => ({ next: () => Promise.reject(error) }),
  });
  const reply = (error: Error) => openEndpoint(() => ({ status: 200, headers: {}, body: body(error) }));
  server = await openTestServer({
    "/broken": { GET: reply(new Error("disk")) },
    "/deleted": { GET: reply(new BlobMissingError("x")) },
  });
  for (const [path, status] of [
    ["/broken", 500],
    ["/deleted", 410],
  ] as const) {
    const answer = await fetch(server.url + path);
    expect(answer.status).toBe(status);
    expect(await answer.json()).toEqual({ detail: expect.any(String) });
    expect(answer.headers.get("x-request-id")).not.toBeNull();
  }
});

/** Opens connections together, each with a request, and returns what came back; "" for one closed without a reply. */
async function together(count: number): Promise<string[]> {
  const { port } = server.server.address() as { port: number };
  const one = () =>
    new Promise<string>((resolve) => {
      let received = "";
      const socket = connect(port, "127.0.0.1", () => socket.write(head([], "GET /open HTTP/1.1")));
      socket.on("data", (bytes) => (received += bytes));
      socket.on("error", (error) => (received ||= error.message));
      socket.on("close", () => resolve(received.split("\r\n")[0]!));
    });
  return Promise.all(Array.from({ length: count }, one));
}

it("beyond the bound on refused connections one is closed in silence, and the next ones are told again", async () => {
  await open({ connections: { all: 1, ofAddress: 1, refusedAtOnce: 2 } });
  const { port } = server.server.address() as { port: number };
  const idle = connect(port, "127.0.0.1");
  await expect.poll(() => server.connections.open).toBe(1);
  // Clients that do not close keep their descriptor for a second.
  const lingering = [0, 1].map(() => connect({ port, host: "127.0.0.1", allowHalfOpen: true }));
  await expect.poll(() => server.connections.refused).toBe(2);
  const [third] = await together(1);
  expect(third).not.toContain("HTTP");
  for (const socket of lingering) socket.destroy();
  await expect.poll(() => together(1)).toEqual(["HTTP/1.1 503 Service Unavailable"]);
  idle.destroy();
});

it("sends 100 Continue only for a valid key, and closes otherwise", async () => {
  await open();
  const lines = [`Content-Length: ${valid.length}`, "Expect: 100-continue", "Connection: close"];
  expect(statusesOf(await server.raw(head(lines) + valid))).toEqual([100, 200]);
  const rejected = await server.raw(head(lines).replace("good-key", "bad-key"));
  expect(statusesOf(rejected)).toEqual([401]);
});

it.each(["h2c", "websocket"])("answers a client that asks to upgrade to %s", async (protocol) => {
  await open();
  // Next adds its listener as soon as it has answered a page.
  server.server.on("upgrade", (_incoming, socket) => socket.destroy());
  const wish = [
    "Connection: Upgrade, HTTP2-Settings",
    `Upgrade: ${protocol}`,
    "HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA",
  ];
  const reply = await server.raw(`${head([...wish, `Content-Length: ${valid.length}`])}${valid}`);
  expect(reply).toMatch(/^HTTP\/1.1 200 [\s\S]*connection: close/i);
});

it.each(["*", "/open%00", "/%00"])("answers %s, which is not a path, with 404", async (target) => {
  await open();
  const reply = await server.raw(`GET ${target} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  expect(reply).toMatch(/^HTTP\/1.1 404 [\s\S]*"Not Found"/);
});

it("answers requests in flight while closing, and accepts no new ones", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  await open({}, async () => {
    begin();
    await gate;
    return { results: [] };
  });
  const reply = server.post("/data", valid);
  await begun;
  const closed = closeGently(server.server, 10_000);
  await expect(fetch(`${server.url}/open`)).rejects.toThrow();
  release();
  expect((await reply).status).toBe(200);
  expect(await closed).toBe(true);
});

it("closes in time even when a request never ends", async () => {
  const { promise: begun, resolve: begin } = Promise.withResolvers<void>();
  await open({}, () => {
    begin();
    return new Promise(() => undefined);
  });
  const reply = server.post("/data", valid).catch(() => "cut");
  await begun;
  expect(await closeGently(server.server, 50)).toBe(false);
  expect(await reply).toBe("cut");
});

it("a connection does not count as idle while its answer is computed", async () => {
  const { promise: gate, resolve: release } = Promise.withResolvers<void>();
  await open({ times: { idleMs: 30 } }, async () => {
    await gate;
    return { results: [] };
  });
  let silences = 0;
  server.server.on("timeout", () => {
    if (++silences === 3) release();
  });
  expect((await server.post("/data", valid)).status).toBe(200);
});

it("a client that stops reading its answer is cut, and what the answer holds becomes free", async () => {
  const ended = Promise.withResolvers<void>();
  async function* endless() {
    try {
      for (;;) yield new Uint8Array(1 << 20);
    } finally {
      ended.resolve();
    }
  }
  server = await openTestServer(
    { "/open": { GET: openEndpoint(() => ({ status: 200, headers: {}, body: endless() })) } },
    { times: { idleMs: 50 } },
  );
  const { port } = server.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  socket.pause();
  socket.on("error", () => undefined);
  socket.write("GET /open HTTP/1.1\r\nHost: x\r\n\r\n");
  await ended.promise;
  socket.destroy();
});
