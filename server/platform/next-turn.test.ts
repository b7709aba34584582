import { expect, it } from "vitest";
import { countRounds } from "#test/count-rounds.ts";
import { monotonicMs } from "./clock.ts";
import { nextTurn, turns } from "./next-turn.ts";

function work(milliseconds: number): void {
  const until = monotonicMs() + milliseconds;
  while (monotonicMs() < until);
}

/**
 * Runs callers that each wait for a turn twice and work in between. @returns Which callers continued in which round of
 * the event loop.
 */
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

it("lets one of many callers continue in each round of the event loop, in their order", async () => {
  const continued = await continuedIn(4, 12);
  expect(continued.map(([caller]) => caller)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  expect(new Set(continued.map(([, round]) => round)).size).toBe(8);
});

it("gives way after long work, and throws the reason of a signal", async () => {
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
