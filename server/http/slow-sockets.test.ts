import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import {
  envelopeEndpoint,
  openEndpoint,
  openTestServer,
  sampleSchema,
  type TestServer,
  testRequestContext,
} from "#test/http.ts";
import type { Reply } from "./api-request.ts";
import { BodyMemory } from "./request-body.ts";

/** The reply is larger than the buffers of both sockets together. */
const REPLY: Reply = {
  status: 200,
  headers: { "content-type": "application/octet-stream" },
  body: Buffer.alloc(16 * 2 ** 20, "x"),
};

const LIMITS = { all: 150, ofAddress: 100 };

let server: TestServer;
let bodies: BodyMemory;
const clients: Socket[] = [];

// The test decides when limits of seconds end; times that Node's own server measures are real.
beforeEach(
  () =>
    void vi.useFakeTimers({
      toFake: ["setInterval", "clearInterval", "setTimeout", "clearTimeout", "performance"],
    }),
);
afterEach(async () => {
  for (const client of clients.splice(0)) client.destroy();
  await server.close();
  vi.useRealTimers();
});

async function open(): Promise<void> {
  bodies = new BodyMemory();
  const data = envelopeEndpoint({ schema: sampleSchema, limitBytes: 2 ** 20, group: "data" }, async () => ({
    results: [],
  }));
  server = await openTestServer(
    {
      "/data": { POST: data },
      "/large": { GET: openEndpoint(() => ({ ...REPLY, headers: { ...REPLY.headers } })) },
    },
    {
      context: testRequestContext({ "busy-key": parseLimit("10000 per 1 minute")! }),
      bodies,
      connections: LIMITS,
      times: { headersMs: 400, checkMs: 50 },
    },
  );
}

/** Opens a client from one of the machine's own addresses; `said` collects what comes back. */
function client(address: string, text: string) {
  const { port } = server.server.address() as { port: number };
  const socket = connect({ port, host: "127.0.0.1", localAddress: address });
  clients.push(socket);
  const state = { socket, said: "", isClosed: false };
  socket.on("error", () => undefined);
  socket.on("data", (bytes) => {
    state.said += bytes.toString("latin1").slice(0, 2000);
  });
  socket.on("close", () => {
    state.isClosed = true;
  });
  socket.write(text);
  return state;
}

const poll = (what: () => unknown) => expect.poll(what, { interval: 5, timeout: 10_000 });

const post =
  "POST /data HTTP/1.1\r\nHost: x\r\nX-API-Key: busy-key\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n";

// Other systems have one address of their own.
it.skipIf(process.platform !== "linux")(
  "200 slow sockets: what is beyond the limits is refused in JSON, the rest is cut in its time, others are answered, and nothing stays",
  async () => {
    await open();
    const readers = Array.from({ length: 20 }, () =>
      client("127.0.0.2", "GET /large HTTP/1.1\r\nHost: x\r\n\r\n"),
    );
    for (const { socket } of readers) socket.pause();
    const sending = Array.from({ length: 80 }, () => client("127.0.0.2", `${post}{`));
    await poll(() => server.connections.open).toBe(100);
    const ofOne = Array.from({ length: 50 }, () => client("127.0.0.2", `${post}{`));
    await poll(() => ofOne.every(({ isClosed }) => isClosed)).toBe(true);
    for (const { said } of ofOne) {
      expect(said).toMatch(/^HTTP\/1\.1 503 /);
      expect(said).toMatch(/\r\nRetry-After: 5\r\n/);
      expect(JSON.parse(said.split("\r\n\r\n")[1]!)).toEqual({
        detail: "Too many connections from your address are open. Please try again later.",
      });
    }
    expect(server.connections.refused).toBe(50);

    // Another address still gets its place.
    const other = client(
      "127.0.0.3",
      "POST /data HTTP/1.1\r\nHost: x\r\nX-API-Key: busy-key\r\nContent-Type: application/json\r\n" +
        'Content-Length: 28\r\nConnection: close\r\n\r\n{"points":[{"latitude":1}]}\n',
    );
    await once(other.socket, "close");
    expect(other.said).toMatch(/^HTTP\/1\.1 200 /);

    const headers = Array.from({ length: 20 }, () => client("127.0.0.3", "GET /large HTTP/1.1\r\nHo"));
    await poll(() => headers.every(({ isClosed }) => isClosed)).toBe(true);
    expect(headers.map(({ said }) => said.slice(0, 12))).toEqual(Array(20).fill("HTTP/1.1 408"));

    const more = Array.from({ length: 60 }, (_, index) => client(`127.0.0.${4 + (index % 3)}`, `${post}{`));
    await poll(() => more.filter(({ isClosed }) => isClosed).length).toBe(10);
    expect(server.connections.open).toBe(LIMITS.all);
    const refused = more.filter(({ isClosed }) => isClosed);
    expect(refused.map(({ said }) => /Too many connections to the service are open/.test(said))).toEqual(
      Array(10).fill(true),
    );

    await vi.advanceTimersByTimeAsync(32_000);
    await poll(() => sending.every(({ said }) => said.startsWith("HTTP/1.1 408"))).toBe(true);
    await vi.advanceTimersByTimeAsync(20_000_000);
    await poll(() => server.connections.cut).toBe(20);

    for (const socket of clients) socket.destroy();
    await poll(() => server.connections.open).toBe(0);
    await vi.advanceTimersByTimeAsync(1_000);
    expect([bodies.used, vi.getTimerCount()]).toEqual([0, 0]);
  },
);
