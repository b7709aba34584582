import { expect, it } from "vitest";
import { nextTurn } from "./next-turn.ts";

/** Rounds of the event loop so far. */
function countRounds() {
  const counter = { rounds: 0, stop: () => clearImmediate(next) };
  const count = () => {
    counter.rounds++;
    next = setImmediate(count);
  };
  let next = setImmediate(count);
  return counter;
}

it("of many who wait one continues in each round of the event loop, in their order", async () => {
  const counter = countRounds();
  const continued: [caller: number, round: number][] = [];
  await Promise.all(
    [0, 1, 2, 3].map(async (caller) => {
      await nextTurn();
      continued.push([caller, counter.rounds]);
      await nextTurn();
      continued.push([caller, counter.rounds]);
    }),
  );
  counter.stop();
  expect(continued.map(([caller]) => caller)).toEqual([0, 1, 2, 3, 0, 1, 2, 3]);
  expect(new Set(continued.map(([, round]) => round)).size).toBe(8);
});
