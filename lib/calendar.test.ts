import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";
import { type CalendarEvent, calendarText } from "./calendar.ts";

const event: CalendarEvent = {
  uid: "0199aaaa-0000-7000-8000-000000000001-20261231@sea.example.org",
  from: Date.UTC(2026, 11, 31, 18) / 1000,
  to: Date.UTC(2027, 0, 2, 6) / 1000,
  summary: "Ouessant, 風が弱い; “36 h” \\o/ ⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵⛵",
  description: "Wind under 20 kn, sea under 1.5 m.\nNot for navigation.\r\nBEGIN:VALARM",
  url: "https://sea.example.org/?p=48.45,-5.10&t=2027-01-01T00:00Z",
  updatedAt: Date.UTC(2026, 11, 30, 5, 12, 9) / 1000,
};

const lines = (text: string) => text.replaceAll("\r\n ", "").split("\r\n");

it("writes times in UTC, over New Year too", () => {
  expect(lines(calendarText("Windows", [event]))).toEqual(
    expect.arrayContaining([
      "DTSTART:20261231T180000Z",
      "DTEND:20270102T060000Z",
      "DTSTAMP:20261230T051209Z",
    ]),
  );
});

it("has at least one component, as RFC 5545 asks of every calendar, and an alarm where one is wanted", () => {
  const none = lines(calendarText("Windows", []));
  expect(none).toEqual(expect.arrayContaining(["BEGIN:VTIMEZONE", "TZID:UTC", "END:VTIMEZONE"]));
  expect(lines(calendarText("Windows", [event]))).not.toContain("BEGIN:VALARM");
  const alarm = lines(calendarText("Windows", [{ ...event, summary: "High\nwater", alarmMinutes: 20 }]));
  expect(alarm.slice(alarm.indexOf("BEGIN:VALARM"), alarm.indexOf("END:VALARM"))).toEqual([
    "BEGIN:VALARM",
    "ACTION:DISPLAY",
    "TRIGGER:-PT20M",
    "DESCRIPTION:High\\nwater",
  ]);
});

it("ends every line with CR LF, has none of more than 75 octets, and divides no character", () => {
  const text = calendarText("風".repeat(80), [event, { ...event, summary: `a${"é".repeat(200)}` }]);
  const raw = text.split("\r\n");
  expect(raw.pop()).toBe("");
  expect(text.replaceAll("\r\n", "")).not.toMatch(/[\r\n]/);
  const lengths = raw.map((line) => Buffer.byteLength(line));
  expect(Math.max(...lengths)).toBeLessThanOrEqual(75);
  expect(Math.max(...lengths)).toBeGreaterThan(72);
  for (const line of raw) expect(Buffer.from(line).toString()).toBe(line);
  expect(lines(text)).toContain(`SUMMARY:a${"é".repeat(200)}`);
});

it("lets no text end its line or add another", () => {
  const text = calendarText("a\nEND:VCALENDAR", [event]);
  expect(lines(text).filter((line) => /^(BEGIN:VALARM|END:VCALENDAR)/.test(line))).toEqual(["END:VCALENDAR"]);
  expect(lines(text)).toContain(
    "DESCRIPTION:Wind under 20 kn\\, sea under 1.5 m.\\nNot for navigation.\\nBEGIN:VALARM",
  );
});

const python = spawnSync("/usr/bin/python3", ["-c", "import icalendar"]);

/** Reads the text with the Python library icalendar, an independent implementation. */
const reader = `
import sys, json, icalendar
calendar = icalendar.Calendar.from_ical(sys.stdin.buffer.read())
print(json.dumps([calendar.errors, str(calendar["X-WR-CALNAME"]), [
  {"uid": str(e["UID"]), "from": int(e["DTSTART"].dt.timestamp()), "to": int(e["DTEND"].dt.timestamp()),
   "summary": str(e["SUMMARY"]), "description": str(e["DESCRIPTION"]), "url": str(e["URL"]),
   "updatedAt": int(e["DTSTAMP"].dt.timestamp()), "zone": str(e["DTSTART"].dt.tzinfo), "errors": e.errors}
  for e in calendar.walk("VEVENT")]]))
`;

it.skipIf(python.status !== 0)("is read by another program with every value as it was", () => {
  const other = { ...event, uid: "b@sea", summary: "a,b;c\\d", description: "é".repeat(300) };
  const input = calendarText("Fenêtres, météo", [event, other]);
  const { stdout, stderr } = spawnSync("/usr/bin/python3", ["-c", reader], { input, encoding: "utf8" });
  expect(stderr).toBe("");
  const asRead = (each: CalendarEvent) => ({
    ...each,
    description: each.description.replaceAll("\r\n", "\n"),
    zone: "UTC",
    errors: [],
  });
  expect(JSON.parse(stdout)).toEqual([[], "Fenêtres, météo", [asRead(event), asRead(other)]]);
});
