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
const date = (year: number, month: number, day: number) => ({ year, month, day });

it.each([
  ["2026-01-15T12:00", utc, "2026-01-15T12:00:00Z", undefined],
  ["2026-03-29T01:59", berlin, "2026-03-29T00:59:00Z", undefined],
  ["2026-03-29T02:30", berlin, "2026-03-29T01:30:00Z", "skipped"],
  ["2026-03-29T03:00", berlin, "2026-03-29T01:00:00Z", undefined],
  ["2026-10-25T02:30", berlin, "2026-10-25T00:30:00Z", "twice"],
  ["2026-10-25T03:00", berlin, "2026-10-25T02:00:00Z", undefined],
  ["2026-01-01T00:00", kolkata, "2025-12-31T18:30:00Z", undefined],
  // Lord Howe Island has half an hour of summer time.
  ["2026-04-05T01:45", regionalZone("Australia/Lord_Howe"), "2026-04-04T14:45:00Z", "twice"],
])(
  "finds the instant of the clock time %s, also where the clock is put forward or back",
  (clock, zone, instant, oddity) => {
    const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = clock.split(/\D/).map(Number);
    const found = instantOf({ year, month, day, hour, minute }, zone);
    expect([formatInstant(found.time), found.oddity]).toEqual([instant, oddity]);
    if (!oddity) expect(civilOf(found.time, zone)).toEqual({ year, month, day, hour, minute });
  },
);

it.each([
  ["after 23 hours", berlin, "2026-03-28T12", "2026-03-30T12", ["2026-03-28T23", "2026-03-29T22"]],
  ["after 25 hours", berlin, "2026-10-24T12", "2026-10-26T12", ["2026-10-24T22", "2026-10-25T23"]],
  [
    "on 29 February",
    utc,
    "2024-02-28T00",
    "2024-03-01T00",
    ["2024-02-28T00", "2024-02-29T00", "2024-03-01T00"],
  ],
  [
    "where midnight is skipped",
    regionalZone("Asia/Beirut"),
    "2026-03-28T12",
    "2026-03-29T12",
    ["2026-03-28T22"],
  ],
])("begins days where their clock does: %s", (_, zone, from, to, starts) => {
  const [first, last] = [from, to].map((hour) => parseInstant(`${hour}:00:00Z`));
  expect(dayStartsWithin(first!, last!, zone).map(formatInstant)).toEqual(
    starts.map((hour) => `${hour}:00:00Z`),
  );
});

it("keeps the clock time over a change of the clock, and the seconds", () => {
  const noon = parseInstant("2026-03-28T11:00:07Z");
  const later = [sameClock(noon, 1, berlin), sameClock(noon, 1, utc), sameClock(noon, -87, berlin)];
  expect(later.map(formatInstant)).toEqual([
    "2026-03-29T10:00:07Z",
    "2026-03-29T11:00:07Z",
    "2025-12-31T11:00:07Z",
  ]);
});

it("knows the calendar: leap days, the ends of months, New Year, weekdays", () => {
  expect([date(2024, 2, 29), date(2026, 2, 29), date(2026, 4, 31)].map(isDate)).toEqual([true, false, false]);
  expect(addMonths(date(2024, 1, 31), 1)).toEqual(date(2024, 2, 29));
  expect(addMonths(date(2026, 1, 15), -1)).toEqual(date(2025, 12, 15));
  expect(addDays(date(2025, 12, 31), 1)).toEqual(date(2026, 1, 1));
  expect([daysFrom(date(2024, 2, 28), date(2024, 3, 1)), weekdayOf(date(2026, 11, 24))]).toEqual([2, 2]);
});
