import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readEnv } from "#server/platform/env.ts";
import { timeouts } from "./http-server.ts";
import { COMPUTING_SHARE, OverloadError, Queue, type QueueLimits } from "./queue.ts";
import { openQueues, type Queues } from "./queues.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

const limits: QueueLimits = {
  running: 2,
  runningOfOwner: 1,
  waiting: 4,
  waitingOfOwner: 3,
  // The time to wait and to compute is nine seconds.
  answerSeconds: 9 / COMPUTING_SHARE,
  bytes: 100,
  bytesOfOwner: 60,
};

const openQueue = (more: Partial<QueueLimits> = {}) => new Queue({ ...limits, ...more }, Date.now);

/** Begins a computation of an owner; its name joins `started` when it starts. */
function beginIn(
  queue: Queue,
  owner: string,
  { started = [] as string[], bytes = 0, name = owner, arrived = Date.now(), isHeld = false } = {},
) {
  const gate = Promise.withResolvers<string>();
  const client = new AbortController();
  let signal: AbortSignal | undefined;
  let release = () => {};
  const ended = queue.run({ owner, bytes, aborter: client, arrived }, (hold) => {
    signal = client.signal;
    started.push(name);
    if (isHeld) release = hold();
    return gate.promise;
  });
  ended.catch(() => undefined);
  return {
    ended,
    finish: () => gate.resolve(name),
    fail: gate.reject,
    leave: () => client.abort(),
    signal: () => signal,
    release: () => release(),
  };
}

it("an owner cannot take all places, and free places go to the owners in turn", async () => {
  const queue = openQueue();
  const started: string[] = [];
  const greedy = [1, 2, 3].map((n) => beginIn(queue, "greedy", { started, name: `greedy ${n}` }));
  expect(started).toEqual(["greedy 1"]);
  const first = beginIn(queue, "other", { started });
  const third = beginIn(queue, "third", { started });
  expect(started).toEqual(["greedy 1", "other"]);
  greedy[0]!.finish();
  await settle();
  first.finish();
  await settle();
  expect(started.slice(2).sort()).toEqual(["greedy 2", "third"]);
  third.finish();
  greedy[1]!.finish();
  await settle();
  greedy[2]!.finish();
  await Promise.all([...greedy, first, third].map(({ ended }) => ended));
  expect([queue.running, queue.waiting, queue.shed]).toEqual([0, 0, 0]);
});

it("with one place an owner waits for one turn of each other owner, however many requests those have", async () => {
  const queue = openQueue({ running: 1 });
  const started: string[] = [];
  const all = [1, 2, 3].map((n) => beginIn(queue, "greedy", { started, name: `greedy ${n}` }));
  all.push(beginIn(queue, "late", { started }));
  for (let turn = 0; turn < all.length; turn++) {
    for (const { finish, signal } of all) if (signal()) finish();
    await settle();
  }
  expect(started.indexOf("late")).toBeLessThanOrEqual(2);
  expect(started).toHaveLength(4);
});

it("beyond its bounds a request is refused at once, with the time after which to try again", async () => {
  const queue = openQueue();
  const all = [1, 2, 3, 4].map(() => beginIn(queue, "greedy"));
  expect([queue.running, queue.waiting]).toEqual([1, 3]);
  await expect(beginIn(queue, "greedy").ended).rejects.toMatchObject({
    name: "OverloadError",
    retryAfter: 5,
    message: "The service is busy. Please try again in 5 seconds.",
  });
  expect(queue.shed).toBe(1);
  // Other owners are not refused.
  const other = beginIn(queue, "other");
  expect(queue.running).toBe(2);
  for (const { leave } of all.slice(1)) leave();
  all[0]!.finish();
  other.finish();
  await settle();
  expect([queue.running, queue.waiting]).toEqual([0, 0]);
});

it("answers hold their memory until they are sent: one owner's slow readers do not refuse another's request", async () => {
  const queue = openQueue({ runningOfOwner: 2 });
  const slow = beginIn(queue, "slow", { bytes: 60, isHeld: true });
  slow.finish();
  await slow.ended;
  expect([queue.running, queue.bytes]).toEqual([0, 60]);
  const second = beginIn(queue, "slow", { bytes: 10 });
  const other = beginIn(queue, "other", { bytes: 40 });
  expect([queue.running, queue.waiting]).toEqual([1, 1]);
  slow.release();
  slow.release();
  expect([queue.running, queue.waiting, queue.bytes]).toEqual([2, 0, 50]);
  second.finish();
  other.finish();
  await settle();
  expect([queue.running, queue.bytes]).toEqual([0, 0]);
});

it("an answer larger than its owner's share is computed where there is no other", async () => {
  const queue = openQueue();
  const large = beginIn(queue, "a", { bytes: 1000 });
  const next = beginIn(queue, "b", { bytes: 1 });
  expect([queue.running, queue.waiting]).toEqual([1, 1]);
  large.fail(new Error("The archive is damaged"));
  await expect(large.ended).rejects.toThrow("damaged");
  expect([queue.running, queue.bytes]).toEqual([1, 1]);
  next.finish();
  await next.ended;
});

it("a client that leaves gives its turn back at once", async () => {
  const queue = openQueue();
  const first = beginIn(queue, "a");
  const second = beginIn(queue, "a");
  second.leave();
  await expect(second.ended).rejects.toMatchObject({ name: "AbortError" });
  expect(queue.waiting).toBe(0);
  first.leave();
  expect(first.signal()!.aborted).toBe(true);
  // The caller does not wait for work that ignores its signal; the place becomes free when that work ends.
  await expect(first.ended).rejects.toMatchObject({ name: "AbortError" });
  expect(queue.running).toBe(1);
  first.finish();
  await settle();
  expect(queue.running).toBe(0);
});

it("a computation over its time is stopped, and its caller gets the reason in words", async () => {
  const queue = openQueue();
  const large = beginIn(queue, "a", { bytes: 10, isHeld: true });
  await vi.advanceTimersByTimeAsync(9000);
  await expect(large.ended).rejects.toThrow(
    "The answer was not ready within 11.25 seconds. Please ask for less, or try again later.",
  );
  expect(large.signal()!.aborted).toBe(true);
  // The work keeps its place and its memory until it has really ended, even if it ends with an answer, which nobody
  // gets.
  expect([queue.running, queue.bytes]).toEqual([1, 10]);
  large.finish();
  await settle();
  expect([queue.running, queue.bytes, queue.shed]).toEqual([0, 0, 1]);
});

it("the time of a request counts from its arrival, also what it took before it came here", async () => {
  const queue = openQueue();
  vi.setSystemTime(20_000);
  await expect(beginIn(queue, "a", { arrived: 11_000 }).ended).rejects.toThrow("within 11.25 seconds");
  const late = beginIn(queue, "a", { arrived: 12_000 });
  expect(queue.running).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  await expect(late.ended).rejects.toThrow("within 11.25 seconds");
  late.finish();
});

it("each request has its own deadline, also after an earlier one has ended in time", async () => {
  const queue = openQueue();
  const first = beginIn(queue, "a");
  await vi.advanceTimersByTimeAsync(1000);
  const second = beginIn(queue, "b");
  const refused = vi.fn();
  second.ended.catch(refused);
  first.finish();
  await first.ended;
  await vi.advanceTimersByTimeAsync(8999);
  expect(refused).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(1);
  expect(refused).toHaveBeenCalledOnce();
  second.finish();
});

it("every request is answered before its connection counts as idle, with the longest time that can be set", () => {
  expect(readEnv({ ANSWER_TIME: "100 seconds" }).answerSeconds * 1000).toBeLessThan(timeouts.idleMs);
});

it.each(["small", "large", "frames"] satisfies (keyof Queues)[])(
  "in the queue %s an answer comes within ten seconds, or a refusal, and no owner takes all places",
  async (name) => {
    for (const cores of [1, 2, 4, 16]) {
      const queue = openQueues(10, cores, Date.now)[name];
      const { running, runningOfOwner } = queue.limits;
      expect(runningOfOwner).toBeLessThan(running);
      const began = Date.now();
      const refused: number[] = [];
      for (let request = 0; request < 2 * runningOfOwner; request++)
        beginIn(queue, "a").ended.catch((error) => {
          expect(error).toBeInstanceOf(OverloadError);
          refused.push(Date.now() - began);
        });
      expect(queue.running).toBe(runningOfOwner);
      const other = beginIn(queue, "b");
      expect(other.signal()).toBeDefined();
      await vi.advanceTimersByTimeAsync(10_000);
      expect(refused).toHaveLength(2 * runningOfOwner);
      expect(Math.max(...refused)).toBeLessThanOrEqual(8_000);
      expect(queue.waiting).toBe(0);
    }
  },
);
