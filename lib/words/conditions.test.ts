import { expect, it } from "vitest";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

const lists = {
  mentions: [{ name: "«gusts»", value: "«gust»" }],
  dashed: ["«dashed»"],
  limits: ["«limit»"],
  between: ["«before»", "«after»"],
};

/** What a sentence is given: a value of each name, or a text or a list of texts itself. */
const given = new Proxy(lists, {
  get: (target, name) => {
    if (name in target) return target[name as keyof typeof lists];
    if (name === "join" || name === "toLowerCase") return () => "«itself»";
    return typeof name === "symbol" ? () => "«itself»" : `«${name}»`;
  },
});

/** The values that each sentence of a part has in it. */
function valuesIn(part: object, path = ""): [path: string, values: string[]][] {
  return Object.entries(part).flatMap(([name, of]): [string, string[]][] => {
    if (typeof of === "object") return valuesIn(of, `${path}${name}.`);
    const text: string = typeof of === "function" ? of(given) : of;
    expect([path + name, text]).not.toEqual([path + name, ""]);
    return [[path + name, [...new Set(text.match(/«\w+»/g))].sort()]];
  });
}

it("no language leaves a value out of what it says of conditions, the map and the legend", () => {
  const expected = valuesIn({ map: en.map, point: en.point, legend: en.legend });
  expect(expected.flatMap(([, values]) => values).length).toBeGreaterThan(80);
  for (const { language, map, point, legend } of [fr, es, de, pt, ja, zh]) {
    expect([language, valuesIn({ map, point, legend })]).toEqual([language, expected]);
  }
});

it("the direction of a current has its bearing in every language", () => {
  const current = { value: "1 kn", period: undefined, from: undefined, bearing: "100°", mentions: [] };
  for (const { point } of [en, fr, es, de, pt, ja, zh]) {
    expect(point.line({ ...current, towards: "«east»" })).toMatch(/«east»[ （(]+100°/);
  }
});
