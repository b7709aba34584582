import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, expect, it } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import {
  envelopeEndpoint,
  openTestServer,
  sampleSchema,
  type TestServer,
  testRequestContext,
} from "#test/http.ts";
import { BodyMemory } from "./request-body.ts";

/** A fraction of what the service has, whose proportions it keeps: 64 MiB of an address, 128 in all, bodies of 14. */
const MIB = 2 ** 14;
const BODY = 14 * MIB;

let server: TestServer;
let clients: Socket[] = [];
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await server.close();
});

const bodyMemory = new BodyMemory(128 * MIB, 64 * MIB);

async function open() {
  const context = testRequestContext({ "busy-key": parseLimit("100 per 1 minute")! });
  const endpoint = envelopeEndpoint(
    { schema: sampleSchema, limitBytes: 32 * MIB, group: "data" },
    async () => ({ results: [] }),
  );
  server = await openTestServer(
    { "/data": { POST: endpoint } },
    {
      context,
      trustedProxies: 1,
      bodies: bodyMemory,
    },
  );
}

/** A client that announces a body and sends all of it but its last byte; what came back is in `said`. */
async function sendLarge(address: string) {
  const { port } = server.server.address() as { port: number };
  const socket = connect(port, "127.0.0.1");
  clients.push(socket);
  socket.on("error", () => undefined);
  let said = "";
  socket.on("data", (bytes) => {
    said += bytes.toString();
  });
  socket.write(
    `POST /data HTTP/1.1\r\nHost: x\r\nx-api-key: busy-key\r\nX-Forwarded-For: ${address}\r\n` +
      `Content-Type: application/json\r\nContent-Length: ${BODY}\r\n\r\n`,
  );
  const before = bodyMemory.used;
  socket.write(Buffer.alloc(BODY - 1, " "));
  await expect.poll(() => bodyMemory.used - before >= BODY - 1 || said !== "", { interval: 5 }).toBe(true);
  return { socket, said: () => said };
}

it("bodies that arrive at the same time are bounded over real sockets, for one address and in all; what they held is free when they end", async () => {
  await open();
  const held = [];
  for (let body = 0; body < 4; body++) held.push(await sendLarge("192.0.2.1"));
  expect(bodyMemory.used).toBe(4 * (BODY - 1));
  // The fifth would be 70 MiB.
  const fifth = await sendLarge("192.0.2.1");
  expect(fifth.said()).toMatch(
    /^HTTP\/1\.1 503 [\s\S]*retry-after: 5\r\n[\s\S]*Too many large or slow requests/i,
  );
  // Others have their own share, and small bodies are never refused.
  const small = await server.post("/data", { points: [{ latitude: 1 }] }, { "x-forwarded-for": "192.0.2.1" });
  expect(small.status).toBe(200);
  for (let body = 0; body < 4; body++) held.push(await sendLarge("192.0.2.2"));
  const ninth = await sendLarge("192.0.2.3");
  ninth.socket.destroy();
  fifth.socket.destroy();
  await expect.poll(() => bodyMemory.used).toBe(8 * (BODY - 1));
  expect(held.map(({ said }) => said())).toEqual(held.map(() => ""));

  // One is cut, one is answered: the memory of both is free.
  held[0]!.socket.destroy();
  held[1]!.socket.write(" ");
  await once(held[1]!.socket, "data");
  expect(held[1]!.said()).toMatch(/^HTTP\/1\.1 422 /);
  await expect.poll(() => bodyMemory.used).toBe(6 * (BODY - 1));
  const again = await sendLarge("192.0.2.1");
  expect(again.said()).toBe("");

  for (const client of clients) client.destroy();
  await expect.poll(() => bodyMemory.used).toBe(0);
});
