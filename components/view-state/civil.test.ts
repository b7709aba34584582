import { expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import {
  addDays,
  addMonths,
  civilOf,
  dayStartsWithin,
  daysFrom,
  instantOf,
  isDate,
  sameClock,
  utc,
  weekdayOf,
} from "./civil.ts";

const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");
const beirut = regionalZone("Asia/Beirut");
const lordHowe = regionalZone("Australia/Lord_Howe");
const at = (year: number, month: number, day: number, hour = 0, minute = 0) => ({
  year,
  month,
  day,
  hour,
  minute,
});
const found = (civil: ReturnType<typeof at>, zone = berlin) => {
  const { time, oddity } = instantOf(civil, zone);
  return [formatInstant(time), oddity];
};

it("finds the instant of a clock time, also where the clock is put forward or back", () => {
  expect(found(at(2026, 1, 15, 12), utc)).toEqual(["2026-01-15T12:00:00Z", undefined]);
  expect(found(at(2026, 3, 29, 1, 59))).toEqual(["2026-03-29T00:59:00Z", undefined]);
  expect(found(at(2026, 3, 29, 2, 30))).toEqual(["2026-03-29T01:30:00Z", "skipped"]);
  expect(found(at(2026, 3, 29, 3))).toEqual(["2026-03-29T01:00:00Z", undefined]);
  expect(found(at(2026, 10, 25, 2, 30))).toEqual(["2026-10-25T00:30:00Z", "twice"]);
  expect(found(at(2026, 10, 25, 3))).toEqual(["2026-10-25T02:00:00Z", undefined]);
  // Half an hour of summer time.
  expect(found(at(2026, 4, 5, 1, 45), lordHowe)).toEqual(["2026-04-04T14:45:00Z", "twice"]);
});

it("reads the calendar of zones with half hours", () => {
  expect(civilOf(parseInstant("2025-12-31T18:30:00Z"), kolkata)).toEqual(at(2026, 1, 1));
  expect(found(at(2026, 1, 1), kolkata)).toEqual(["2025-12-31T18:30:00Z", undefined]);
});

it("begins days where their clock does: after 23 or 25 hours, at 01:00 where midnight is skipped, on 29 February", () => {
  const starts = (from: string, to: string, zone = berlin) =>
    dayStartsWithin(parseInstant(from), parseInstant(to), zone).map(formatInstant);
  expect(starts("2026-03-28T12:00:00Z", "2026-03-30T12:00:00Z")).toEqual([
    "2026-03-28T23:00:00Z",
    "2026-03-29T22:00:00Z",
  ]);
  expect(starts("2026-10-24T12:00:00Z", "2026-10-26T12:00:00Z")).toEqual([
    "2026-10-24T22:00:00Z",
    "2026-10-25T23:00:00Z",
  ]);
  expect(starts("2024-02-28T00:00:00Z", "2024-03-01T00:00:00Z", utc)).toEqual([
    "2024-02-28T00:00:00Z",
    "2024-02-29T00:00:00Z",
    "2024-03-01T00:00:00Z",
  ]);
  expect(starts("2026-03-28T12:00:00Z", "2026-03-29T12:00:00Z", beirut)).toEqual(["2026-03-28T22:00:00Z"]);
});

it("keeps the clock time over a change of the clock, and the seconds", () => {
  const noon = parseInstant("2026-03-28T11:00:07Z");
  expect(formatInstant(sameClock(noon, 1, berlin))).toBe("2026-03-29T10:00:07Z");
  expect(formatInstant(sameClock(noon, 1, utc))).toBe("2026-03-29T11:00:07Z");
  expect(formatInstant(sameClock(noon, -87, berlin))).toBe("2025-12-31T11:00:07Z");
});

it("knows the calendar: leap days, the ends of months, New Year, weekdays", () => {
  expect([isDate(at(2024, 2, 29)), isDate(at(2026, 2, 29)), isDate(at(2026, 4, 31))]).toEqual([
    true,
    false,
    false,
  ]);
  expect(addMonths(at(2024, 1, 31), 1)).toEqual({ year: 2024, month: 2, day: 29 });
  expect(addMonths(at(2026, 1, 15), -1)).toEqual({ year: 2025, month: 12, day: 15 });
  expect(addDays(at(2025, 12, 31), 1)).toEqual({ year: 2026, month: 1, day: 1 });
  expect(daysFrom(at(2024, 2, 28), at(2024, 3, 1))).toBe(2);
  expect(weekdayOf(at(2026, 11, 24))).toBe(2);
});
