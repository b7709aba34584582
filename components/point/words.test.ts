import { expect, it } from "vitest";
import { absentText, nullReason, spokenWind, valueText } from "#components/point/words.ts";
import { variable } from "#lib/catalog/variables.ts";
import { defaultUnits } from "#lib/units.ts";

const output = (name: "wind" | "current" | "temp", index: number) => variable(name).outputs[index]!;

it("says why a value is absent, and never shows 0 for it", () => {
  const meta = {
    provenance: [],
    nulls: [{ variable: "wave" as const, reason: "land" as const, points: [0] }],
  };
  expect(absentText(nullReason(meta, "wave"))).toBe("— not available (on land)");
  expect(absentText(nullReason(meta, "wind"))).toBe("— not available");
  expect(spokenWind({ Winds_10m_Intensity: null }, defaultUnits)).toBe("Wind not available.");
});

it("shows wind in the unit chosen, a current never in Beaufort, other quantities in their own unit", () => {
  expect(valueText(10, output("wind", 1), "wind", { ...defaultUnits, speed: "Bft" })).toBe("Bft 5");
  expect(valueText(1.25, output("current", 1), "current", { ...defaultUnits, speed: "Bft" })).toBe("2.4 kn");
  expect(valueText(1.25, output("current", 1), "current", { ...defaultUnits, speed: "m/s" })).toBe(
    "1.25 m/s",
  );
  expect(valueText(-3.5, output("temp", 0), "temp", defaultUnits)).toBe("−3.5 °C");
  expect(valueText(359.7, output("wind", 0), "wind", defaultUnits)).toBe("0° (north)");
});

it("speaks the same numbers as the panel shows", () => {
  expect(spokenWind({ Winds_10m_Direction: 247.5, Winds_10m_Intensity: 9.26 }, defaultUnits)).toBe(
    "Wind 18 knots from west-southwest.",
  );
  expect(
    spokenWind({ Winds_10m_Direction: null, Winds_10m_Intensity: 0 }, { ...defaultUnits, speed: "m/s" }),
  ).toBe("Wind 0.0 metres per second.");
});
