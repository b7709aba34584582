import { expect, it } from "vitest";
import { en } from "#lib/messages/generated/en.ts";
import { formatBearing } from "#lib/position.ts";
import {
  areaName,
  bulletinSpan,
  bulletinState,
  coversTime,
  formatAlertMotion,
  formatChance,
  formatChanceLabel,
  formatMotion,
  formatStage,
  formatWind,
  formatWindRange,
  shortStage,
  stormName,
} from "./format-storm.ts";

it("names a storm without a name by its kind and number", () => {
  expect(stormName({ name: "DEMO ANA", is_invest: false, id: "AL012026" }, en)).toBe("DEMO ANA");
  expect(stormName({ name: null, is_invest: true, id: "EP902026" }, en)).toBe("Invest 90E (unnamed)");
  expect(stormName({ name: "INVEST", is_invest: true, id: "SH902026" }, en)).toBe("Invest 90 (unnamed)");
  expect(stormName({ name: null, is_invest: false, id: "WP072026" }, en)).toBe("WP07 (unnamed)");
});

it("writes the averaging time of a wind, and never 0 for an unknown one", () => {
  expect(formatWind({ vmax_kt: 104.6 }, { provider: "jtwc" }, en)).toBe("105 kn (1-minute mean)");
  expect(formatWind({ vmax_kt: 95 }, { provider: "jma" }, en)).toBe("95 kn (10-minute mean)");
  expect(formatWind({ vmax_kt: null }, { provider: "jma" }, en)).toBe("not estimated yet");
});

it("writes motion as a course and knots", () => {
  expect(formatMotion({ heading_deg: 7.4, speed_kmh: 20.4 }, en)).toBe("towards 007° at 11 kn");
  expect(formatMotion({ heading_deg: 90, speed_kmh: 0.5 }, en)).toBe("stationary");
  expect(formatMotion({ heading_deg: null, speed_kmh: null }, en)).toBe("not known");
  expect(formatBearing(359.6)).toBe("000°");
});

it("writes ages and stages", () => {
  expect([5, 49].map((hours) => bulletinSpan(0, hours * 3600, en))).toEqual(["5 h", "2 d"]);
  const strong = { type: "HU", category: 3, vmax_kt: 100 } as const;
  expect(
    ["AL222026", "WP212026", "SH062027"].map((id) => formatStage(strong, { id, provider: "jtwc" }, en)),
  ).toEqual(["Hurricane, category 3", "Typhoon, category 3", "Tropical cyclone, category 3"]);
  expect(formatStage(strong, { id: "WP212026", provider: "jma" }, en)).toBe("Typhoon, very strong");
  expect([shortStage(strong, { provider: "jma" }, en), shortStage(strong, { provider: "jtwc" }, en)]).toEqual(
    ["TY", "Cat. 3"],
  );
  const windless = { type: "HU", category: null, vmax_kt: null } as const;
  expect(shortStage(windless, { provider: "jtwc" }, en)).toBe("HU");
  expect([8, 10, 16].map((hours) => bulletinState(0, hours * 3600))).toEqual(["fresh", "late", "stale"]);
});

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
