import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { beginIn, openLane } from "#test/lane.ts";
import { laneOf, openAdmission } from "./admission.ts";
import { OverloadError } from "./overload.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const settle = () => vi.advanceTimersByTimeAsync(0);

it("an owner cannot take all places, and free places go to the owners in turn", async () => {
  const lane = openLane();
  const started: string[] = [];
  const greedy = [1, 2, 3].map((n) => beginIn(lane, "greedy", { started, name: `greedy ${n}` }));
  await settle();
  expect(started).toEqual(["greedy 1"]);
  const first = beginIn(lane, "other", { started });
  const third = beginIn(lane, "third", { started });
  await settle();
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
  expect([lane.running, lane.waiting, lane.shed]).toEqual([0, 0, 0]);
});

it("a place that was taken without waiting is a turn too: who has had none is next, though asked later", async () => {
  const lane = openLane({ running: 1 });
  const started: string[] = [];
  const first = beginIn(lane, "early", { started, name: "early 1" });
  const second = beginIn(lane, "early", { started, name: "early 2" });
  await settle();
  const other = beginIn(lane, "late", { started });
  await settle();
  first.finish();
  await settle();
  expect(started).toEqual(["early 1", "late"]);
  other.finish();
  await settle();
  second.finish();
  await settle();
  expect(started).toEqual(["early 1", "late", "early 2"]);
});

it("beyond its bounds a request is refused at once, with the time after which to try again", async () => {
  const lane = openLane();
  const all = [1, 2, 3, 4].map(() => beginIn(lane, "greedy"));
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 3]);
  const refused = await beginIn(lane, "greedy").ended.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(OverloadError);
  expect((refused as OverloadError).retryAfter).toBeGreaterThanOrEqual(1);
  expect(lane.shed).toBe(1);
  // Others are not refused.
  const other = beginIn(lane, "other");
  await settle();
  expect(lane.running).toBe(2);
  for (const { leave } of all.slice(1)) leave();
  all[0]!.finish();
  other.finish();
  await settle();
  expect([lane.running, lane.waiting]).toEqual([0, 0]);
});

/** A burst of one owner, whose requests of size 10 are expected to take 2.5 s each, of 9 s in all. */
async function burst(count: number) {
  const lane = openLane({
    waiting: 100,
    waitingOfOwner: 100,
    bytes: 1000,
    bytesOfOwner: 1000,
    expected: { ms: 2500, size: 10 },
  });
  const refused: OverloadError[] = [];
  const all = Array.from({ length: count }, () => {
    const request = beginIn(lane, "greedy", { bytes: 10 });
    request.ended.catch((error) => refused.push(error));
    return request;
  });
  await settle();
  return { lane, all, refused };
}

it("of a burst all that cannot end in time are refused at once, by their size, before anything has ended", async () => {
  const { lane, refused } = await burst(30);
  // One runs; two more end after 5 and 7.5 s, a fourth one after 10 s, which is too late.
  expect([lane.running, lane.waiting, refused.length]).toEqual([1, 2, 27]);
  expect(refused[0]).toMatchObject({
    retryAfter: 8,
    message: "The service is busy. Please try again in 8 seconds.",
  });
  // Another owner has a place, and a smaller request would have had one.
  const other = beginIn(lane, "other", { bytes: 10 });
  await settle();
  expect(lane.running).toBe(2);
  other.finish();
});

it("a request is refused at once where other owners have too many turns before its own", async () => {
  const lane = openLane({ running: 1, waiting: 100, waitingOfOwner: 100, expected: { ms: 2500, size: 1 } });
  const entered = ["a", "b", "c"].map((owner) => beginIn(lane, owner));
  await settle();
  // One runs; the turn of the third owner ends after 7.5 s, that of a fourth one after 10 s.
  expect([lane.running, lane.waiting, lane.shed]).toEqual([1, 2, 0]);
  await expect(beginIn(lane, "d").ended).rejects.toMatchObject({ retryAfter: 8 });
  // They start: nobody else's turn comes first.
  for (const { finish } of entered) {
    finish();
    await settle();
  }
  expect(lane.running).toBe(0);
});

it("beside others a request that is not expected to end in time is refused at once; alone it is tried", async () => {
  const lane = openLane({ bytes: 1e6, bytesOfOwner: 1e6, expected: { ms: 500, size: 10 } });
  const first = beginIn(lane, "a", { bytes: 10 });
  await settle();
  await expect(beginIn(lane, "b", { bytes: 200 }).ended).rejects.toMatchObject({ retryAfter: 10 });
  first.finish();
  await settle();
  const alone = beginIn(lane, "b", { bytes: 200 });
  await vi.advanceTimersByTimeAsync(100);
  alone.finish();
  await alone.ended;
  // It was fast, and the next one is expected to be so too.
  const other = beginIn(lane, "a", { bytes: 10 });
  const again = beginIn(lane, "b", { bytes: 200 });
  await settle();
  expect(lane.running).toBe(2);
  other.finish();
  again.finish();
});

it("a client that leaves says nothing of how long a computation takes, and kinds are learned apart", async () => {
  const lane = openLane({ running: 3, bytes: 1e6, bytesOfOwner: 1e6, expected: { ms: 4000, size: 10 } });
  for (let left = 0; left < 10; left++) {
    const leaving = beginIn(lane, "a", { bytes: 10 });
    await settle();
    leaving.fail(new Error("The client went away"));
    await settle();
  }
  const other = beginIn(lane, "other", { bytes: 10 });
  const slow = beginIn(lane, "a", { bytes: 10, kind: "slow" });
  await settle();
  // Still 4 s each: the second of an owner ends after 8 s, a third one would after 12 s.
  const second = beginIn(lane, "a", { bytes: 10 });
  await settle();
  await expect(beginIn(lane, "a", { bytes: 10 }).ended).rejects.toMatchObject({ name: "OverloadError" });
  for (const { finish } of [other, slow, second]) {
    finish();
    await settle();
  }
});

it("who waits is refused as soon as what runs takes too long for it", async () => {
  const { lane, all, refused } = await burst(3);
  expect([lane.waiting, refused.length]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(5000);
  // It runs for 5 s already, twice as long as expected: the last one would end too late.
  expect([lane.waiting, refused.length]).toEqual([1, 1]);
  all[0]!.finish();
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 0]);
});

it("durations are learned: more may wait where computations are short, and after a long one nothing is refused that finds a place", async () => {
  const { lane, all } = await burst(1);
  all[0]!.finish();
  await settle();
  const short = Array.from({ length: 3 }, () => beginIn(lane, "greedy", { bytes: 10 }));
  for (const { finish } of short) {
    finish();
    await settle();
  }
  const many = Array.from({ length: 7 }, () => beginIn(lane, "greedy", { bytes: 10 }));
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 6]);
  for (const { finish } of many) {
    finish();
    await settle();
  }
  const long = beginIn(lane, "greedy", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(8900);
  long.finish();
  await settle();
  const next = beginIn(lane, "greedy", { bytes: 10 });
  await settle();
  expect(lane.running).toBe(1);
  next.finish();
});

it("answers hold their memory until they are sent: one owner's slow readers do not refuse another's request", async () => {
  const lane = openLane({ runningOfOwner: 2 });
  const slow = beginIn(lane, "slow", { bytes: 60 });
  slow.finish();
  const { place } = await slow.ended;
  expect([lane.running, lane.bytes]).toEqual([0, 60]);
  const second = beginIn(lane, "slow", { bytes: 10 });
  const other = beginIn(lane, "other", { bytes: 40 });
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 1]);
  place.release();
  place.release();
  await settle();
  expect([lane.running, lane.waiting, lane.bytes]).toEqual([2, 0, 50]);
  second.finish();
  other.finish();
  await settle();
});

it("a client that leaves gives its turn back at once", async () => {
  const lane = openLane();
  const first = beginIn(lane, "a");
  const second = beginIn(lane, "a");
  await settle();
  second.leave();
  await expect(second.ended).rejects.toMatchObject({ name: "AbortError" });
  expect(lane.waiting).toBe(0);
  first.finish();
  await settle();
  expect(lane.running).toBe(0);
});

it("answers have lanes by their size, and none of them lets an owner take all of several places", () => {
  expect([0, 64 * 1024, 64 * 1024 + 1, 2 ** 20, 2 ** 20 + 1].map(laneOf)).toEqual([
    "small",
    "small",
    "medium",
    "medium",
    "large",
  ]);
  // Where one runs at a time, owners take turns.
  for (const cores of [1, 2, 4, 16]) {
    for (const { limits } of Object.values(openAdmission(5, cores)))
      expect(limits.runningOfOwner).toBeLessThan(Math.max(2, limits.running));
  }
});
