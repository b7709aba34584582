import { expect, it } from "vitest";
import { de } from "./de.ts";
import { en } from "./en.ts";
import { es } from "./es.ts";
import { fr } from "./fr.ts";
import { ja } from "./ja.ts";
import { pt } from "./pt.ts";
import { zh } from "./zh.ts";

/** Every value that a sentence may have in it, as itself or by its name. */
const values = {
  ...Object.fromEntries(
    "age at bearing clock course distance earliest end from latest likely out over position speed time told until way when"
      .split(" ")
      .map((name) => [name, `«${name}»`]),
  ),
  kt: 30,
  method: "classic",
  estimated: true,
  semicircle: null,
  outlook: "expected",
  toString: () => "«value»",
  join: () => "«value»",
};

/** What the sentences of a part have in them: times, distances, numbers. */
function valuesIn(part: object, path = ""): [path: string, values: string[]][] {
  return Object.entries(part).flatMap(([name, of]): [string, string[]][] => {
    if (typeof of === "object") return valuesIn(of, `${path}${name}.`);
    const text: string = typeof of === "function" ? of(values) : of;
    expect(text).not.toMatch(/undefined|null|\[object|^$/);
    return [[path + name, [...new Set(text.match(/«\w+»|\b30\b/g))].sort()]];
  });
}

it("no language leaves a time, a distance or a number out of what it says of storms and the ship", () => {
  const expected = valuesIn({ verdict: en.verdict, ship: en.ship });
  expect(expected.flatMap(([, found]) => found).length).toBeGreaterThan(80);
  for (const { language, verdict, ship } of [fr, es, de, pt, ja, zh])
    expect([language, valuesIn({ verdict, ship })]).toEqual([language, expected]);
});
