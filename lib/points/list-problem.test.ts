import { expect, it } from "vitest";
import { de, fr, ja } from "#test/all-words.ts";
import { PointListError, problemsText, problemText } from "./list-problem.ts";

it("is a sentence in the order of the words of each language, with its values", () => {
  const angle = {
    code: "gpxAngle",
    axis: "latitude",
    kind: "route",
    name: undefined,
    number: 2,
    point: 7,
  } as const;
  const same = { code: "sameMeaning", line: 1, one: "lat", other: "lat2", role: "latitude" } as const;
  expect(problemText(angle, de.lists)).toBe("Route 2, Punkt 7: die Breite muss −90 bis 90 sein.");
  expect(problemText(angle, ja.lists)).toBe("ルート2、地点7：緯度は−90～90でなければなりません。");
  expect(problemText(same, fr.lists)).toMatch(/lat.* et .*lat2.* ressemblent tous deux à la latitude/);
});

it("names the first of many, and counts the others", () => {
  const { message, problems } = new PointListError(
    Array.from({ length: 5 }, (_, line) => ({ code: "openQuote", line }) as const),
    9,
  );
  expect(message).toMatch(/^Line 0 has .*\n.*\n.*\n.*\n.*\n… and 4 more\.$/);
  expect(problemsText(problems, de.lists)).toMatch(/\n… und 4 weitere\.$/);
});
