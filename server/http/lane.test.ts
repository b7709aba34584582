import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { UnavailableError } from "#server/platform/errors.ts";
import { laneOf, openAdmission } from "./admission.ts";
import { timeouts } from "./http-server.ts";
import { Lane, type LaneLimits } from "./lane.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const limits: LaneLimits = {
  running: 2,
  runningOfOwner: 1,
  waiting: 4,
  waitingOfOwner: 3,
  waitMs: 1000,
  runMs: 5000,
  bytes: 100,
  bytesOfOwner: 60,
  expected: { ms: 1, size: 1 },
};

const open = (more: Partial<LaneLimits> = {}) => new Lane({ ...limits, ...more }, Date.now);

/** Begins a computation of an owner; its name joins `started` when it starts. */
function begin(lane: Lane, owner: string, { started = [] as string[], bytes = 0, name = owner } = {}) {
  const gate = Promise.withResolvers<string>();
  const aborter = new AbortController();
  let signal: AbortSignal | undefined;
  const ended = (async () => {
    const place = await lane.enter(owner, bytes, aborter.signal);
    const result = await place.compute((given) => {
      signal = given;
      started.push(name);
      return gate.promise;
    });
    return { result, place };
  })();
  ended.catch(() => undefined);
  return { ended, finish: () => gate.resolve(name), leave: () => aborter.abort(), signal: () => signal };
}

const settle = () => vi.advanceTimersByTimeAsync(0);

it("an owner cannot take all places, and free places go to the owners in turn", async () => {
  const lane = open();
  const started: string[] = [];
  const greedy = [1, 2, 3].map((n) => begin(lane, "greedy", { started, name: `greedy ${n}` }));
  await settle();
  expect(started).toEqual(["greedy 1"]);
  const first = begin(lane, "other", { started });
  const third = begin(lane, "third", { started });
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
  const lane = open({ running: 1 });
  const started: string[] = [];
  const first = begin(lane, "early", { started, name: "early 1" });
  const second = begin(lane, "early", { started, name: "early 2" });
  await settle();
  const other = begin(lane, "late", { started });
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
  const lane = open();
  const all = [1, 2, 3, 4].map(() => begin(lane, "greedy"));
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 3]);
  const refused = await begin(lane, "greedy").ended.catch((error: unknown) => error);
  expect(refused).toBeInstanceOf(UnavailableError);
  expect((refused as UnavailableError).retryAfter).toBeGreaterThanOrEqual(1);
  expect(lane.shed).toBe(1);
  // Others are not refused.
  const other = begin(lane, "other");
  await settle();
  expect(lane.running).toBe(2);
  for (const { leave } of all.slice(1)) leave();
  all[0]!.finish();
  other.finish();
  await settle();
  expect([lane.running, lane.waiting]).toEqual([0, 0]);
});

it("a request that cannot start in time is refused: at once where that is known, else when its time is over", async () => {
  const lane = open();
  const long = begin(lane, "a");
  const waited = begin(lane, "a").ended.catch((error: Error) => error.name);
  await vi.advanceTimersByTimeAsync(1000);
  expect(await waited).toBe("UnavailableError");
  await vi.advanceTimersByTimeAsync(3900);
  long.finish();
  await settle();
  // Computations take long now: with one running, another does not start within a second.
  const next = begin(lane, "a");
  for (let round = 0; round < 5; round++) {
    await vi.advanceTimersByTimeAsync(4900);
    next.finish();
  }
  const again = begin(lane, "a");
  await vi.advanceTimersByTimeAsync(4900);
  again.finish();
  await settle();
  const running = begin(lane, "a");
  await settle();
  await expect(begin(lane, "a").ended).rejects.toMatchObject({ name: "UnavailableError" });
  running.finish();
});

/** A burst of one owner, whose requests of size 10 are expected to take 400 ms each. */
async function burst(count: number) {
  const lane = open({
    waiting: 100,
    waitingOfOwner: 100,
    bytes: 1000,
    bytesOfOwner: 1000,
    expected: { ms: 400, size: 10 },
  });
  const refused: UnavailableError[] = [];
  const all = Array.from({ length: count }, () => {
    const request = begin(lane, "greedy", { bytes: 10 });
    request.ended.catch((error) => refused.push(error));
    return request;
  });
  await settle();
  return { lane, all, refused };
}

it("of a burst all that cannot start in time are refused at once, by their size, before anything has ended", async () => {
  const { lane, refused } = await burst(30);
  // One runs; places are expected after 0.4 and 0.8 s, a third one after 1.2 s, which is too late.
  expect([lane.running, lane.waiting, refused.length]).toEqual([1, 2, 27]);
  expect(refused[0]).toMatchObject({
    retryAfter: 2,
    message: "The service is busy. Please try again in 2 seconds.",
  });
  // Another owner has a place, and a smaller request would have had one.
  const other = begin(lane, "other", { bytes: 10 });
  await settle();
  expect(lane.running).toBe(2);
  other.finish();
});

it("a request is refused at once where other owners have too many turns before its own", async () => {
  const lane = open({ running: 1, waiting: 100, waitingOfOwner: 100, expected: { ms: 400, size: 1 } });
  const entered = ["a", "b", "c"].map((owner) => begin(lane, owner));
  await settle();
  // One runs; the turn of the third owner comes after 0.8 s, that of a fourth one after 1.2 s.
  expect([lane.running, lane.waiting, lane.shed]).toEqual([1, 2, 0]);
  await expect(begin(lane, "d").ended).rejects.toMatchObject({ retryAfter: 2 });
  // They start: nobody else's turn comes first.
  for (const { finish } of entered) {
    finish();
    await settle();
  }
  expect(lane.running).toBe(0);
});

it("a request that would wait and could then not end within its time is refused at once", async () => {
  const lane = open({ bytes: 1e6, bytesOfOwner: 1e6, expected: { ms: 400, size: 10 } });
  const first = begin(lane, "a", { bytes: 10 });
  await settle();
  // Computing takes 6 s for this size: with a wait of 0.4 s that is more than 1 s and 5 s.
  await expect(begin(lane, "a", { bytes: 150 }).ended).rejects.toMatchObject({ name: "UnavailableError" });
  const shorter = begin(lane, "a", { bytes: 140 });
  await settle();
  expect(lane.waiting).toBe(1);
  first.finish();
  shorter.finish();
  await Promise.all([first.ended, shorter.ended]);
});

it("who waits is refused as soon as what runs takes too long for it", async () => {
  const { lane, all, refused } = await burst(3);
  expect([lane.waiting, refused.length]).toEqual([2, 0]);
  await vi.advanceTimersByTimeAsync(750);
  // It runs for 0.75 s already: the last one would have to wait longer than a second.
  expect([lane.waiting, refused.length]).toEqual([1, 1]);
  all[0]!.finish();
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 0]);
});

it("durations are learned: more may wait where computations are short, and after a long one nothing is refused that finds a place", async () => {
  const { lane, all } = await burst(1);
  all[0]!.finish();
  await settle();
  const short = Array.from({ length: 10 }, () => begin(lane, "greedy", { bytes: 10 }));
  for (const { finish } of short) {
    finish();
    await settle();
  }
  const many = Array.from({ length: 10 }, () => begin(lane, "greedy", { bytes: 10 }));
  await settle();
  expect([lane.running, lane.waiting]).toEqual([1, 9]);
  for (const { finish } of many) {
    finish();
    await settle();
  }
  const long = begin(lane, "greedy", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(4900);
  long.finish();
  await settle();
  const next = begin(lane, "greedy", { bytes: 10 });
  await settle();
  expect(lane.running).toBe(1);
  next.finish();
});

it("a computation over its time is stopped, and its caller gets the reason in words", async () => {
  const lane = open();
  const large = begin(lane, "a", { bytes: 10 });
  await vi.advanceTimersByTimeAsync(5000);
  await expect(large.ended).rejects.toThrow(/not ready within 5 seconds/);
  expect(large.signal()!.aborted).toBe(true);
  // It keeps its place and its memory until it has really ended, also where it ends with an answer, which nobody gets.
  expect([lane.running, lane.bytes]).toEqual([1, 10]);
  large.finish();
  await settle();
  expect([lane.running, lane.bytes, lane.shed]).toEqual([0, 0, 1]);
});

it("answers hold their memory until they are sent: one owner's slow readers do not refuse another's request", async () => {
  const lane = open({ runningOfOwner: 2 });
  const slow = begin(lane, "slow", { bytes: 60 });
  slow.finish();
  const { place } = await slow.ended;
  expect([lane.running, lane.bytes]).toEqual([0, 60]);
  const second = begin(lane, "slow", { bytes: 10 });
  const other = begin(lane, "other", { bytes: 40 });
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
  const lane = open();
  const first = begin(lane, "a");
  const second = begin(lane, "a");
  await settle();
  second.leave();
  await expect(second.ended).rejects.toMatchObject({ name: "AbortError" });
  expect(lane.waiting).toBe(0);
  first.finish();
  await settle();
  expect(lane.running).toBe(0);
});

it("every request is answered before its connection counts as idle", () => {
  for (const { limits } of Object.values(openAdmission(16)))
    expect(limits.waitMs + limits.runMs).toBeLessThan(timeouts.idleMs);
});

it("what takes a moment is answered within five seconds or refused, by its size", () => {
  expect([0, 64 * 1024, 64 * 1024 + 1, 2 ** 20, 2 ** 20 + 1].map(laneOf)).toEqual([
    "small",
    "small",
    "medium",
    "medium",
    "large",
  ]);
  const { medium, searches } = openAdmission(2);
  // A lane is looked at four times a second.
  for (const { limits } of [medium, searches])
    expect(limits.waitMs + limits.runMs + 500).toBeLessThanOrEqual(5000);
  for (const { limits } of Object.values(openAdmission(1)))
    expect(limits.runningOfOwner).toBeLessThan(limits.running);
});
