import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import { type ArchiveSpans, hoursOf, kindOf, weeksOf } from "./calendar.tsx";

const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");
const at = (text: string) => parseInstant(`${text}:00Z`);
const date = (year: number, month: number, day: number) => ({ year, month, day });
const accepted = { from: at("2023-09-15T12:00"), to: at("2026-09-25T12:00") };
const spans: ArchiveSpans = [
  { dataset: "Hindcast-3Y", from: at("2024-01-01T00:00"), to: at("2024-02-28T21:00") },
  { dataset: "Hindcast-3M", from: at("2026-07-01T00:00"), to: at("2026-09-10T11:59") },
  { dataset: "Forecast", from: at("2026-09-10T12:00"), to: at("2026-09-22T18:00") },
];

it("has whole weeks from Monday on, the leap day among them", () => {
  const weeks = weeksOf({ year: 2024, month: 2 });
  const days = weeks.map((week) => `${week[0]!.day}–${week[6]!.day}`);
  expect(days).toEqual(["29–4", "5–11", "12–18", "19–25", "26–3"]);
  expect(weeks[4]![3]).toEqual(date(2024, 2, 29));
  expect(weeksOf({ year: 2026, month: 6 })[0]![0]).toEqual(date(2026, 6, 1));
  expect(weeksOf({ year: 2026, month: 1 })[0]![0]).toEqual(date(2025, 12, 29));
});

it.each([
  ["forecast", date(2026, 9, 15), utc, spans],
  ["forecast", date(2026, 9, 10), utc, spans],
  ["hindcast", date(2026, 9, 9), utc, spans],
  ["gap", date(2026, 9, 23), utc, spans],
  ["beyond", date(2026, 9, 26), utc, spans],
  ["hindcast", date(2024, 2, 28), utc, spans],
  ["gap", date(2024, 2, 29), utc, spans],
  ["beyond", date(2023, 9, 14), utc, spans],
  // A day ends before the midnight at which the data of the next one begins.
  ["gap", date(2026, 9, 9), utc, [{ dataset: "Forecast", from: at("2026-09-10T00:00"), to: accepted.to }]],
  // 22:00 UTC on the 28th is already the 29th in Delhi.
  ["hindcast", date(2024, 2, 29), kolkata, spans],
  ["unknown", date(2024, 2, 29), utc, undefined],
] as const)("tells a day by what the archive has of it: %s, %j", (kind, day, zone, known) => {
  expect(kindOf(day, zone, known, accepted)).toBe(kind);
});

it("has the hours of its clock: 23 and 25 where it is changed, and none twice in steps", () => {
  const to = at("2027-01-01T00:00");
  const hours = (day: ReturnType<typeof date>, step: number, zone = berlin) =>
    hoursOf(day, zone, step, undefined, { ...accepted, to }).map(({ time }) => time);
  const counts = [hours(date(2026, 3, 29), 1), hours(date(2026, 3, 28), 1), hours(date(2026, 3, 29), 3)];
  expect([...counts, hours(date(2026, 10, 25), 1)].map(({ length }) => length)).toEqual([23, 24, 8, 25]);
  const delhi = ["2026-09-14T18:30", "2026-09-15T00:30", "2026-09-15T06:30", "2026-09-15T12:30"];
  expect(hours(date(2026, 9, 15), 6, kolkata)).toEqual(delhi.map(at));
});

it("names the hours without data", () => {
  const hasData = hoursOf(date(2026, 9, 22), utc, 1, spans, accepted).map((hour) => hour.hasData);
  expect(hasData.indexOf(false)).toBe(19);
});
