import { expect, it } from "vitest";
import { createClient } from "./client.ts";
import type { ClientOptions } from "./connect.ts";

const limits = { rate: {} };

/**
 * A client whose requests are answered one after another, the waits between them, and the Idempotency-Keys
 * sent.
 */
function answered(replies: (Response | "lost")[], options: Partial<ClientOptions> = {}) {
  const waits: number[] = [];
  const keys: (string | null)[] = [];
  const client = createClient({
    url: "http://service/",
    now: () => Date.parse("2026-01-01T00:00:00Z"),
    sleep: async (milliseconds) => void waits.push(milliseconds),
    fetch: async (_, init) => {
      const reply = replies[keys.length] ?? "lost";
      keys.push(new Headers(init?.headers).get("idempotency-key"));
      if (reply === "lost") throw new TypeError("fetch failed");
      return reply;
    },
    ...options,
  });
  return { client, waits, keys };
}

const refused = (status: number, retryAfter?: string) =>
  Response.json({ detail: "Busy" }, { status, headers: retryAfter ? { "retry-after": retryAfter } : {} });

const point = {
  points: [{ latitude: 1, longitude: 2, timestamp: "2026-01-01T00:00:00Z" }],
  variables: ["wind" as const],
};

it("waits for a rate limit and for an overload as long as the service says, by seconds or by a date", async () => {
  const late = refused(503, "Thu, 01 Jan 2026 00:00:20 GMT");
  const answer = { task_id: ["a"], status: "SUCCESS" };
  // Nothing was accepted, so a POST without its own key is also repeated.
  const { client, waits } = answered([refused(429, "7"), late, Response.json(answer)]);
  expect(await client.points(point)).toEqual(answer);
  expect(waits).toEqual([7_000, 20_000]);
});

const name = (is: string, more = {}) => ({ name: is, ...more });

it.each([
  [
    "after its attempts, with longer waits",
    9,
    refused,
    {},
    [1_000, 2_000, 4_000, 8_000],
    name("UnavailableError"),
  ],
  [
    "before a wait that is longer than it may be",
    2,
    () => refused(429, "100"),
    {},
    [100_000],
    name("RateLimitError", { status: 429, retryAfter: 100, message: "Busy" }),
  ],
  ["at once where it is told to", 1, () => refused(429, "1"), { retry: false }, [], name("RateLimitError")],
] as const)("gives up %s", async (_, count, reply, options, waited, error) => {
  const { client, waits } = answered(
    Array.from({ length: count }, () => reply(503)),
    options,
  );
  await expect(client.limits()).rejects.toMatchObject(error);
  expect(waits).toEqual(waited);
});

it("asks again for a lost answer only where that is safe; a task has a key of its own, the same in every attempt", async () => {
  const read = answered(["lost", Response.json(limits)]);
  await read.client.limits();
  expect(read.keys).toHaveLength(2);

  const post = answered(["lost"]);
  const lost = { name: "ConnectionError", cause: expect.any(TypeError) };
  await expect(post.client.points(point)).rejects.toMatchObject(lost);
  expect(post.keys).toEqual([null]);

  // The first request has arrived and is still being answered.
  const keyed = answered(["lost", refused(409, "1"), Response.json({ task_id: ["a"], status: "SUCCESS" })]);
  await keyed.client.points(point, { idempotencyKey: "one" });
  expect(keyed.keys).toEqual(["one", "one", "one"]);

  const task = answered(["lost", Response.json({ task_id: "a", status: "PENDING" }, { status: 202 })]);
  expect((await task.client.tasks.points(point)).id).toBe("a");
  expect(task.keys[0]).toMatch(/^[0-9a-f]{32}$/);
  expect(task.keys[1]).toBe(task.keys[0]);
});

it("an abort ends a wait, and throws the reason of its signal", async () => {
  const controller = new AbortController();
  const client = createClient({
    url: "http://service",
    // The client's own timer would wait for an hour.
    retry: { maxWait: 7_200 },
    fetch: async () => {
      queueMicrotask(() => setImmediate(() => controller.abort(new Error("no longer wanted"))));
      return refused(429, "3600");
    },
  });
  await expect(client.limits({ signal: controller.signal })).rejects.toThrow("no longer wanted");
});
