import { describe, expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import { type ArchiveSpans, hoursOf, kindOf, weeksOf } from "./calendar.tsx";

const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");
const at = (text: string) => parseInstant(`${text}:00Z`);
const accepted = { from: at("2023-09-15T12:00"), to: at("2026-09-25T12:00") };
const spans: ArchiveSpans = [
  { dataset: "Hindcast-3Y", from: at("2024-01-01T00:00"), to: at("2024-02-28T21:00") },
  { dataset: "Hindcast-3M", from: at("2026-07-01T00:00"), to: at("2026-09-10T11:59") },
  { dataset: "Forecast", from: at("2026-09-10T12:00"), to: at("2026-09-22T18:00") },
];

it("has whole weeks from Monday on, the leap day among them", () => {
  const weeks = weeksOf({ year: 2024, month: 2 });
  expect(weeks.map((week) => `${week[0]!.day}–${week[6]!.day}`)).toEqual([
    "29–4",
    "5–11",
    "12–18",
    "19–25",
    "26–3",
  ]);
  expect(weeks[4]![3]).toEqual({ year: 2024, month: 2, day: 29 });
  expect(weeksOf({ year: 2026, month: 6 })[0]![0]).toEqual({ year: 2026, month: 6, day: 1 });
  expect(weeksOf({ year: 2026, month: 1 })[0]![0]).toEqual({ year: 2025, month: 12, day: 29 });
});

describe("a day", () => {
  it("is told apart by what the archive has of it", () => {
    const kind = (year: number, month: number, day: number, zone = utc) =>
      kindOf({ year, month, day }, zone, spans, accepted);
    expect([
      kind(2026, 9, 15),
      kind(2026, 9, 10),
      kind(2026, 9, 9),
      kind(2026, 9, 23),
      kind(2026, 9, 26),
    ]).toEqual(["forecast", "forecast", "hindcast", "gap", "beyond"]);
    expect([kind(2024, 2, 28), kind(2024, 2, 29), kind(2023, 9, 14)]).toEqual(["hindcast", "gap", "beyond"]);
    // A day ends before the midnight at which the next one has data.
    const fromMidnight = [{ dataset: "Forecast", from: at("2026-09-10T00:00"), to: accepted.to }] as const;
    expect(kindOf({ year: 2026, month: 9, day: 9 }, utc, fromMidnight, accepted)).toBe("gap");
    // 22:00 of the 28th in UTC is the 29th in Delhi.
    expect(kind(2024, 2, 29, kolkata)).toBe("hindcast");
    expect(kindOf({ year: 2024, month: 2, day: 29 }, utc, undefined, accepted)).toBe("unknown");
  });

  it("has the hours of its clock: 23 and 25 where it is changed, and none twice in steps", () => {
    const count = (month: number, day: number, step: number) =>
      hoursOf({ year: 2026, month, day }, berlin, step, undefined, accepted).length;
    expect([count(3, 29, 1), count(3, 28, 1), count(3, 29, 3)]).toEqual([23, 24, 8]);
    const far = { ...accepted, to: at("2027-01-01T00:00") };
    expect(hoursOf({ year: 2026, month: 10, day: 25 }, berlin, 1, undefined, far)).toHaveLength(25);
    const delhi = hoursOf({ year: 2026, month: 9, day: 15 }, kolkata, 6, undefined, accepted);
    expect(delhi.map(({ time }) => time)).toEqual([
      at("2026-09-14T18:30"),
      at("2026-09-15T00:30"),
      at("2026-09-15T06:30"),
      at("2026-09-15T12:30"),
    ]);
  });

  it("names the hours without data", () => {
    const hours = hoursOf({ year: 2026, month: 9, day: 22 }, utc, 6, spans, accepted);
    expect(hours.map(({ hasData }) => hasData)).toEqual([true, true, true, true]);
    const last = hoursOf({ year: 2026, month: 9, day: 22 }, utc, 1, spans, accepted);
    expect(last.findIndex(({ hasData }) => !hasData)).toBe(19);
  });
});
