import { expect, it } from "vitest";
import { parseText } from "./text.ts";

const now = Date.UTC(2026, 8, 25, 14) / 1000;
const likely = "THE POTENTIAL FOR THE DEVELOPMENT OF A SIGNIFICANT TROPICAL CYCLONE WITHIN THE NEXT 24 HOURS";
const there = "HAS PERSISTED NEAR 12.9N 144.5E";

/** An outlook of one disturbance in JTWC's layout. */
const read = (where: string, chance: string, head = "B.", item = "(1) ") =>
  parseText(
    "abpwweb.txt",
    `ABPW10 PGTW 250600
SUBJ/SIGNIFICANT TROPICAL WEATHER ADVISORY/250600Z-260600ZSEP2026//
RMKS/
1. NORTHERN AREA:
   A. TROPICAL CYCLONE SUMMARY: NONE.
   ${head} TROPICAL DISTURBANCE SUMMARY:
      ${item}THE AREA (INVEST 98W) ${where}. ${likely} ${chance}.
   C. SUBTROPICAL SYSTEM SUMMARY: NONE.//
NNNN
`,
    now,
  );

it.each([
  ["IS HIGH DUE TO LOW VERTICAL WIND SHEAR", "high"],
  ["IS UPGRADED TO HIGH FROM MEDIUM", "high"],
  ["IS NOW MEDIUM AS THE LOW DEEPENS", "medium"],
  ["IS DOWNGRADED FROM HIGH TO LOW", "low"],
  ["REMAINS LOW", "low"],
])("the likelihood is what the potential is said to be: %s", (chance, likelihood) => {
  expect(read(there, chance).outlook!.areas).toMatchObject([{ likelihood }]);
});

it.each(["HAS REMAINED NEARLY STATIONARY NEAR 12.9N 144.5E", "IS CENTERED NEAR 12.9N, 144.5E"])(
  "a place is read where it is stated as: %s",
  (where) => {
    const { outlook, problems } = read(where, "IS HIGH");
    expect(outlook!.areas).toMatchObject([{ place: { lat: 12.9, lon: 144.5 } }]);
    expect(problems).toEqual([]);
  },
);

it("an area whose place is not understood is listed without one, and reported", () => {
  const { outlook, problems } = read("IS SOUTH OF GUAM", "IS HIGH");
  expect(outlook!.areas).toMatchObject([{ designation: "98W", likelihood: "high", place: null }]);
  expect(problems).toEqual([{ line: 0, reason: "INVEST 98W: no position" }]);
});

it.each([
  ["B.", ""],
  ["(B)", "(1) "],
  ["B.", "1. "],
])("an area is read also under the head %s with the number '%s'", (head, item) => {
  expect(read(there, "IS HIGH", head, item).outlook!.areas).toMatchObject([{ designation: "98W" }]);
});

it("an outlook whose likelihood belongs to no section is refused: the last one stays", () => {
  const { outlook, problems } = read(there, "IS HIGH", "D.");
  expect([outlook, problems[0]!.reason]).toEqual([undefined, expect.stringContaining("names no area")]);
});
