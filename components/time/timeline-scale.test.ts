import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { formatInstant, HOUR_S, parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import { dayMarks } from "./timeline-scale.tsx";

const marks = (from: string, to: string, zone = utc) =>
  dayMarks({ from: parseInstant(from), to: parseInstant(to) }, zone).map((mark) => [
    mark.date.day,
    formatInstant(mark.from),
    (mark.to - mark.from) / HOUR_S,
    mark.isNamed,
  ]);

it("divides the bar into days, names those that are mostly on it, and has none of a single instant", () => {
  expect(marks("2025-12-30T20:00:00Z", "2026-01-01T18:00:00Z")).toEqual([
    [30, "2025-12-30T20:00:00Z", 4, false],
    [31, "2025-12-31T00:00:00Z", 24, true],
    [1, "2026-01-01T00:00:00Z", 18, true],
  ]);
  expect(marks("2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z")).toEqual([]);
});

it("begins days by the chosen clock: half hours, days of 23 and 25 hours", () => {
  expect(marks("2026-02-28T00:00:00Z", "2026-03-01T18:30:00Z", regionalZone("Asia/Kolkata"))).toEqual([
    [28, "2026-02-28T00:00:00Z", 18.5, true],
    [1, "2026-02-28T18:30:00Z", 24, true],
  ]);
  const berlin = regionalZone("Europe/Berlin");
  expect(marks("2026-03-28T23:00:00Z", "2026-03-30T22:00:00Z", berlin).map(([, , hours]) => hours)).toEqual([
    23, 24,
  ]);
  expect(marks("2026-10-24T22:00:00Z", "2026-10-26T23:00:00Z", berlin).map(([, , hours]) => hours)).toEqual([
    25, 24,
  ]);
});
