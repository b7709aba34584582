import { Agent, get, type IncomingMessage } from "node:http";
import { text } from "node:stream/consumers";
import { expect, it, onTestFinished } from "vitest";
import { openEndpoint, openTestServer } from "#test/http.ts";
import { drain } from "./drain.ts";

const OK = { status: 200, headers: {}, body: "ok" };

/** A server with a request that ends when the test says so, and clients that keep their connections. */
async function open() {
  const draining = new AbortController();
  const gate = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const server = await openTestServer(
    {
      "/quick": { GET: openEndpoint(() => OK) },
      "/slow": {
        GET: openEndpoint(async () => {
          begun.resolve();
          await gate.promise;
          return OK;
        }),
      },
    },
    { draining: draining.signal },
  );
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  onTestFinished(() => server.close().catch(() => {}));
  const ask = async (path: string) => {
    const reply = await new Promise<IncomingMessage>((resolve, reject) => {
      get(server.url + path, { agent }, resolve).on("error", reject);
    });
    return { status: reply.statusCode, connection: reply.headers.connection, body: await text(reply) };
  };
  const noticed = Promise.withResolvers<void>();
  const told: string[] = [];
  const tasks = { close: async () => void told.push("tasks") };
  const streams = { drain: () => void told.push("streams") };
  const stop = (graceMs?: number) =>
    drain({ draining, unnoticed: () => noticed.promise, servers: [server.server], tasks, streams, graceMs });
  return { ask, gate, begun, noticed, told, stop };
}

it("goes on to answer while a load balancer has not noticed, each reply ending its connection, and tells tasks first", async () => {
  const { ask, gate, begun, noticed, told, stop } = await open();
  expect((await ask("/quick")).connection).toBe("keep-alive");
  const inFlight = ask("/slow");
  await begun.promise;
  const stopped = stop();
  // On a connection that was kept, and on a new one.
  expect(await ask("/quick")).toEqual({ status: 200, connection: "close", body: "ok" });
  expect(await ask("/quick")).toEqual({ status: 200, connection: "close", body: "ok" });
  expect(told).toEqual(["tasks"]);
  noticed.resolve();
  await expect
    .poll(() =>
      ask("/quick").then(
        () => "answered",
        () => "refused",
      ),
    )
    .toBe("refused");
  expect(told).toEqual(["tasks", "streams"]);
  gate.resolve();
  expect(await inFlight).toEqual({ status: 200, connection: "close", body: "ok" });
  expect(await stopped).toBe(true);
});

it("cuts requests that take longer than they may", async () => {
  const { ask, begun, noticed, stop } = await open();
  const inFlight = ask("/slow").catch(() => "cut");
  await begun.promise;
  noticed.resolve();
  expect(await stop(30)).toBe(false);
  expect(await inFlight).toBe("cut");
});
