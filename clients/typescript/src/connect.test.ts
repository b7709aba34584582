import { expect, it } from "vitest";
import { createClient } from "./client.ts";
import type { ClientOptions } from "./connect.ts";
import { ConnectionError, RateLimitError, UnavailableError } from "./errors.ts";

const limits = { rate: {} };

/** A client whose requests are answered with these replies, one after the other, and what it has waited. */
function answered(replies: (Response | Error)[], options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const requests: { url: string; init?: RequestInit }[] = [];
  const client = createClient({
    url: "http://service/",
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (url, init) => {
      requests.push({ url: String(url), init });
      const reply = replies[requests.length - 1] ?? new Error("asked too often");
      if (reply instanceof Error) throw reply;
      return reply;
    },
    ...options,
  });
  return { client, waits, requests };
}

const refused = (status: number, retryAfter?: string) =>
  Response.json({ detail: "Busy" }, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} });

const point = {
  points: [{ latitude: 1, longitude: 2, timestamp: "2026-01-01T00:00:00Z" }],
  variables: ["wind" as const],
};

it("waits for a rate limit and for an overload as long as the service says, by seconds or by a date", async () => {
  const { client, waits } = answered([
    refused(429, "7"),
    refused(503, "Thu, 01 Jan 2026 00:00:20 GMT"),
    Response.json(limits),
  ]);
  expect(await client.limits()).toEqual(limits);
  expect(waits).toEqual([7_000, 20_000]);
});

it("waits longer each time where the service names no time, and gives up after its attempts", async () => {
  const { client, waits } = answered(Array.from({ length: 9 }, () => refused(503)));
  await expect(client.limits()).rejects.toBeInstanceOf(UnavailableError);
  expect(waits).toEqual([1_000, 2_000, 4_000, 8_000]);
});

it("does not begin a wait that is longer than it may be", async () => {
  const { client, waits } = answered([refused(429, "100"), refused(429, "100")]);
  const error = await client.limits().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(RateLimitError);
  expect(error).toMatchObject({ name: "RateLimitError", status: 429, retryAfter: 100, message: "Busy" });
  expect(waits).toEqual([100_000]);
});

it("never repeats where it is told not to", async () => {
  const { client, requests } = answered([refused(429, "1")], { retry: false });
  await expect(client.limits()).rejects.toBeInstanceOf(RateLimitError);
  expect(requests).toHaveLength(1);
});

it("asks again for a lost answer only where that is safe", async () => {
  const lost = () => new TypeError("fetch failed");
  const read = answered([lost(), Response.json(limits)]);
  await read.client.limits();
  expect(read.requests).toHaveLength(2);

  const post = answered([lost()]);
  const error = await post.client.points(point).catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ConnectionError);
  expect((error as Error).cause).toBeInstanceOf(TypeError);
  expect(post.requests).toHaveLength(1);

  // The first request has arrived, and is still being answered.
  const keyed = answered([lost(), refused(409, "1"), Response.json({ task_id: ["a"], status: "SUCCESS" })]);
  await keyed.client.points(point, { idempotencyKey: "one" });
  expect(keyed.requests.map(({ init }) => new Headers(init?.headers).get("idempotency-key"))).toEqual([
    "one",
    "one",
    "one",
  ]);
});

it("a task has an Idempotency-Key of its own, the same in every attempt", async () => {
  const { client, requests } = answered([
    new TypeError("fetch failed"),
    Response.json({ task_id: "a", status: "PENDING" }, { status: 202 }),
  ]);
  expect((await client.tasks.points(point)).id).toBe("a");
  const [first, second] = requests.map(({ init }) => new Headers(init?.headers).get("idempotency-key"));
  expect(first).toMatch(/^[0-9a-f]{32}$/);
  expect(second).toBe(first);
});

it("an abort ends a wait, and throws the reason of its signal", async () => {
  const controller = new AbortController();
  const client = createClient({
    url: "http://service",
    // Its own timer, which would wait for an hour.
    retry: { maxWait: 7_200 },
    fetch: async () => {
      queueMicrotask(() => setImmediate(() => controller.abort(new Error("no longer wanted"))));
      return refused(429, "3600");
    },
  });
  await expect(client.limits({ signal: controller.signal })).rejects.toThrow("no longer wanted");
});
