import { expect, it } from "vitest";
import { languages } from "./language.ts";
import { formatNumber } from "./number.ts";

it.each(languages)("numbers have the signs of Unicode's CLDR: %s", (language) => {
  for (const [value, decimals] of [
    [1234567.891, 2],
    [-12.34, 1],
    [0.5, 1],
    [99999, 0],
  ] as const) {
    const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
    const expected = new Intl.NumberFormat(language, { ...digits, useGrouping: "always" }).format(value);
    expect(formatNumber(value, decimals, language)).toBe(expected.replace("-", "−"));
  }
});

it("what rounds to nothing has no sign", () => {
  expect(formatNumber(-0.04, 1, "de")).toBe("0,0");
});
