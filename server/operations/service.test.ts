import { afterEach, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { Connections } from "#server/http/connections.ts";
import { httpServer } from "#server/http/http-server.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { listen } from "#server/platform/listen.ts";
import { feedsAnswer } from "#test/feed-status.ts";
import { openTestServer, rawExchange, type TestServer, testContext, testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";
import { apiRouter } from "./operations.ts";
import { feeds } from "./service.ts";

it("readiness is found out at most once a second, however often it is asked for, and ends at once when the process is told to stop", async () => {
  const request = testRequestContext();
  let checks = 0;
  let failure: string | undefined;
  const ready = async () => {
    checks++;
    return { database: failure };
  };
  const draining = new AbortController();
  connectContext(testContext({ ...request, ready, draining: draining.signal }));
  const statusOf = async () => (await ask("GET", "/readyz")).status;
  expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([200, 200, 200]);
  expect(checks).toBe(1);
  failure = "does not answer";
  request.time += 1;
  expect(await statusOf()).toBe(503);
  expect(checks).toBe(2);
  failure = undefined;
  // A clock that was a day ahead does not keep a cached result alive either.
  request.time -= 86_400;
  expect(await statusOf()).toBe(200);
  // Draining shows at once: a load balancer that asks in the same second must know.
  draining.abort();
  const { status, headers, body } = await ask("GET", "/readyz");
  expect([status, headers["retry-after"], body]).toEqual([
    503,
    "5",
    expect.stringContaining("about to stop"),
  ]);
  expect(checks).toBe(3);
});

it("a part that is degraded is named and keeps the process ready", async () => {
  const ready = async () => ({ database: undefined, archive: { degraded: "its store does not answer" } });
  connectContext(
    testContext({
      ...testRequestContext(),
      ready,
      draining: new AbortController().signal,
    }),
  );
  const { status, body } = await ask("GET", "/readyz");
  expect(status).toBe(200);
  expect(JSON.parse(String(body))).toEqual({
    status: "ok",
    parts: { database: "ok", archive: "degraded: its store does not answer" },
  });
});

/** A server behind one trusted proxy, which counts how often the metrics are read. */
async function open(metricsAccess: Context["metricsAccess"]) {
  const request = testRequestContext();
  let read = 0;
  const metrics = { text: async () => ({ type: "text/plain", body: `read ${++read}\n` }) };
  const context = testContext({ ...request, metrics, metricsAccess });
  const server = httpServer({
    router: apiRouter(context),
    log: request.log,
    accessLog: request.log,
    observe: () => undefined,
    trustedProxies: 1,
    bodies: new BodyMemory(),
    connections: new Connections({ all: 100, ofAddress: 100 }),
    page: async (_incoming, response) => void response.writeHead(404).end(),
  });
  const origin = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
  const ask = (headers: Record<string, string> = {}, path = "/metrics") => fetch(origin + path, { headers });
  const raw = (text: string) => rawExchange(Number(new URL(origin).port), text);
  return { origin, raw, request, ask, [Symbol.asyncDispose]: async () => void server.close() };
}

it("metrics beside the API are for this machine: whoever comes by a proxy is refused, whatever it writes", async () => {
  await using server = await open("local");
  expect((await server.ask()).status).toBe(200);
  const forwarded: Record<string, string>[] = [
    { "x-forwarded-for": "203.0.113.1" },
    { "x-forwarded-for": "127.0.0.1" },
    { "x-forwarded-for": "203.0.113.1, 127.0.0.1" },
    { "x-forwarded-for": "" },
    { forwarded: "for=127.0.0.1" },
    { "x-real-ip": "127.0.0.1" },
    { via: "1.1 proxy" },
  ];
  for (const headers of forwarded)
    for (const path of ["/metrics", "/metrics/", "/%6Detrics"])
      expect((await server.ask(headers, path)).status, JSON.stringify(headers)).toBe(403);
});

it("no page of another site reads them, also not in a browser of this machine, whatever it calls the machine", async () => {
  const { origin, raw, ...server } = await open("local");
  await using _ = server;
  const port = new URL(origin).port;
  const statusAt = async (...lines: string[]) => {
    const text = await raw(`GET /metrics HTTP/1.1\r\nConnection: close\r\n${lines.join("\r\n")}\r\n\r\n`);
    return Number(text.split(" ")[1]);
  };
  for (const host of [`127.0.0.1:${port}`, `[::1]:${port}`, "LocalHost", "localhost:1"])
    expect(await statusAt(`Host: ${host}`), host).toBe(200);
  for (const host of [
    "rebound.example.org",
    `127.0.0.1.example.org:${port}`,
    "",
    "localhost.example.org",
    "@",
  ])
    expect(await statusAt(`Host: ${host}`), host).toBe(403);
  const page = [
    "Origin: https://evil.example.org",
    "Origin: null",
    "Sec-Fetch-Site: cross-site",
    "Sec-Fetch-Site: same-site",
  ];
  for (const line of page) expect(await statusAt(`Host: 127.0.0.1:${port}`, line), line).toBe(403);
  const reply = await server.ask();
  expect(reply.headers.get("access-control-allow-origin")).toBeNull();
  expect(reply.headers.get("cross-origin-resource-policy")).toBe("same-origin");
});

it("a setting opens them to all, or closes them", async () => {
  await using everybody = await open("public");
  expect((await everybody.ask({ "x-forwarded-for": "203.0.113.1" })).status).toBe(200);
  await using nobody = await open("off");
  expect((await nobody.ask()).status).toBe(404);
});

let server: TestServer | undefined;
afterEach(() => server?.close());

async function askFeeds(open: boolean, headers: Record<string, string>): Promise<Response> {
  const status = { open, read: async () => feedsAnswer([]) };
  server = await openTestServer({
    "/feeds": { GET: (context) => feeds.endpoint(testContext({ ...context, feeds: status })) },
  });
  return fetch(`${server.url}/feeds`, { headers });
}

it("whoever has a key can read the feeds", async () => {
  expect((await askFeeds(false, {})).status).toBe(403);
  await server?.close();
  const reply = await askFeeds(false, { "x-api-key": "good-key" });
  expect([reply.status, await reply.json()]).toEqual([200, feedsAnswer([])]);
});

it("everybody can read the feeds where the operator opens them, counted by address", async () => {
  const reply = await askFeeds(true, {});
  expect([reply.status, await reply.json()]).toEqual([200, feedsAnswer([])]);
  expect(reply.headers.get("x-ratelimit-limit")).not.toBeNull();
});
