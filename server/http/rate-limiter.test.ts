import { expect, it } from "vitest";
import { parseLimit } from "#lib/contract/limits.ts";
import { memoryRateLimiter } from "./rate-limiter.ts";

const DAY_S = 86_400;

it("a clock that was a day ahead for two seconds closes no limit for longer than its period", async () => {
  let now = 1_800_000_000;
  const limiter = memoryRateLimiter({ now: () => now });
  const limit = parseLimit("2 per 1 minute")!;
  now += DAY_S;
  for (let request = 0; request < 3; request++) await limiter.take("a", limit);
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: false });
  now += 2 - DAY_S;
  expect(await limiter.take("a", limit)).toEqual({
    allowed: true,
    remaining: 1,
    resetSeconds: 60,
    resetAt: now + 60,
  });
  await limiter.take("a", limit);
  // A step back by a second does not open the window again either.
  now -= 1;
  expect(await limiter.take("a", limit)).toMatchObject({ allowed: false });
});
