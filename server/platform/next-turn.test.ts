import { expect, it } from "vitest";
import { countRounds } from "#test/count-rounds.ts";
import { monotonicMs } from "./clock.ts";
import { nextTurn, turns } from "./next-turn.ts";

/** Keeps the thread busy. */
function work(milliseconds: number): void {
  const until = monotonicMs() + milliseconds;
  while (monotonicMs() < until);
}

/** Whoever asks for a turn twice, working in between. @returns Who continued in which round of the event loop. */
async function continuedIn(callers: number, milliseconds: number) {
  const counter = countRounds();
  const continued: [caller: number, round: number][] = [];
  await Promise.all(
    Array.from({ length: callers }, async (_, caller) => {
      for (let turn = 0; turn < 2; turn++) {
        await nextTurn();
        continued.push([caller, counter.rounds]);
        work(milliseconds);
      }
    }),
  );
  counter.stop();
  return continued;
}

it("of many who wait and work long one continues in each round of the event loop, in their order", async () => {
  const continued = await continuedIn(4, 12);
  expect(continued.map(([caller]) => caller)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  expect(new Set(continued.map(([, round]) => round)).size).toBe(8);
});

it("long work has as long as everything else since it last had a turn: a busy thread does not stretch it without end", async () => {
  const counter = countRounds();
  let isDone = false;
  // Others take 12 ms of each round.
  const others = () => {
    work(12);
    if (!isDone) setImmediate(others);
  };
  setImmediate(others);
  let turns = 0;
  const began = counter.rounds;
  for (; turns < 30; turns++) {
    await nextTurn();
    work(2);
  }
  isDone = true;
  const rounds = counter.rounds - began;
  counter.stop();
  // With one part of 2 ms in each round it would be 30.
  expect(rounds).toBeLessThan(15);
});

it("others wait for a round of 24 ms and one part at most, however long they took themselves", async () => {
  const counter = countRounds();
  const ofRound = new Map<number, number>();
  const long = [0, 1, 2].map(async () => {
    for (let turn = 0; turn < 8; turn++) {
      await nextTurn();
      ofRound.set(counter.rounds, (ofRound.get(counter.rounds) ?? 0) + 1);
      work(8);
    }
  });
  setImmediate(() => work(200));
  await Promise.all(long);
  counter.stop();
  expect(Math.max(...ofRound.values())).toBeLessThanOrEqual(4);
});

it("turns are taken where work has taken long, and end with the reason of a signal", async () => {
  const aborter = new AbortController();
  const turn = turns(aborter.signal);
  expect(turn()).toBeUndefined();
  work(10);
  const pending = turn();
  expect(pending).toBeInstanceOf(Promise);
  await pending;
  expect(turn()).toBeUndefined();
  work(10);
  aborter.abort(new Error("left"));
  await expect(turn()).rejects.toThrow("left");
});
