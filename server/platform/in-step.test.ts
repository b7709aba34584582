import { expect, it } from "vitest";
import { inStep } from "./in-step.ts";

it("makes each value once, and not before the slowest taker asks for it", async () => {
  const made: number[] = [];
  const { take } = inStep(2, async (index) => {
    made.push(index);
    return { index };
  });
  const fast = async () => [await take(0), await take(1), await take(2)];
  const taken = fast();
  const first = await take(0);
  await new Promise(setImmediate);
  expect(made).toEqual([0]);
  const slow = [first, await take(1), await take(2)];
  const other = await taken;
  expect(slow.map(({ index }) => index)).toEqual([0, 1, 2]);
  for (const [at, value] of slow.entries()) expect(other[at]).toBe(value);
  expect(made).toEqual([0, 1, 2]);
});

it("ends those that wait for a taker that failed, and those that ask afterwards", async () => {
  const { take, fail } = inStep(3, async (index) => index);
  const waiting = take(0);
  fail(new Error("the disk is full"));
  await expect(waiting).rejects.toThrow("the disk is full");
  await expect(take(0)).rejects.toThrow("the disk is full");
});

it("passes on what could not be made to all takers", async () => {
  const { take } = inStep(2, async () => {
    throw new Error("it is damaged");
  });
  const outcomes = await Promise.allSettled([take(0), take(0)]);
  expect(outcomes.map(({ status }) => status)).toEqual(["rejected", "rejected"]);
});
