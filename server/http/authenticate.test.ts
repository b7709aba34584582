import { afterEach, beforeEach, expect, it } from "vitest";
import {
  envelopeEndpoint,
  openEndpoint,
  openTestServer,
  readEndpoint,
  sampleSchema,
  type TestServer,
  testRequestContext,
} from "#test/http.ts";
import { rateGroups } from "./authenticate.ts";
import { memoryRateLimiter } from "./rate-limiter.ts";

let server: TestServer;

beforeEach(async () => {
  server = await openTestServer(
    {
      "/data": {
        POST: envelopeEndpoint({ schema: sampleSchema, limitBytes: 1000, group: "data" }, async () => ({
          results: [],
        })),
      },
      "/storms": {
        GET: readEndpoint({ group: "storms", query: sampleSchema.pick({ name: true }) }, () => ({
          status: 200,
          headers: {},
          body: "",
        })),
      },
      "/open": { GET: openEndpoint(() => ({ status: 200, headers: {}, body: "" })) },
    },
    {
      context: testRequestContext({
        "own-limit": { count: 2, periodSeconds: 60, text: "2 per 1 minute" },
      }),
      trustedProxies: 1,
    },
  );
});
afterEach(() => server.close());

const data = (headers: Record<string, string>, body = "{") => server.post("/data", body, headers);
const valid = JSON.stringify({ points: [{ latitude: 1 }] });

it("404 and 405 come before the key check", async () => {
  expect((await fetch(`${server.url}/data/none`)).status).toBe(404);
  expect((await fetch(`${server.url}/data`)).status).toBe(405);
});

it("the key is checked before the body is read", async () => {
  // The body is announced and never sent, so only the headers can cause an answer.
  const head = "POST /data HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nExpect: 100-continue\r\n";
  expect(await server.raw(`${head}\r\n`)).toMatch(/^HTTP\/1.1 403 /);
  expect(await server.raw(`${head}x-api-key: wrong\r\n\r\n`)).toMatch(/^HTTP\/1.1 401 /);
});

it("403 without a key, 401 with a wrong one, whatever else is wrong", async () => {
  const bare = await fetch(`${server.url}/data`, { method: "POST", body: "x".repeat(5000) });
  expect(bare.status).toBe(403);
  expect(Object.keys(await bare.json())).toEqual(["detail"]);
  const wrong = await data({ "x-api-key": "bad-key", "content-type": "text/plain" });
  expect(wrong.status).toBe(401);
  expect(await wrong.json()).toEqual({ detail: "Invalid API key" });
});

it("an empty key counts as missing, one that is sent twice as one, two keys as a wrong one", async () => {
  expect((await data({ "x-api-key": "" })).status).toBe(403);
  const send = (...keys: string[]) => {
    const lines = keys.map((key) => `X-API-Key: ${key}\r\n`).join("");
    return server.raw(`GET /storms HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${lines}\r\n`);
  };
  expect(await send("good-key", "good-key")).toMatch(/^HTTP\/1.1 200 /);
  expect(await send("good-key,good-key")).toMatch(/^HTTP\/1.1 200 /);
  expect(await send("good-key", "bad-key")).toMatch(/^HTTP\/1.1 401 /);
  expect(await send("good-key", "")).toMatch(/^HTTP\/1.1 401 /);
});

it("the rate limit comes before the body, media type and size before the fields", async () => {
  expect((await data({ "content-type": "text/plain" }, "x".repeat(5000))).status).toBe(415);
  expect((await data({}, "x".repeat(5000))).status).toBe(413);
  expect((await data({})).status).toBe(422);
  for (let spent = 3; spent < 10; spent++) await data({}, valid);
  expect((await data({ "content-type": "text/plain" }, "x".repeat(5000))).status).toBe(429);
});

it("ten requests a minute, then 429 with the exact body and Retry-After until the window ends", async () => {
  for (let index = 0; index < 10; index++) expect((await data({}, valid)).status).toBe(200);
  const rejected = await data({}, valid);
  expect(rejected.status).toBe(429);
  expect(await rejected.text()).toBe('{"error":"Rate limit exceeded: 10 per 1 minute"}');
  expect(rejected.headers.get("retry-after")).toBe("60");
  server.context.time += 59.5;
  expect((await data({}, valid)).headers.get("retry-after")).toBe("1");
  server.context.time += 0.5;
  expect((await data({}, valid)).status).toBe(200);
});

it("keys and groups are counted separately", async () => {
  for (let index = 0; index < 11; index++) await data({}, valid);
  expect((await data({}, valid)).status).toBe(429);
  expect((await data({ "x-api-key": "other-key" }, valid)).status).toBe(200);
  const storms = await fetch(`${server.url}/storms`, { headers: { "x-api-key": "good-key" } });
  expect(storms.status).toBe(200);
  expect(storms.headers.get("x-ratelimit-remaining")).toBe("9");
});

it("a key's own limit applies to every group", async () => {
  const headers = { "x-api-key": "own-limit" };
  expect((await data(headers, valid)).headers.get("x-ratelimit-limit")).toBe("2");
  await data(headers, valid);
  expect(await (await data(headers, valid)).json()).toEqual({ error: "Rate limit exceeded: 2 per 1 minute" });
  expect((await fetch(`${server.url}/storms`, { headers })).headers.get("x-ratelimit-limit")).toBe("2");
});

it("every reply to a key carries its rate limit, errors too", async () => {
  const replies = [
    await data({}, valid),
    await data({}),
    await data({ "content-type": "a/b" }),
    await data({}, "x".repeat(2000)),
  ];
  expect(replies.map(({ status }) => status)).toEqual([200, 422, 415, 413]);
  for (const [index, { headers }] of replies.entries()) {
    expect(headers.get("ratelimit-policy")).toBe('"data";q=10;w=60');
    expect(headers.get("ratelimit")).toBe(`"data";r=${9 - index};t=60`);
    expect(headers.get("x-ratelimit-limit")).toBe("10");
    expect(headers.get("x-ratelimit-remaining")).toBe(String(9 - index));
    expect(headers.get("x-ratelimit-reset")).toBe(String(server.context.time + 60));
  }
});

it("an address that guesses keys is limited, and a valid key from it is not", async () => {
  const guess = (address: string) => data({ "x-api-key": "guess", "x-forwarded-for": address });
  for (let index = 0; index < 100; index++) expect((await guess("1.1.1.1, 9.9.9.9")).status).toBe(401);
  const slowed = await guess("2.2.2.2, 9.9.9.9");
  expect(slowed.status).toBe(429);
  expect(await slowed.json()).toEqual({ error: "Rate limit exceeded: 100 per 1 minute" });
  expect((await data({ "x-forwarded-for": "9.9.9.9" }, valid)).status).toBe(200);
  expect((await guess("8.8.8.8")).status).toBe(401);
});

it("a key is never logged", async () => {
  await data({ "x-api-key": "secret-guess" });
  await fetch(`${server.url}/storms?x-api-key=secret-guess&key=secret-guess`);
  expect(server.context.logged.length).toBeGreaterThan(0);
  expect(JSON.stringify(server.context.logged)).not.toContain("secret-guess");
});

it("an unavailable database is 503, whether or not the key is valid", async () => {
  server.context.keys.find = async () => {
    throw new Error("connect ECONNREFUSED 10.0.0.1:5432");
  };
  const reply = await data({}, valid);
  expect(reply.status).toBe(503);
  expect(reply.headers.get("retry-after")).toBe("5");
  expect(await reply.text()).not.toContain("10.0.0.1");
});

it("drops what was used longest ago, so that a flood of callers cannot fill the memory", async () => {
  let time = 0;
  const limiter = memoryRateLimiter({ now: () => time }, 100);
  const left = async (bucket: string) => (await limiter.take(bucket, rateGroups.data)).remaining;
  expect(await left("steady")).toBe(9);
  for (let caller = 0; caller < 99; caller++) await left(`flood ${caller}`);
  expect(await left("steady")).toBe(8);
  for (let caller = 0; caller < 1000; caller++) await left(`more ${caller}`);
  expect(await left("steady")).toBe(9);
  expect(await left("more 999")).toBe(8);

  time = 60;
  expect(await left("more 999")).toBe(9);
});

it("does not extend a window by rejected requests", async () => {
  let time = 0;
  const limiter = memoryRateLimiter({ now: () => time });
  for (; time < 60; time += 3) await limiter.take("a", rateGroups.data);
  expect(await limiter.take("a", rateGroups.data)).toMatchObject({ allowed: true, remaining: 9 });
});

it.each<[string, Record<string, string>, number]>([
  ["a program", {}, 200],
  ["our own page", { "sec-fetch-site": "same-origin", origin: "https://another-name.example" }, 200],
  ["another site", { "sec-fetch-site": "cross-site" }, 403],
  ["a sister domain", { "sec-fetch-site": "same-site" }, 403],
  ["another origin without TLS", { origin: "http://evil.example" }, 403],
  ["a page without an origin", { origin: "null" }, 403],
])(
  "a password that a browser sends by itself changes nothing for another site: %s",
  async (_, headers, status) => {
    const basic = { authorization: `Basic ${Buffer.from("any:good-key").toString("base64")}`, ...headers };
    expect((await data({ "x-api-key": "", ...basic }, valid)).status).toBe(status);
    // A script that has the key sets the header itself, and reading changes nothing.
    expect((await data(headers, valid)).status).toBe(200);
    expect((await fetch(`${server.url}/storms`, { headers: basic })).status).toBe(200);
  },
);
