import { expect, it } from "vitest";
import { utc } from "#components/view-state/civil.ts";
import { parseInstant } from "#lib/time.ts";
import { offlineText } from "./connection-notice.tsx";

const saved = parseInstant("2026-01-01T05:40:00Z");

it.each([
  [false, saved, 3600, "Offline. Showing data saved 05:40 UTC."],
  [true, saved, 3600, "The server cannot be reached. Showing data saved 05:40 UTC."],
  // Half a day later the hour alone would be taken for today's.
  [false, saved, 13 * 3600, "Offline. Showing data saved Thu 1 Jan 05:40 UTC."],
  [false, undefined, 0, "Offline. What is shown was read before."],
])("says of when the data is: online %s, saved %s, %s s ago", (online, savedAt, age, text) => {
  expect(offlineText(online, savedAt, saved + age, utc)).toBe(text);
});
