import { expect, it } from "vitest";
import { inParallel } from "./in-parallel.ts";

it("returns results in the order of the items, and runs at most the given number at the same time", async () => {
  let running = 0;
  let most = 0;
  const doubled = await inParallel(2, [3, 1, 2], async (item) => {
    running++;
    most = Math.max(most, running);
    for (let turn = 0; turn < item; turn++) await Promise.resolve();
    running--;
    return 2 * item;
  });
  expect(doubled).toEqual([6, 2, 4]);
  expect(most).toBe(2);
});

it("begins nothing after a failure, and throws that of the earliest item whichever fails first", async () => {
  const begun: string[] = [];
  const work = async (item: string) => {
    begun.push(item);
    if (item === "slow") for (let turn = 0; turn < 20; turn++) await Promise.resolve();
    throw new Error(item);
  };
  await expect(inParallel(2, ["slow", "quick", "never"], work)).rejects.toThrow("slow");
  expect(begun).toEqual(["slow", "quick"]);
});
