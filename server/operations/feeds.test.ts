import { afterEach, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { feedsAnswer } from "#test/feed-status.ts";
import { openTestServer, type TestServer } from "#test/http.ts";
import { feeds } from "./feeds.ts";

let server: TestServer;
afterEach(() => server.close());

async function ask(open: boolean, headers: Record<string, string>): Promise<Response> {
  const status = { open, read: async () => feedsAnswer([]) };
  server = await openTestServer({
    "/feeds": { GET: (context) => feeds.endpoint({ ...context, feeds: status } as unknown as Context) },
  });
  return fetch(`${server.url}/feeds`, { headers });
}

it("the feeds are told to who has a key", async () => {
  expect((await ask(false, {})).status).toBe(403);
  await server.close();
  const told = await ask(false, { "x-api-key": "good-key" });
  expect([told.status, await told.json()]).toEqual([200, feedsAnswer([])]);
});

it("where the operator opens them they are told to everybody, counted for the address", async () => {
  const told = await ask(true, {});
  expect([told.status, await told.json()]).toEqual([200, feedsAnswer([])]);
  expect(told.headers.get("x-ratelimit-limit")).not.toBeNull();
});
