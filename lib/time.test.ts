import { expect, it } from "vitest";
import { formatInstant, monthsBefore, parseInstant } from "./time.ts";

it("parses a UTC instant and formats it back unchanged", () => {
  expect(parseInstant("2024-02-29T23:59:59Z")).toBe(1709251199);
  expect(formatInstant(1709251199)).toBe("2024-02-29T23:59:59Z");
});

it.each([
  "2023-02-29T00:00:00Z",
  "2026-02-30T00:00:00Z",
  "2026-01-01T24:00:00Z",
  "2026-01-01T00:60:00Z",
  "2026-01-01T00:00:60Z",
  "2026-13-01T00:00:00Z",
  "2026-01-01T00:00:00.0Z",
  "2026-01-01T00:00:00",
  "2026-01-01T00:00:00+00:00",
  "2026-01-01t00:00:00z",
  "2026-01-01 00:00:00Z",
  " 2026-01-01T00:00:00Z",
  "2026-01-01T00:00:00Z\n",
  "+002026-01-01T00:00:00Z",
  "٢026-01-01T00:00:00Z",
  "",
])("refuses %j, an invalid instant", (text) => {
  expect(parseInstant(text)).toBeNaN();
});

it("agrees with the calendar of the engine from the year 0 to 3000", () => {
  const first = Date.UTC(2000, 0, 1) / 1000 - 730_485 * 86_400;
  for (let seconds = first; seconds < 32_535_216_000; seconds += 86_400 * 61 + 12_345) {
    expect(parseInstant(formatInstant(seconds))).toBe(seconds);
  }
});

it("counts calendar months back, to the last day of a month that is too short", () => {
  const back = (from: string, months: number) => formatInstant(monthsBefore(parseInstant(from), months));
  expect(back("2026-08-31T06:00:00Z", 6)).toBe("2026-02-28T06:00:00Z");
  expect(back("2024-02-29T12:30:15Z", 36)).toBe("2021-02-28T12:30:15Z");
  expect(back("2026-01-15T00:00:00Z", 1)).toBe("2025-12-15T00:00:00Z");
});
