import { expect, it } from "vitest";
import { variable } from "#lib/catalog/variables.ts";
import { de } from "#lib/messages/generated/de.ts";
import { en } from "#lib/messages/generated/en.ts";
import { fr } from "#lib/messages/generated/fr.ts";
import { ja } from "#lib/messages/generated/ja.ts";
import { formatBearing } from "#lib/position.ts";
import { defaultUnits } from "#lib/units.ts";
import { formatAbsent, formatValue, keyValues, nullReason, peekParts } from "./format-conditions.ts";

const output = (name: "wind" | "current" | "temp", index: number) => variable(name).outputs[index]!;
const spokenLines = (conditions: Record<string, number | null>, units = defaultUnits) =>
  keyValues(conditions, units, en).map(({ spoken }) => spoken);

it("states why a value is missing, and never shows 0 for it", () => {
  const meta = {
    provenance: [],
    nulls: [{ variable: "wave" as const, reason: "land" as const, points: [0] }],
  };
  expect(formatAbsent(nullReason(meta, "wave"), false, en)).toBe("— not available (land in the model)");
  expect(formatAbsent(nullReason(meta, "wave"), true, en)).toBe("— not available (on land)");
  expect(formatAbsent(nullReason(meta, "wind"), false, en)).toBe("— not available");
  expect(spokenLines({ Winds_10m_Intensity: null })[0]).toBe("Wind not available.");
});

it("shows wind in the unit chosen, a current never in Beaufort, other quantities in their own unit", () => {
  expect(formatValue(10, output("wind", 1), "wind", { ...defaultUnits, speed: "Bft" }, en)).toBe("Bft 5");
  expect(formatValue(1.25, output("current", 1), "current", { ...defaultUnits, speed: "Bft" }, en)).toBe(
    "2.4 kn",
  );
  expect(formatValue(1.25, output("current", 1), "current", { ...defaultUnits, speed: "m/s" }, en)).toBe(
    "1.25 m/s",
  );
  expect(formatValue(-3.5, output("temp", 0), "temp", defaultUnits, en)).toBe("−3.5 °C");
  expect(formatValue(359.7, output("wind", 0), "wind", defaultUnits, en)).toBe("000° (north)");
  expect(formatBearing(7.2)).toBe("007°");
});

const rough = {
  Winds_10m_Direction: 249,
  Winds_10m_Intensity: 14.4,
  Gust_10m: 18,
  Waves_Significant_Height: 5,
  Waves_Mean_Direction: 250,
  Waves_Mean_Period: 8.4,
  Currents_Direction: 100,
  Currents_Intensity: 0.154,
};

it("describes winds and waves by where they come from, currents by where they flow to", () => {
  expect(keyValues(rough, defaultUnits, en).map(({ text }) => text)).toEqual([
    "28 kn, WSW 249°, gusts 35 kn",
    "5.0 m, WSW 250°, 8.4 s",
    "0.3 kn, set 100°",
  ]);
  expect(keyValues(rough, defaultUnits, en).map(({ towards }) => towards)).toEqual([69, 70, 100]);
});

it("describes them with the comma, the units and the points of the compass of a language", () => {
  expect(keyValues(rough, defaultUnits, de)[1]?.spoken).toBe(
    "Wellen: 5,0 Meter, 8,4 Sekunden aus Westsüdwest.",
  );
  expect([de, fr, ja].map((words) => keyValues(rough, defaultUnits, words)[0]?.text)).toEqual([
    "28 kn, WSW 249°, Böen 35 kn",
    "28\u00a0nd, OSO 249°, rafales 35\u00a0nd",
    "28 kt、西南西 249°、突風 35 kt",
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

it("writes the shortest line as sailors do, with units", () => {
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
    peekParts(of, units, en)
      .map(({ text }) => text)
      .join(" · ");
  expect(line()).toBe("WNW 22 G27 kn · 5.2 m 9 s · set 100° 0.2 kn");
  expect(line({ ...defaultUnits, speed: "m/s", length: "ft" })).toBe(
    "WNW 11.3 G13.9 m/s · 17 ft 9 s · set 100° 0.10 m/s",
  );
  expect(line({ ...defaultUnits, speed: "Bft" })).toContain("WNW Bft 6 G7");
  expect(line(defaultUnits, { Winds_10m_Direction: null, Winds_10m_Intensity: 0 })).toBe("0 kn");
});
