import { expect, it } from "vitest";
import { memoryRateLimiter, rateGroups } from "./rate-limit.ts";

it("drops ended windows, then the oldest, so that a flood of callers cannot fill the memory", () => {
  let time = 0;
  const limiter = memoryRateLimiter({ now: () => time }, 100);
  const left = (bucket: string) => {
    const allowance = limiter.take(bucket, rateGroups.data);
    if (allowance instanceof Promise) throw new TypeError("memory answers at once");
    return allowance.remaining;
  };
  expect(left("steady")).toBe(9);
  for (let caller = 0; caller < 99; caller++) left(`flood ${caller}`);
  expect(left("steady")).toBe(8);
  for (let caller = 0; caller < 1000; caller++) left(`more ${caller}`);
  expect(left("steady")).toBe(9);
  expect(left("more 999")).toBe(8);

  time = 60;
  expect(left("more 999")).toBe(9);
});

it("does not extend a window by rejected requests", () => {
  let time = 0;
  const limiter = memoryRateLimiter({ now: () => time });
  for (; time < 60; time += 3) limiter.take("a", rateGroups.data);
  expect(limiter.take("a", rateGroups.data)).toMatchObject({ allowed: true, remaining: 9 });
});
