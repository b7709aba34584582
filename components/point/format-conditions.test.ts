import { expect, it } from "vitest";
import { variable } from "#lib/catalog/variables.ts";
import { formatBearing } from "#lib/position.ts";
import { defaultUnits } from "#lib/units.ts";
import { formatAbsent, formatValue, keyValues, nullReason, peekParts } from "./format-conditions.ts";

const output = (name: "wind" | "current" | "temp", index: number) => variable(name).outputs[index]!;
const spokenLines = (conditions: Record<string, number | null>, units = defaultUnits) =>
  keyValues(conditions, units).map(({ spoken }) => spoken);

it("states why a value is missing, and never shows 0 for it", () => {
  const meta = {
    provenance: [],
    nulls: [{ variable: "wave" as const, reason: "land" as const, points: [0] }],
  };
  expect(formatAbsent(nullReason(meta, "wave"))).toBe("— not available (land in the model)");
  expect(formatAbsent(nullReason(meta, "wave"), true)).toBe("— not available (on land)");
  expect(formatAbsent(nullReason(meta, "wind"))).toBe("— not available");
  expect(spokenLines({ Winds_10m_Intensity: null })[0]).toBe("Wind not available.");
});

it("shows wind in the unit chosen, a current never in Beaufort, other quantities in their own unit", () => {
  expect(formatValue(10, output("wind", 1), "wind", { ...defaultUnits, speed: "Bft" })).toBe("Bft 5");
  expect(formatValue(1.25, output("current", 1), "current", { ...defaultUnits, speed: "Bft" })).toBe(
    "2.4 kn",
  );
  expect(formatValue(1.25, output("current", 1), "current", { ...defaultUnits, speed: "m/s" })).toBe(
    "1.25 m/s",
  );
  expect(formatValue(-3.5, output("temp", 0), "temp", defaultUnits)).toBe("−3.5 °C");
  expect(formatValue(359.7, output("wind", 0), "wind", defaultUnits)).toBe("000° (north)");
  expect(formatBearing(7.2)).toBe("007°");
});

it("describes winds and waves by where they come from, currents by where they flow to", () => {
  const conditions = {
    Winds_10m_Direction: 249,
    Winds_10m_Intensity: 14.4,
    Gust_10m: 18,
    Waves_Significant_Height: 5,
    Waves_Mean_Direction: 250,
    Waves_Mean_Period: 8.4,
    Currents_Direction: 100,
    Currents_Intensity: 0.154,
  };
  expect(keyValues(conditions, defaultUnits).map(({ text }) => text)).toEqual([
    "28 kn from west-southwest (249°), gusts 35 kn",
    "5.0 m, 8.4 s from west-southwest (250°)",
    "0.3 kn setting east (100°)",
  ]);
});

it("speaks the same numbers as the panel displays", () => {
  expect(spokenLines({ Winds_10m_Direction: 247.5, Winds_10m_Intensity: 9.26 })[0]).toBe(
    "Wind 18 knots from west-southwest.",
  );
  expect(
    spokenLines({ Winds_10m_Direction: null, Winds_10m_Intensity: 0 }, { ...defaultUnits, speed: "m/s" })[0],
  ).toBe("Wind 0.0 metres per second.");
});

it("writes the shortest line as sailors do, with a unit wherever it is not knots", () => {
  const conditions = {
    Winds_10m_Direction: 293,
    Winds_10m_Intensity: 11.3,
    Gust_10m: 13.9,
    Waves_Significant_Height: 5.2,
    Waves_Mean_Direction: 268,
    Waves_Mean_Period: 8.7,
    Currents_Direction: 100,
    Currents_Intensity: 0.1,
  };
  const line = (units = defaultUnits, of: Record<string, number | null> = conditions) =>
    peekParts(of, units)
      .map(({ text }) => text)
      .join(" · ");
  expect(line()).toBe("WNW 22 G27 · 5.2 m 9 s W · set 100° 0.2");
  expect(line({ ...defaultUnits, speed: "m/s", length: "ft" })).toBe(
    "WNW 11.3 m/s G13.9 · 17 ft 9 s W · set 100° 0.10 m/s",
  );
  expect(line({ ...defaultUnits, speed: "Bft" })).toContain("WNW Bft 6 G7");
  expect(line(defaultUnits, { Winds_10m_Direction: null, Winds_10m_Intensity: 0 })).toBe("0");
});
