import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { en } from "#lib/messages/generated/en.ts";
import { parseInstant } from "#lib/time.ts";
import { drawableRun } from "#test/map.ts";
import { offlineText, staleNotice } from "./connection-notice.tsx";

const saved = parseInstant("2026-01-01T05:40:00Z");

it.each([
  [false, saved, 3600, "Offline. Showing data saved 05:40 UTC."],
  [true, saved, 3600, "The server cannot be reached. Showing data saved 05:40 UTC."],
  // Half a day later an hour without a date would be taken for today's.
  [false, saved, 13 * 3600, "Offline. Showing data saved Thu 1 Jan 05:40 UTC."],
  [false, undefined, 0, "Offline. What is shown was read before."],
])("says of when the data is: online %s, saved %s, %s s ago", (online, savedAt, age, text) => {
  expect(offlineText(online, savedAt, saved + age, utc)).toBe(text);
});

it("warns of an old forecast in amber, of one twelve hours older in red, and not of a fresh one or a hindcast", () => {
  const run = drawableRun({ reference_time: "2026-01-01T12:00:00Z", rhythm: { every: 6, delay: 6 } });
  const after = (hours: number) => parseInstant(run.reference_time) + hours * 3600;
  expect(staleNotice(run, after(18), undefined, en)).toBeUndefined();
  const amber = { text: "Forecast is 20 h old (GFS, 12Z).", grave: false };
  expect(staleNotice(run, after(20), undefined, en)).toEqual(amber);
  expect(staleNotice(run, after(31), undefined, en)?.grave).toBe(true);
  expect(staleNotice({ ...run, dataset: "Hindcast-3M" }, after(900), undefined, en)).toBeUndefined();
  // A past hour that was forecast when the run was new is not stale.
  expect(staleNotice(run, after(900), after(3), en)).toBeUndefined();
  expect(staleNotice(undefined, 0, undefined, en)).toBeUndefined();
});
