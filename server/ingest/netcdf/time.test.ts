import { expect, it } from "vitest";
import { readTimeUnits } from "./cf.ts";

const instant = (text: string) => Date.parse(text) / 1000;

it.each([
  ["hours since 2023-07-20T10:00:00", "2023-07-20T10:00:00Z", 3600],
  ["days since 1978-01-01 12:00:00", "1978-01-01T12:00:00Z", 86_400],
  ["seconds since 1970-01-01 00:00:00.0 UTC", "1970-01-01T00:00:00Z", 1],
  ["Hours since 1950-1-1", "1950-01-01T00:00:00Z", 3600],
  ["minutes since 2020-02-29 00:00:00 +05:30", "2020-02-28T18:30:00Z", 60],
])("reads %s", (units, since, seconds) => {
  expect(readTimeUnits(units)).toEqual({ since: instant(since), seconds });
});

// As cftime.date2num and xarray read them.
it.each([
  [1e-3, ["milliseconds", "millisecond", "millisecs", "millisec", "msecs", "msec", "ms"]],
  [1, ["seconds", "second", "secs", "sec", "s"]],
  [60, ["minutes", "minute", "mins", "min"]],
  [3600, ["hours", "hour", "hrs", "hr", "h"]],
  [86_400, ["days", "day", "d"]],
])("reads every spelling of a unit of %f s", (seconds, spellings) => {
  for (const spelling of spellings) {
    expect(readTimeUnits(`${spelling} since 2024-01-01`)).toEqual({ since: instant("2024-01-01"), seconds });
  }
});

it.each([
  ["months since 2000-01-01", "standard", /not read/],
  ["hours since launch", "standard", /not read/],
  ["days since 2023-02-30", "standard", /no real day/],
  ["days since 2000-01-01", "360_day", /calendar "360_day" is not read/],
  ["hours since 0001-01-01", "gregorian", /Julian calendar/],
])("rejects %s in the %s calendar", (units, calendar, reason) => {
  expect(() => readTimeUnits(units, calendar)).toThrow(reason);
});

it("reads ancient reference times in the proleptic calendar", () => {
  expect(readTimeUnits("hours since 0001-01-01", "proleptic_gregorian").since).toBe(-62_135_596_800);
});
