import { expect, it } from "vitest";
import { zoneOf } from "#components/view-state/civil.ts";
import { parseInstant } from "#lib/time.ts";
import { en } from "#test/all-words.ts";
import { utc } from "#test/zones.ts";
import { formatApproach, formatArrival, formatClearance } from "./format-approach.ts";

const until = parseInstant("2026-09-18T06:00:00Z");
const approach = (time: number) => ({
  time,
  km: 2215,
  bearing: 271,
  galeKm: 300,
  estimated: false,
  coneKm: null,
  clearanceKm: 1915,
  semicircle: "dangerous" as const,
});
const found = (time: number) => ({
  closest: approach(time),
  minClearance: approach(time),
  from: until - 72 * 3600,
  until,
});
const window = {
  thresholdKt: 34,
  outlook: "expected" as const,
  earliest: parseInstant("2026-09-16T04:58:00Z"),
  likely: parseInstant("2026-09-16T07:31:00Z"),
  latest: parseInstant("2026-09-16T09:02:00Z"),
  ends: parseInstant("2026-09-17T01:01:00Z"),
  radiiUntil: until,
};

it("a storm that comes nearer until the last forecast point is still closing, not closest there", () => {
  expect(formatApproach(found(until), utc)).toBe(
    "Its centre is still closing when the forecast ends (Fri 18 Sep 06:00): 1,196 n mi, bearing 271°, you are in the dangerous semicircle.",
  );
  expect(formatApproach(found(until - 7000), utc)).toContain("Its centre is closest Fri 18 Sep 04:00: 1,196");
  expect(formatClearance(found(until), 34, utc)).toContain(
    "Least clearance 1,034 n mi when the forecast ends (Fri 18 Sep 06:00), and still shrinking, with 34 kn",
  );
  expect(formatClearance(found(until - 7000), 34, utc)).toContain("1,034 n mi Fri 18 Sep 04:00, with");
});

it("a storm that moves away is closest now, not at the next whole hour", () => {
  const from = until - 72 * 3600 + 2400;
  const away = { ...found(from), from };
  expect(formatApproach(away, utc)).toContain("Its centre is closest now: 1,196 n mi");
  expect(formatClearance(away, 34, utc)).toContain("Least clearance 1,034 n mi now, with");
  const inside = { ...away, minClearance: { ...away.minClearance, clearanceKm: -92.6 } };
  expect(formatClearance(inside, 34, utc)).toContain("You may be inside by 50 n mi now, with");
});

it("a wind that is not expected is so until the forecast ends, which does not say that it comes then", () => {
  const none = { ...window, outlook: "not expected" as const, earliest: null, likely: null };
  expect(formatArrival(none, until, utc)).toBe(
    "34 kn winds: not expected before the forecast ends (Fri 18 Sep 06:00)",
  );
});

it("times of storms are whole hours: the earliest before, the latest and the end after", () => {
  expect(formatArrival(window, until, utc)).toBe(
    "34 kn winds: expected, earliest Wed 16 Sep 04:00, likely Wed 16 Sep 08:00, latest Wed 16 Sep 10:00, over by Thu 17 Sep 02:00",
  );
  const india = { words: en, offset: () => 5.5 * 3600, label: () => "UTC+5:30" };
  expect(formatArrival(window, until, india)).toContain("earliest Wed 16 Sep 10:00, likely Wed 16 Sep 13:00");
  expect(formatArrival(window, until, zoneOf("ship", -45, en))).toContain("earliest Wed 16 Sep 01:00");
});
