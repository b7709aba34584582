import { expect, it } from "vitest";
import { typefaceScript } from "./typeface.ts";

type Visit = { waited?: number; saveData?: boolean; chosen?: string; width?: number };

it.each([
  ["over a good link", {}, true],
  ["on a phone, which has the letters of its device", { width: 390 }, false],
  ["on a phone, whatever was chosen", { width: 390, chosen: "full" }, false],
  ["over a bad link", { waited: 400 }, false],
  ["where the browser saves data", { saveData: true }, false],
  ["where this device is told to save data", { chosen: "light" }, false],
  ["where this device is told otherwise", { saveData: true, chosen: "full" }, true],
] as [string, Visit, boolean][])(
  "the typeface is loaded %s: %j, %s",
  (_, { waited = 20, saveData, chosen, width = 1440 }, isLoaded) => {
    const dataset: Record<string, string> = {};
    new Function("performance", "localStorage", "navigator", "document", "innerWidth", typefaceScript)(
      { getEntriesByType: () => [{ requestStart: 5, responseStart: 5 + waited }] },
      { getItem: (name: string) => (name === "metocean-data-use" ? (chosen ?? null) : null) },
      { connection: { saveData } },
      { documentElement: { dataset } },
      width,
    );
    expect("typeface" in dataset).toBe(isLoaded);
  },
);
