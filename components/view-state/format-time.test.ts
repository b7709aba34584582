import { expect, it } from "vitest";
import { parseInstant } from "#lib/time.ts";
import { en } from "#lib/words/en.ts";
import {
  formatAge,
  formatBarDay,
  formatLongDate,
  formatMinutes,
  formatMonths,
  formatShortTime,
  formatTime,
} from "./format-time.ts";

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

it("writes minutes up to 90", () => {
  const minutes = [0, -0.9, 0.9, -1, 20, -89.5, -90, 130, 3000];
  expect(minutes.map((by) => formatMinutes(60 * by, 0))).toEqual([
    "just now",
    "just now",
    "now",
    "1 min ago",
    "in 20 min",
    "89 min ago",
    "2 h ago",
    "in 2 h",
    "in 2 d",
  ]);
});

it("writes dates, spans of months and the days of the time bar", () => {
  const date = (year: number, month: number, day = 1) => ({ year, month, day });
  expect(formatLongDate(date(2024, 2, 29), en)).toBe("Thursday 29 February 2024");
  expect(formatBarDay(date(2024, 2, 29), en)).toBe("Thu 29");
  expect(formatMonths(date(2023, 9), date(2026, 6), en)).toBe("Sep 2023 to Jun 2026");
  expect(formatMonths(date(2026, 6), date(2026, 9), en)).toBe("Jun to Sep 2026");
  expect(formatMonths(date(2026, 9), date(2026, 9, 25), en)).toBe("Sep 2026");
});
