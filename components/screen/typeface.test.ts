import { expect, it } from "vitest";
import { typefaceScript } from "./typeface.ts";

interface Visit {
  /** Milliseconds until the page began. */
  waited?: number;
  saveData?: boolean;
  chosen?: string;
  width?: number;
}

/** Whether the page of a visit has our typeface. */
function hasTypeface({ waited = 20, saveData, chosen, width = 1440 }: Visit): boolean {
  const dataset: Record<string, string> = {};
  new Function("performance", "localStorage", "navigator", "document", "innerWidth", typefaceScript)(
    { getEntriesByType: () => [{ requestStart: 5, responseStart: 5 + waited }] },
    { getItem: (name: string) => (name === "metocean-data-use" ? (chosen ?? null) : null) },
    { connection: { saveData } },
    { documentElement: { dataset } },
    width,
  );
  return "typeface" in dataset;
}

it("the typeface is loaded over a good link", () => expect(hasTypeface({})).toBe(true));

it("a phone has the letters of its device", () => {
  expect(hasTypeface({ width: 390 })).toBe(false);
  expect(hasTypeface({ width: 390, chosen: "full" })).toBe(false);
});

it("it is not loaded over a bad link", () => expect(hasTypeface({ waited: 400 })).toBe(false));

it("it is not loaded where data is to be saved, unless this device was told otherwise", () => {
  expect(hasTypeface({ saveData: true })).toBe(false);
  expect(hasTypeface({ chosen: "light" })).toBe(false);
  expect(hasTypeface({ saveData: true, chosen: "full" })).toBe(true);
});
