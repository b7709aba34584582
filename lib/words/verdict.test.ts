import { expect, it } from "vitest";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";

/** Every value that a sentence may have in it, as itself or by its name. */
const values: Record<string, unknown> = {
  ...Object.fromEntries(
    "age agency at basin bearing bulletins category clock count course distance earliest end first from hours id in48Hours in7Days invest knots last later latest likely longer max miles min minutes missing name ne now number nw other out over own position provider se shorter span speed stage state sw thresholdKt time title told until way when wind within year"
      .split(" ")
      .map((name) => [name, `«${name}»`]),
  ),
  kt: 30,
  method: "classic",
  estimated: true,
  semicircle: null,
  outlook: "expected",
  likelihood: "high",
  hidden: true,
  basins: ["«basins»"],
  toString: () => "«value»",
  join: () => "«value»",
  map: (each: (one: object) => unknown) => [each(values)],
};

/** What the sentences of a part have in them: times, distances, numbers. */
function valuesIn(part: object, path = ""): [path: string, values: string[]][] {
  return Object.entries(part).flatMap(([name, of]): [string, string[]][] => {
    if (typeof of === "object") return valuesIn(of, `${path}${name}.`);
    const text = JSON.stringify(typeof of === "function" ? of(values) : of);
    expect(text).not.toMatch(/undefined|null|\[object|""/);
    return [[path + name, [...new Set(text.match(/«\w+»|\b30\b/g))].sort()]];
  });
}

it("no language leaves a time, a distance or a number out of what it says of storms and the ship", () => {
  const expected = valuesIn({
    verdict: en.verdict,
    ship: en.ship,
    storms: en.storms,
    stormCard: en.stormCard,
  });
  expect(expected.flatMap(([, found]) => found).length).toBeGreaterThan(150);
  for (const { language, verdict, ship, storms, stormCard } of [fr, es, de, pt, ja, zh])
    expect([language, valuesIn({ verdict, ship, storms, stormCard })]).toEqual([language, expected]);
});
