import { expect, it } from "vitest";
import { countRounds } from "#test/count-rounds.ts";
import { nextTurn } from "./next-turn.ts";

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
