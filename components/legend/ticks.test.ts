import { expect, it } from "vitest";
import { windLines } from "#lib/catalog/variables.ts";
import { en } from "#lib/messages/generated/en.ts";
import { defaultUnits, unitFor } from "#lib/units.ts";
import { legendTicks, limitTicks, spacedTicks } from "./ticks.ts";

const wind: readonly [number, number] = [0, 32];

it.each([
  ["m/s", { speed: "kn" }, wind, ["0", "10", "20", "30", "40", "50", "60"], [2, 10.2889]],
  ["m/s", { speed: "m/s" }, wind, ["0", "5", "10", "15", "20", "25", "30"], [2, 10]],
  ["m/s", { speed: "Bft" }, wind, ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9", "10", "11"], [5, 8]],
  ["°C", { temperature: "C" }, [-2, 33], ["0", "5", "10", "15", "20", "25", "30"], [0, 0]],
  ["°C", { temperature: "F" }, [-40, 0], ["−40", "−20", "0", "20"], [0, -40]],
  ["m/s", { speed: "m/s" }, [0, 2], ["0.0", "0.5", "1.0", "1.5", "2.0"], [1, 0.5]],
  ["hPa", { pressure: "hPa" }, [950, 1050], ["960", "980", "1000", "1020", "1040"], [2, 1000]],
] as const)(
  "places the numbers of a scale in %s shown as %j over %j at their values",
  (answered, units, range, texts, at) => {
    const ticks = legendTicks(unitFor(answered, { ...defaultUnits, ...units }, undefined, en), range);
    expect(ticks.map(({ text }) => text)).toEqual(texts);
    expect(ticks[at[0]]?.value).toBeCloseTo(at[1], 3);
  },
);

it.each([
  ["kn", ["0", "22", "34", "48", "64"]],
  ["m/s", ["0.0", "11.3", "17.5", "24.7", "32.9"]],
  ["km/h", ["0", "41", "63", "89", "119"]],
  ["Bft", ["0", "6", "8", "10", "12"]],
] as const)("names the limits of wind on its scale, as numbers in %s", (speed, texts) => {
  const ticks = limitTicks(unitFor("m/s", { ...defaultUnits, speed }, undefined, en), 0, windLines.at);
  expect(ticks.map(({ text }) => text)).toEqual(texts);
  expect(ticks.map(({ name }) => name)).toEqual([undefined, "strong", "gale", "storm", "hurricane"]);
});

it("leaves out numbers that would touch on a narrow strip, but no limit", () => {
  const texts = (units: object, width: number) => {
    const unit = unitFor("m/s", { ...defaultUnits, ...units }, undefined, en);
    return spacedTicks(legendTicks(unit, wind), wind, width).map(({ text }) => text);
  };
  expect(texts({ speed: "kn" }, 192)).toHaveLength(7);
  expect(texts({ speed: "Bft" }, 128)).not.toContain("1");
  const limits = [0, 1, 2].map((value) => ({ value, text: `${value}`, name: "gale" as const }));
  expect(spacedTicks(limits, wind, 128)).toEqual(limits);
});
