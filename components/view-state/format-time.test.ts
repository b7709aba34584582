import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { formatAge, formatShortTime, formatTime } from "./format-time.ts";

it("writes times in UTC, with the hours since the run", () => {
  const time = parseInstant("2011-01-15T12:00:00Z");
  expect(formatShortTime(time)).toBe("Sat 15 Jan 12:00");
  expect(formatTime(time, parseInstant("2011-01-10T12:00:00Z"))).toBe("Sat 15 Jan 2011 12:00 UTC (+120 h)");
  expect(formatTime(time, time + 3600)).toBe("Sat 15 Jan 2011 12:00 UTC (−1 h)");
});

it("writes how far a time is from now", () => {
  const hour = 3600;
  expect([20, 6 * hour, -47 * hour, 240 * hour, -1001 * 24 * hour].map((by) => formatAge(by, 0))).toEqual([
    "now",
    "in 6 h",
    "47 h ago",
    "in 10 d",
    "1,001 d ago",
  ]);
});
