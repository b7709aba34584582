import { describe, expect, it } from "vitest";
import { formatInstant, parseInstant } from "#lib/time.ts";
import { regionalZone } from "#test/zones.ts";
import { utc, type Zone } from "./civil.ts";
import { parseTimeText } from "./parse-time.ts";

// A Monday.
const NOW = "2026-11-23T07:20:00Z";
const berlin = regionalZone("Europe/Berlin");
const kolkata = regionalZone("Asia/Kolkata");

function meant(text: string, zone: Zone = utc, now = NOW, shown = "2026-11-23T09:00:00Z"): string {
  const result = parseTimeText(text, { now: parseInstant(now), shown: parseInstant(shown), zone });
  return "fault" in result
    ? result.fault
    : [formatInstant(result.time), result.oddity].filter(Boolean).join(" ");
}

describe("in UTC", () => {
  it.each([
    ["now", "2026-11-23T07:00:00Z"],
    ["+12h", "2026-11-23T19:00:00Z"],
    ["now +12 h", "2026-11-23T19:00:00Z"],
    ["-3d", "2026-11-20T07:00:00Z"],
    ["−3d", "2026-11-20T07:00:00Z"],
    ["+1w", "2026-11-30T07:00:00Z"],
    ["in 2 days", "2026-11-25T07:00:00Z"],
    ["6 hours ago", "2026-11-23T01:00:00Z"],
    ["tomorrow 18:00", "2026-11-24T18:00:00Z"],
    ["Tomorrow at 6 pm", "2026-11-24T18:00:00Z"],
    ["tomorrow", "2026-11-24T09:00:00Z"],
    ["yesterday 24:00", "2026-11-23T00:00:00Z"],
    ["day after tomorrow noon", "2026-11-25T12:00:00Z"],
    ["tonight", "2026-11-23T21:00:00Z"],
    ["tonight 8", "2026-11-23T20:00:00Z"],
    // After midnight it is tomorrow.
    ["tonight 2", "2026-11-24T02:00:00Z"],
    ["tonight 2:30 am", "2026-11-24T02:30:00Z"],
    ["tonight 12", "2026-11-24T00:00:00Z"],
    ["tonight midnight", "2026-11-24T00:00:00Z"],
    ["tonight 24:00", "2026-11-24T00:00:00Z"],
    ["fri 6", "2026-11-27T06:00:00Z"],
    ["Friday 06:30", "2026-11-27T06:30:00Z"],
    ["weds 6h", "2026-11-25T06:00:00Z"],
    ["last thursday 1800", "2026-11-19T18:00:00Z"],
    // It is Monday, 07:20.
    ["mon 6", "2026-11-30T06:00:00Z"],
    ["mon 8", "2026-11-23T08:00:00Z"],
    ["next mon 8", "2026-11-30T08:00:00Z"],
    ["mon", "2026-11-23T09:00:00Z"],
    ["18", "2026-11-23T18:00:00Z"],
    ["18h", "2026-11-23T18:00:00Z"],
    ["18h30", "2026-11-23T18:30:00Z"],
    ["12 am", "2026-11-23T00:00:00Z"],
    ["2026-11-24 18:00", "2026-11-24T18:00:00Z"],
    ["2026-11-24T18:00:00Z", "2026-11-24T18:00:00Z"],
    ["2026-11-24", "2026-11-24T09:00:00Z"],
    ["24.11. 18h", "2026-11-24T18:00:00Z"],
    ["24.11 18", "2026-11-24T18:00:00Z"],
    ["24.11.2024 18:00", "2024-11-24T18:00:00Z"],
    ["24/11/25 18:00", "2025-11-24T18:00:00Z"],
    ["24 nov 18:00", "2026-11-24T18:00:00Z"],
    ["November 24, 2025 18z", "2025-11-24T18:00:00Z"],
    ["nov 24 18", "2026-11-24T18:00:00Z"],
    ["Tue 15 Sep 2026 12:00 UTC (+6 h)", "2026-09-15T12:00:00Z"],
    ["Tue 15 Sep 2026 12:00 UTC (T+6 h)", "2026-09-15T12:00:00Z"],
    ["tue 24.11. 18h", "2026-11-24T18:00:00Z"],
    // The nearest year, over New Year and to a leap day.
    ["2.1. 6h", "2027-01-02T06:00:00Z"],
    ["1 jul", "2026-07-01T09:00:00Z"],
    ["29.2.", "2024-02-29T09:00:00Z"],
    ["29 feb 2024 6", "2024-02-29T06:00:00Z"],
  ])("%s", (text, time) => {
    expect(meant(text)).toBe(time);
  });

  it.each([
    ["", "unknown"],
    ["soon", "unknown"],
    ["25:00", "unknown"],
    ["18:60", "unknown"],
    ["13 pm", "unknown"],
    ["tomorrow soon", "unknown"],
    ["fri 6 or 7", "unknown"],
    ["29.2.2026", "no-such-date"],
    ["31 apr 12h", "no-such-date"],
    ["24.13.", "no-such-date"],
    ["2026-00-10", "no-such-date"],
  ])("says why %j means nothing", (text, fault) => {
    expect(meant(text)).toBe(fault);
  });

  it("takes an hour of the night as the next one", () => {
    expect(meant("tonight 2", utc, "2026-11-23T01:00:00Z")).toBe("2026-11-23T02:00:00Z");
    expect(meant("tonight 2", utc, "2026-11-23T22:00:00Z")).toBe("2026-11-24T02:00:00Z");
    // What has passed of the evening is that of today.
    expect(meant("tonight 8", utc, "2026-11-23T22:00:00Z")).toBe("2026-11-23T20:00:00Z");
  });

  it("takes a day without a year over New Year as the nearest one", () => {
    expect(meant("1.1. 6h", utc, "2026-12-30T12:00:00Z")).toBe("2027-01-01T06:00:00Z");
    expect(meant("30 dec 6", utc, "2027-01-02T12:00:00Z")).toBe("2026-12-30T06:00:00Z");
    expect(meant("tomorrow 6", utc, "2026-12-31T12:00:00Z")).toBe("2027-01-01T06:00:00Z");
    expect(meant("tomorrow 6", utc, "2028-02-28T12:00:00Z")).toBe("2028-02-29T06:00:00Z");
  });
});

describe("by another clock", () => {
  it("takes hours and days of that clock, and UTC where the text says so", () => {
    expect(meant("tomorrow 18:00", berlin)).toBe("2026-11-24T17:00:00Z");
    expect(meant("tomorrow 18z", berlin)).toBe("2026-11-24T18:00:00Z");
    expect(meant("tomorrow 18:00 UTC", berlin)).toBe("2026-11-24T18:00:00Z");
    expect(meant("15 sep 2026 12:00 UTC−3:30", berlin)).toBe("2026-09-15T15:30:00Z");
    expect(meant("tomorrow 18:00", kolkata)).toBe("2026-11-24T12:30:00Z");
    // 00:30 of the 24th over there.
    expect(meant("today 6", kolkata, "2026-11-23T19:00:00Z")).toBe("2026-11-24T00:30:00Z");
    expect(meant("+12h", kolkata)).toBe("2026-11-23T19:00:00Z");
  });

  it("says where the clock is put forward or back, and keeps it by days", () => {
    expect(meant("29.3.2026 2:30", berlin)).toBe("2026-03-29T01:30:00Z skipped");
    expect(meant("25.10.2026 2:30", berlin)).toBe("2026-10-25T00:30:00Z twice");
    expect(meant("+1d", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T10:00:00Z");
    expect(meant("+24h", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T11:00:00Z");
    expect(meant("tomorrow 12", berlin, "2026-03-28T11:00:00Z")).toBe("2026-03-29T10:00:00Z");
  });
});
