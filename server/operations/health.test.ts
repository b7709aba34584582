import { expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { testRequestContext } from "#test/http.ts";
import { ask, connectContext } from "#test/send.ts";

it("readiness is found out at most once a second, however often it is asked for", async () => {
  const request = testRequestContext();
  let checks = 0;
  let failure: string | undefined;
  const ready = async () => {
    checks++;
    return { database: failure };
  };
  connectContext({ ...request, ready } as unknown as Context);
  const statusOf = async () => (await ask("GET", "/readyz")).status;
  expect(await Promise.all([statusOf(), statusOf(), statusOf()])).toEqual([200, 200, 200]);
  expect(checks).toBe(1);
  failure = "does not answer";
  request.time += 1;
  expect(await statusOf()).toBe(503);
  expect(checks).toBe(2);
});
