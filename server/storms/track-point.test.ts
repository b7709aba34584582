import { expect, it } from "vitest";
import type { Provider } from "./bulletin.ts";
import { stormCategory, stormType } from "./entry.ts";

const type = (stage: string | null, vmaxKt: number | null, provider: Provider = "jtwc", isInvest = false) =>
  stormType({ provider, isInvest }, { stage, vmaxKt });

it("maps every stage of the decks to a type of the API", () => {
  const words = { DB: "DB WV MD", TD: "TD SD", TS: "TS SS", HU: "HU TY ST", PT: "EX PT ET", LO: "LO DS" };
  for (const [expected, stages] of Object.entries(words)) {
    for (const stage of stages.split(" ")) expect(type(stage, 70)).toBe(expected);
  }
});

it.each([
  [33, "TD"],
  [34, "TS"],
  [63, "TS"],
  [64, "HU"],
  [null, null],
])("derives the type of an unspecific stage from its wind: %s kt is %s", (wind, expected) => {
  for (const stage of ["TC", "IN", "XX", null]) expect(type(stage, wind)).toBe(expected);
});

it("reads jma's categories, and has no type for its invests", () => {
  for (const [stage, expected] of Object.entries({ TD: "TD", TS: "TS", STS: "TS", TY: "HU", LOW: "PT" })) {
    expect(type(stage, 60, "jma")).toBe(expected);
    expect(type(stage, 60, "jma", true)).toBeNull();
  }
  expect(type(null, 60, "jma")).toBeNull();
});

it.each([
  [64, 1],
  [82, 1],
  [83, 2],
  [95, 2],
  [96, 3],
  [112, 3],
  [113, 4],
  [136, 4],
  [137, 5],
])("puts %s kt in category %s", (wind, category) => {
  expect(stormCategory("HU", wind)).toBe(category);
  expect(stormCategory(null, wind)).toBe(category);
});

it("has category 0 for everything but hurricanes, and none without a wind", () => {
  for (const other of ["DB", "TD", "TS", "PT", "LO"] as const) expect(stormCategory(other, 70)).toBe(0);
  expect(stormCategory(null, 63)).toBe(0);
  expect(stormCategory("HU", null)).toBeNull();
});
