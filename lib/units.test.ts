import { fromKnots, toKnots } from "@open-metocean/geo/knots";
import { describe, expect, it } from "vitest";
import { variable, variableNames } from "./catalog/variables.ts";
import { de } from "./messages/generated/de.ts";
import { en } from "./messages/generated/en.ts";
import { fr } from "./messages/generated/fr.ts";
import { ja } from "./messages/generated/ja.ts";
import type { Words } from "./messages/words.ts";
import {
  defaultUnits,
  fromBeaufort,
  numberIn,
  quantities,
  quantityOf,
  spokenIn,
  textIn,
  toBeaufort,
  unitFor,
  unitName,
  unitNames,
  unitsOf,
} from "./units.ts";

describe("speeds", () => {
  it("convert knots of 1852 metres an hour, both ways", () => {
    expect(toKnots(1852 / 3600)).toBe(1);
    expect(toKnots(fromKnots(34))).toBeCloseTo(34, 12);
  });

  it.each([
    [0.2, 0],
    [0.3, 1],
    [7.94, 4],
    [8.0, 5],
    [17.1, 7],
    [17.2, 8],
    [32.6, 11],
    [32.7, 12],
    [90, 12],
  ])("give %d m/s the force %d", (speed, force) => {
    expect(toBeaufort(speed)).toBe(force);
  });

  it("begin each force at its lower limit", () => {
    for (let force = 0; force <= 12; force++) expect(toBeaufort(fromBeaufort(force))).toBe(force);
  });
});

describe("numbers", () => {
  const shown = (value: number, answered: string, units: Partial<typeof defaultUnits>) =>
    textIn(value, unitFor(answered, { ...defaultUnits, ...units }, undefined, en));

  it("are shown in the unit chosen for their quantity", () => {
    expect(shown(10, "m/s", {})).toBe("19 kn");
    expect(shown(10, "m/s", { speed: "m/s" })).toBe("10.0 m/s");
    expect(shown(10, "m/s", { speed: "km/h" })).toBe("36 km/h");
    expect(shown(10, "m/s", { speed: "Bft" })).toBe("Bft 5");
    expect(shown(3, "m", { length: "ft" })).toBe("10 ft");
    expect(shown(-40, "°C", { temperature: "F" })).toBe("−40 °F");
    expect(shown(1013.25, "hPa", { pressure: "inHg" })).toBe("29.92 inHg");
    expect(shown(79.6, "%", {})).toBe("80%");
    expect(shown(8.04, "s", {})).toBe("8.0 s");
  });

  it("of a depth are whole, also in fathoms, which waves do not offer", () => {
    const chart = { ...defaultUnits, length: "fm" } as const;
    expect(textIn(1828.8, unitFor("m", chart, "deep", en))).toBe("1000 fm");
    expect(textIn(4213.4, unitFor("m", defaultUnits, "deep", en))).toBe("4213 m");
    expect(textIn(2.4, unitFor("m", chart, undefined, en))).toBe("2.4 m");
    expect(unitName("length", chart)).toBe("m");
    expect(unitNames("length", "deep")).toEqual(["m", "ft", "fm"]);
  });

  it("of a current have one more decimal, and are never in Beaufort", () => {
    const bft = { ...defaultUnits, speed: "Bft" } as const;
    expect(textIn(1.25, unitFor("m/s", bft, "slow", en))).toBe("2.4 kn");
    expect(textIn(1.25, unitFor("m/s", { ...bft, speed: "m/s" }, "slow", en))).toBe("1.25 m/s");
  });

  it("never show a negative zero", () => {
    expect(numberIn(-0.01, unitFor("°C", defaultUnits, undefined, en))).toBe("0.0");
  });

  it("convert back to the original", () => {
    for (const { units } of Object.values(quantities)) {
      for (const [name, unit] of Object.entries(units)) {
        if (name !== "Bft") expect(unit.from(unit.to(12.5))).toBeCloseTo(12.5, 9);
      }
    }
  });

  it("have a choice of units only where the quantity has one", () => {
    expect(quantityOf("m/s")).toBe("speed");
    expect(quantityOf("J/kg")).toBeUndefined();
  });
});

describe("in another language", () => {
  const shown = (value: number, answered: string, words: Words, units: Partial<typeof defaultUnits> = {}) => {
    const unit = unitFor(answered, { ...defaultUnits, ...units }, undefined, words);
    return [textIn(value, unit), spokenIn(value, unit)];
  };

  it("numbers and units are written and read aloud as there", () => {
    expect(shown(10, "m/s", fr)).toEqual(["19\u00a0nd", "19 nœuds"]);
    expect(shown(2.44, "m", de)).toEqual(["2,4 m", "2,4 Meter"]);
    expect(shown(79.6, "%", de)).toEqual(["80\u00a0%", "80 Prozent"]);
    expect(shown(10, "m/s", ja)).toEqual(["19 kt", "19ノット"]);
    expect(shown(10, "m/s", ja, { speed: "Bft" })).toEqual(["Bft 5", "ビューフォート5"]);
  });

  it("a unit has the same name in links", () => {
    const names = (words: Words) => unitsOf("speed", undefined, words).map(({ name }) => name);
    expect(names(fr)).toEqual(["kn", "m/s", "km/h", "Bft"]);
    expect(names(fr)).toEqual(names(en));
  });
});

it("every unit of the API has words", () => {
  for (const name of variableNames) {
    for (const { unit } of variable(name).outputs) {
      const { name: called } = unitFor(unit, defaultUnits, variable(name).reading, en);
      expect(Object.keys(en.catalog.units)).toContain(called);
    }
  }
});
