import { expect, it } from "vitest";
import { OutOfBudgetError } from "#server/platform/fetching/errors.ts";
import { againAt, describe } from "./feed-loop.ts";

it("says what a person can do where the bytes of a day are spent, and when it goes on without anybody", () => {
  const tomorrow = Date.UTC(2026, 8, 2) / 1000;
  const spent = new OutOfBudgetError("example.org", 1e9, tomorrow);
  expect(describe(spent)).toMatch(/goes on at 2026-09-02T00:00:00Z\. FEED_BYTES_A_DAY allows more/);
  expect(againAt(spent)).toBe(tomorrow);
});
