import { expect, it } from "vitest";
import { typefaceScript } from "./typeface.ts";

interface Visit {
  /** Milliseconds until the page began. */
  waited?: number;
  saveData?: boolean;
  chosen?: string;
}

/** Whether the page of a visit has our typeface. */
function hasTypeface({ waited = 20, saveData, chosen }: Visit): boolean {
  const dataset: Record<string, string> = {};
  new Function("performance", "localStorage", "navigator", "document", typefaceScript)(
    { getEntriesByType: () => [{ requestStart: 5, responseStart: 5 + waited }] },
    { getItem: (name: string) => (name === "metocean-data-use" ? (chosen ?? null) : null) },
    { connection: { saveData } },
    { documentElement: { dataset } },
  );
  return "typeface" in dataset;
}

it("the typeface is loaded over a good link", () => expect(hasTypeface({})).toBe(true));

it("it is not loaded over a bad link", () => expect(hasTypeface({ waited: 400 })).toBe(false));

it("it is not loaded where data is to be saved, unless this device was told otherwise", () => {
  expect(hasTypeface({ saveData: true })).toBe(false);
  expect(hasTypeface({ chosen: "light" })).toBe(false);
  expect(hasTypeface({ saveData: true, chosen: "full" })).toBe(true);
});
