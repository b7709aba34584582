import { afterEach, expect, it } from "vitest";
import type { Context } from "#server/context.ts";
import { feedsAnswer } from "#test/feed-status.ts";
import { openTestServer, type TestServer } from "#test/http.ts";
import { feeds } from "./service.ts";

let server: TestServer;
afterEach(() => server.close());

async function askFeeds(open: boolean, headers: Record<string, string>): Promise<Response> {
  const status = { open, read: async () => feedsAnswer([]) };
  server = await openTestServer({
    "/feeds": { GET: (context) => feeds.endpoint({ ...context, feeds: status } as unknown as Context) },
  });
  return fetch(`${server.url}/feeds`, { headers });
}

it("whoever has a key can read the feeds", async () => {
  expect((await askFeeds(false, {})).status).toBe(403);
  await server.close();
  const reply = await askFeeds(false, { "x-api-key": "good-key" });
  expect([reply.status, await reply.json()]).toEqual([200, feedsAnswer([])]);
});

it("everybody can read the feeds where the operator opens them, counted by address", async () => {
  const reply = await askFeeds(true, {});
  expect([reply.status, await reply.json()]).toEqual([200, feedsAnswer([])]);
  expect(reply.headers.get("x-ratelimit-limit")).not.toBeNull();
});
