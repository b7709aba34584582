import { setImmediate as nextTurn } from "node:timers/promises";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import type { ListedTask } from "#lib/contract/task.ts";
import { followTask } from "./follow-task.ts";

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] }));
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const listed = (status: ListedTask["status"], progress: number): ListedTask => ({
  task_id: "6f1c1a52-9d6c-4f39-8d53-0f7d3a1f7a11",
  task_name: null,
  kind: "MetOcean",
  created_at: "2026-01-01T00:00:00.000Z",
  started_at: null,
  progress,
  queue_position: null,
  status,
  size: 1,
  finished_at: null,
  expires_at: null,
  error: null,
  result_bytes: null,
  receive_mail: false,
  notification: null,
});

const event = (name: string, task: ListedTask) => `event: ${name}\ndata: ${JSON.stringify(task)}\n\n`;

/** Follows a task whose stream is answered with these replies, one after the other. */
function follow(replies: (Response | Error)[]) {
  const progress: number[] = [];
  const requests = { count: 0 };
  vi.stubGlobal("fetch", async () => {
    const reply = replies[requests.count++] ?? new Response("", { status: 404 });
    if (reply instanceof Error) throw reply;
    return reply;
  });
  const controller = new AbortController();
  const done = followTask("id", {
    key: "key",
    signal: controller.signal,
    update: (task) => progress.push(task.progress),
  }).catch((error: unknown) => error);
  return { done, progress, requests, controller };
}

/** Waits until the next attempt waits for its time. */
async function pausing(): Promise<void> {
  while (vi.getTimerCount() === 0) await nextTurn();
}

it("ends with the task, and does not ask again", async () => {
  const text = event("progress", listed("PENDING", 0.5)) + event("end", listed("SUCCESS", 1));
  const { done, progress, requests } = follow([new Response(text)]);
  await done;
  await vi.advanceTimersByTimeAsync(60_000);
  expect([progress, requests.count]).toEqual([[0.5, 1], 1]);
});

it("opens a stream again when the server said, after it ended without the task", async () => {
  const first = new Response(`${event("progress", listed("PENDING", 0.5))}retry: 1500\n\n`);
  const { done, progress, requests } = follow([first, new Response(event("end", listed("SUCCESS", 1)))]);
  await pausing();
  await vi.advanceTimersByTimeAsync(1_499);
  expect(requests.count).toBe(1);
  await vi.advanceTimersByTimeAsync(1);
  await done;
  expect([progress, requests.count]).toEqual([[0.5, 1], 2]);
});

it("tries again while the server is away or has no room, and as late as it says", async () => {
  const full = new Response("{}", { status: 429, headers: { "retry-after": "10" } });
  const replies = [new TypeError("Failed to fetch"), full, new Response(event("end", listed("FAILURE", 0)))];
  const { done, requests } = follow(replies);
  await pausing();
  await vi.advanceTimersByTimeAsync(3_000);
  await pausing();
  expect(requests.count).toBe(2);
  await vi.advanceTimersByTimeAsync(9_999);
  expect(requests.count).toBe(2);
  await vi.advanceTimersByTimeAsync(1);
  expect(await done).toBeUndefined();
});

it.each([401, 403, 404])("gives up when the service answers %i", async (status) => {
  const { done, requests } = follow([new Response("{}", { status })]);
  expect(await done).toMatchObject({ status });
  expect(requests.count).toBe(1);
});

it("asks no more when the page no longer follows", async () => {
  const { done, requests, controller } = follow([new Response("")]);
  await pausing();
  controller.abort();
  expect(await done).toBeUndefined();
  expect([requests.count, vi.getTimerCount()]).toEqual([1, 0]);
});
