import { expect, it } from "vitest";
import type { StormEntry } from "#lib/contract/storms.ts";
import { agedEntry, nextAge } from "./activity.ts";

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
