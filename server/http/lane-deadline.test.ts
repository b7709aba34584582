import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readEnv } from "#server/platform/env.ts";
import { beginIn, openLane } from "#test/lane.ts";
import { type Admission, openAdmission } from "./admission.ts";
import { timeouts } from "./http-server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

it("a request that waits is refused when no time is left for what it is expected to take", async () => {
  const lane = openLane({ expected: { ms: 2000, size: 10 }, bytes: 1000, bytesOfOwner: 1000 });
  const long = beginIn(lane, "a", { bytes: 10 });
  const waited = beginIn(lane, "a", { bytes: 10 }).ended.catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(1000);
  expect([lane.running, lane.waiting]).toEqual([1, 1]);
  // What runs has taken longer than expected since: both of them would be over their time.
  await vi.advanceTimersByTimeAsync(5000);
  expect(await waited).toBe("OverloadError");
  expect([lane.running, lane.waiting, lane.shed]).toEqual([1, 0, 1]);
  long.finish();
  await long.ended;
});

it("what a request does not wait it may compute, and what it waits it may not", async () => {
  const lane = openLane({ bytes: 1e6, bytesOfOwner: 1e6, expected: { ms: 500, size: 10 } });
  const first = beginIn(lane, "a", { bytes: 10 });
  await settle();
  // 8.75 s are in time for a request that finds a place, and not for one that waits for half a second.
  const alone = beginIn(lane, "b", { bytes: 175 });
  await settle();
  expect(lane.running).toBe(2);
  await expect(beginIn(lane, "a", { bytes: 175 }).ended).rejects.toMatchObject({ name: "OverloadError" });
  alone.fail(new Error("The client went away"));
  await settle();
  const shorter = beginIn(lane, "a", { bytes: 165 });
  await settle();
  expect(lane.waiting).toBe(1);
  await vi.advanceTimersByTimeAsync(400);
  first.finish();
  await settle();
  await vi.advanceTimersByTimeAsync(8500);
  expect(shorter.signal()!.aborted).toBe(false);
  // 9 s after it came, 8.6 s after it began.
  await vi.advanceTimersByTimeAsync(100);
  expect(shorter.signal()!.aborted).toBe(true);
  await expect(shorter.ended).rejects.toThrow("not ready within 11.25 seconds");
  shorter.finish();
});

it("what has the service to itself is computed to its end, however long it takes", async () => {
  const { large, small } = openAdmission(5, 2, Date.now);
  const alone = beginIn(large, "a", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(30_000);
  expect(alone.signal()!.aborted).toBe(false);
  // Others who come later do not stop it.
  const later = beginIn(small, "b");
  await vi.advanceTimersByTimeAsync(1000);
  later.finish();
  alone.finish();
  expect((await alone.ended).result).toBe("a");
  // At most until its client would be cut off.
  const endless = beginIn(large, "a", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(89_000);
  expect(endless.signal()!.aborted).toBe(false);
  await vi.advanceTimersByTimeAsync(1100);
  expect(endless.signal()!.aborted).toBe(true);
  endless.finish();
});

it("what is computed beyond its time gives its place to another owner whose request can be in time", async () => {
  const { large } = openAdmission(5, 2, Date.now);
  const long = beginIn(large, "a", { bytes: 7 * 2 ** 20 });
  await vi.advanceTimersByTimeAsync(8000);
  long.signal()!.addEventListener("abort", () => long.fail(long.signal()!.reason));
  // The owner's own next request ends nothing.
  const next = beginIn(large, "a", { bytes: 2 ** 20 });
  await vi.advanceTimersByTimeAsync(200);
  expect(long.signal()!.aborted).toBe(false);
  const other = beginIn(large, "b", { bytes: 2 ** 20 });
  await vi.advanceTimersByTimeAsync(200);
  await expect(long.ended).rejects.toThrow("not ready within 5 seconds");
  expect(other.signal()!.aborted).toBe(false);
  other.finish();
  expect((await other.ended).result).toBe("b");
  next.finish();
  expect((await next.ended).result).toBe("a");
});

it("a request that could not be in time itself does not end what runs alone beyond its time", async () => {
  for (const after of [3450, 4950, 8000]) {
    const { large } = openAdmission(5, 2, Date.now);
    const long = beginIn(large, "a", { bytes: 7 * 2 ** 20 });
    await vi.advanceTimersByTimeAsync(after);
    const other = beginIn(large, "b", { bytes: 7 * 2 ** 20 }).ended.catch((error: Error) => error.name);
    await vi.advanceTimersByTimeAsync(20_000);
    expect(await other).toBe("OverloadError");
    expect(long.signal()!.aborted).toBe(false);
    long.finish();
    expect((await long.ended).result).toBe("a");
  }
});

it("what was computed beside others is stopped when its time is over, also when they have ended", async () => {
  const { large, small } = openAdmission(5, 2, Date.now);
  const long = beginIn(large, "a", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(1000);
  const short = beginIn(small, "b");
  await settle();
  short.finish();
  await vi.advanceTimersByTimeAsync(3100);
  expect(long.signal()!.aborted).toBe(true);
  await expect(long.ended).rejects.toThrow("not ready within 5 seconds");
  long.finish();
});

it("the time of a request counts from its arrival, also what it took before it came here", async () => {
  const lane = openLane();
  vi.setSystemTime(20_000);
  await expect(beginIn(lane, "a", { arrived: 11_000 }).ended).rejects.toThrow(
    "not ready within 11.25 seconds",
  );
  const late = beginIn(lane, "a", { arrived: 12_000 });
  await settle();
  expect(lane.running).toBe(1);
  await vi.advanceTimersByTimeAsync(1000);
  await expect(late.ended).rejects.toThrow("not ready within 11.25 seconds");
  late.finish();
});

it("a computation over its time is stopped, and its caller gets the reason in words", async () => {
  const lane = openLane();
  const large = beginIn(lane, "a", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(9000);
  await expect(large.ended).rejects.toThrow(
    "The answer was not ready within 11.25 seconds. Please ask for less, or try again later.",
  );
  expect(large.signal()!.aborted).toBe(true);
  // It keeps its place and its memory until it has really ended, also where it ends with an answer, which nobody gets.
  expect([lane.running, lane.bytes]).toEqual([1, 10]);
  large.finish();
  await settle();
  expect([lane.running, lane.bytes, lane.shed]).toEqual([0, 0, 1]);
});

it("a computation that heeds its signal gives its place back when its time is over", async () => {
  const lane = openLane();
  const large = beginIn(lane, "a", { bytes: 10 });
  await settle();
  large.signal()!.addEventListener("abort", () => large.fail(large.signal()!.reason));
  const next = beginIn(lane, "a", { bytes: 1, arrived: Date.now() + 5000 });
  await vi.advanceTimersByTimeAsync(9000);
  await expect(large.ended).rejects.toThrow("not ready");
  expect([lane.running, lane.waiting, lane.bytes]).toEqual([1, 0, 1]);
  next.finish();
  await next.ended;
});

it("every request is answered before its connection counts as idle, with the longest time that can be set", () => {
  expect(readEnv({ ANSWER_TIME: "100 seconds" }).answerSeconds * 1000).toBeLessThan(timeouts.idleMs);
});

it.each(Object.keys(openAdmission(5)) as (keyof Admission)[])(
  "in the lane %s an answer comes within five seconds, or a refusal",
  async (name) => {
    const admission = openAdmission(5, 2, Date.now);
    const lane = admission[name];
    const other = beginIn(admission[name === "small" ? "frames" : "small"], "b");
    const { runningOfOwner } = lane.limits;
    const began = Date.now();
    const refused: number[] = [];
    for (let request = 0; request < 2 * runningOfOwner; request++) {
      const one = beginIn(lane, "a", { bytes: name === "small" || name === "frames" ? 0 : 1000 });
      one.ended.catch(() => refused.push(Date.now() - began));
    }
    await settle();
    expect(lane.running).toBe(runningOfOwner);
    await vi.advanceTimersByTimeAsync(10_000);
    expect(refused).toHaveLength(2 * runningOfOwner);
    expect(Math.max(...refused)).toBeLessThanOrEqual(4_100);
    other.finish();
    expect(lane.waiting).toBe(0);
  },
);
