import { afterAll, expect, it } from "vitest";
import { Connections } from "#server/http/connections.ts";
import { BodyMemory } from "#server/http/request-body.ts";
import { listen } from "#server/platform/listen.ts";
import { createMetrics } from "#server/platform/metrics.ts";
import { testContext, testRequestContext } from "#test/http.ts";
import { sideServer } from "./side-server.ts";

const log = { info() {}, warn() {}, error() {} };
const request = testRequestContext();
let failure: string | undefined;
const metrics = createMetrics();
const context = testContext({
  ...request,
  metrics,
  metricsAccess: "off",
  draining: new AbortController().signal,
  ready: async () => ({ database: failure }),
});
const server = sideServer(context, {
  log,
  accessLog: log,
  observe() {},
  trustedProxies: 0,
  bodies: new BodyMemory(1e6, 1e6),
  connections: new Connections({ all: 10, ofAddress: 10, refusedAtOnce: 1 }),
});
afterAll(() => server.close());

it("serves metrics, health and readiness to monitoring, and nothing else", async () => {
  metrics.gauge("tasks_running", "Tasks", () => 3);
  const origin = `http://127.0.0.1:${await listen(server, 0, "127.0.0.1")}`;
  const ask = async (path: string) => {
    const reply = await fetch(origin + path);
    expect(reply.headers.get("access-control-allow-origin")).toBeNull();
    return { status: reply.status, text: await reply.text() };
  };
  expect(await ask("/metrics")).toEqual({
    status: 200,
    text: expect.stringMatching(/^tasks_running 3$/m),
  });
  expect((await ask("/healthz")).status).toBe(200);
  expect((await ask("/readyz")).status).toBe(200);
  failure = "does not answer";
  request.time += 2;
  expect(await ask("/readyz")).toEqual({ status: 503, text: expect.stringContaining("does not answer") });
  expect((await ask("/healthz")).status).toBe(200);
  expect((await ask("/tasks")).status).toBe(404);
  expect((await ask("/")).status).toBe(404);
  for (const path of ["/metrics", "/healthz", "/readyz"])
    expect((await fetch(origin + path, { headers: { origin: "https://evil.example.org" } })).status).toBe(
      403,
    );
});
