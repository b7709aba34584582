import { expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";

it("readiness is found out at most once a second, however often it is asked for, and ends at once when the process is told to stop", async () => {
  const request = testRequestContext();
  let checks = 0;
  let failure: string | undefined;
  const ready = async () => {
    checks++;
    return { database: failure };
  };
  const draining = new AbortController();
  connectContext({ ...request, ready, draining: draining.signal } as unknown as Context);
  const statusOf = async () => (await ask("GET", "/readyz")).status;
  expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([200, 200, 200]);
  expect(checks).toBe(1);
  failure = "does not answer";
  request.time += 1;
  expect(await statusOf()).toBe(503);
  expect(checks).toBe(2);
  failure = undefined;
  request.time += 1;
  expect(await statusOf()).toBe(200);
  // At once: a load balancer that asks in the same second must know.
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
  connectContext({
    ...testRequestContext(),
    ready,
    draining: new AbortController().signal,
  } as unknown as Context);
  const { status, body } = await ask("GET", "/readyz");
  expect(status).toBe(200);
  expect(JSON.parse(String(body))).toEqual({
    status: "ok",
    parts: { database: "ok", archive: "degraded: its store does not answer" },
  });
});
