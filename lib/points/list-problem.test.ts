import { describe, expect, it } from "vitest";
import type { AllWords } from "#test/all-words.ts";
import { de, en, es, fr, ja, pt, zh } from "#test/all-words.ts";
import { type ListProblem, PointListError, problemsText, problemText } from "./list-problem.ts";

const row = { unit: "line", line: 3 } as const;
const gpx = { kind: "route", name: undefined, number: 2, point: 7 } as const;

/** Problems whose sentences have values in them. */
const valued: ListProblem[] = [
  { code: "largeFile", megabytes: 64 },
  { code: "gpxAngle", axis: "latitude", ...gpx },
  { code: "gpxAngle", axis: "longitude", ...gpx, name: "Brest" },
  { code: "manyCells", line: 3, most: 500 },
  { code: "sameMeaning", line: 1, one: "lat", other: "lat2", role: "latitude" },
  { code: "noColumn", line: 1, axis: "longitude" },
  { code: "missing", axis: "longitude", ...row },
  { code: "wrongAngle", axis: "longitude", written: "361", ...row },
  { code: "noTime", written: "soon", ...row },
  { code: "movedFile", name: "a.csv" },
  { code: "gpxGate", ...gpx },
  { code: "gpxGate", ...gpx, name: "Brest" },
];

describe.each([en, fr, es, de, pt, ja, zh] as AllWords[])("in $language", ({ lists }) => {
  it("every problem is a sentence with all of its values", () => {
    for (const problem of valued) {
      const text = problemText(problem, lists);
      const { code, unit, kind, axis, role, name, ...values } = problem as unknown as Record<string, unknown>;
      for (const value of [name, ...Object.values(values)].filter(Boolean)) {
        // A list with a name needs no number.
        if (value !== gpx.number || !name) expect(text).toContain(String(value));
      }
      expect(text).not.toMatch(/undefined|\[object/);
      expect(text).toMatch(/[.。]$/);
    }
  });
});

it("are in the order of the words of each language", () => {
  const [, nameless, , , same] = valued as [ListProblem, ListProblem, ListProblem, ListProblem, ListProblem];
  expect(problemText(nameless, de.lists)).toBe("Route 2, Punkt 7: die Breite muss −90 bis 90 sein.");
  expect(problemText(nameless, ja.lists)).toBe("ルート2、地点7：緯度は−90～90でなければなりません。");
  expect(problemText(same, fr.lists)).toBe(
    "Ligne 1\u00a0: «\u00a0lat\u00a0» et «\u00a0lat2\u00a0» ressemblent tous deux à la latitude. Gardez-en un.",
  );
});

it("names the first of many, and counts the others", () => {
  const { message, problems } = new PointListError(
    Array.from({ length: 5 }, (_, line) => ({ code: "openQuote", line }) as const),
    9,
  );
  expect(message).toMatch(/^Line 0 has .*\n.*\n.*\n.*\n.*\n… and 4 more\.$/);
  expect(problemsText(problems, de.lists)).toMatch(/\n… und 4 weitere\.$/);
});
