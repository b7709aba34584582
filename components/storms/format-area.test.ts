import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import {
  areaName,
  coversTime,
  formatAlertMotion,
  formatChance,
  formatChanceLabel,
  formatWindRange,
} from "./format-area.ts";

const nhc = { likelihood: "high", within_hours: 168, percent_48h: 50, percent_7d: 80 } as const;
const jtwc = { likelihood: "low", within_hours: 24, percent_48h: null, percent_7d: null } as const;

it("says a likelihood as its agency does, with its time: percents or a word", () => {
  expect(formatChance(nhc, en)).toBe("High likelihood: 50 % in 48 h, 80 % in 7 days");
  expect(formatChance({ ...nhc, likelihood: "low", percent_48h: 0, percent_7d: 20 }, en)).toBe(
    "Low likelihood: 0 % in 48 h, 20 % in 7 days",
  );
  expect(formatChance(jtwc, en)).toBe("Low likelihood within 24 h");
  expect(formatChanceLabel(nhc, en)).toBe("High: 80 % in 7 days");
  expect(formatChanceLabel(jtwc, en)).toBe("Low within 24 h");
});

it("names an area by what its agency calls it", () => {
  expect(areaName({ name: "Central Tropical Atlantic", designation: "95L" }, en)).toBe(
    "Central Tropical Atlantic (Invest 95L)",
  );
  expect(areaName({ name: null, designation: "92W" }, en)).toBe("Invest 92W");
  expect(areaName({ name: null, designation: null }, en)).toBe("Disturbance without a number");
});

it("writes winds and motion, and what is not stated as such", () => {
  expect(formatWindRange({ min: 20, max: 25 }, en)).toBe("20 to 25 kn (1-minute mean)");
  expect(formatWindRange({ min: 25, max: 25 }, en)).toBe("25 kn (1-minute mean)");
  expect(formatWindRange(null, en)).toBe("not stated");
  expect(formatAlertMotion(292.5, 14.8, en)).toBe("towards 293° at 8 kn");
  expect([formatAlertMotion(null, 0, en), formatAlertMotion(null, null, en)]).toEqual([
    "stationary",
    "not stated",
  ]);
});

it("an expectation covers the hours that it is for, and no others", () => {
  const issued_at = 1_000_000;
  const covers = (hours: number) => coversTime({ issued_at, within_hours: 24 }, issued_at + hours * 3600);
  expect([-7, -5, 0, 24, 25].map(covers)).toEqual([false, true, true, true, false]);
});
