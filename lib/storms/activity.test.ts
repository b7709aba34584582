import { expect, it } from "vitest";
import { BASE, bulletin, fix } from "../../test/storm-feed.ts";
import { agedEntry, nextAge, removedStorms } from "./activity.ts";
import type { StormEntry } from "./schema.ts";

const DAY = 24 * 3600;

it("remembers a storm that ended and was removed by its last fix, for two weeks", () => {
  const ended = bulletin({ isFinal: true, ended: { by: "text", at: BASE } });
  const removed = removedStorms([], [ended], [], BASE + 2 * DAY);
  expect(removed).toEqual([{ ...ended, observed: [fix(0, 20, 180)] }]);
  expect(removedStorms(removed, [], [], BASE + 14 * DAY)).toEqual(removed);
  expect(removedStorms(removed, [], [], BASE + 14 * DAY + 1)).toEqual([]);
  // One that is published again, and one that never ended, are not.
  expect(removedStorms(removed, [], [bulletin()], BASE + 3 * DAY)).toEqual([]);
  expect(removedStorms([], [bulletin()], [], BASE + 2 * DAY)).toEqual([]);
});

const HOUR = 3600;
const issued = Date.parse("2026-09-25T00:00:00Z") / 1000;
const development = {
  likelihood: "high",
  within_hours: 24,
  percent_48h: null,
  percent_7d: null,
  issued_at: issued,
} as const;

it("the development of an invest lapses with its outlook, also while no refresh runs", () => {
  const entry = { is_invest: true, is_active: true, development, tracks: { observed: [] } };
  const of = entry as unknown as StormEntry;
  expect(agedEntry(of, issued + 48 * HOUR).development).toEqual(development);
  expect(nextAge(of, issued + 40 * HOUR)).toBe(issued + 48 * HOUR + 1);
  expect(agedEntry(of, issued + 48 * HOUR + 1).development).toBeUndefined();
});
