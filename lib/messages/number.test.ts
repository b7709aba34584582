import { expect, it } from "vitest";
import { languages } from "./language.ts";
import { formatNumber } from "./number.ts";

it("numbers have the signs of Unicode's CLDR", () => {
  for (const language of languages) {
    for (const [value, decimals] of [
      [1234567.891, 2],
      [-12.34, 1],
      [0.5, 1],
      [99999, 0],
    ] as const) {
      const expected = new Intl.NumberFormat(language, {
        minimumFractionDigits: decimals,
        maximumFractionDigits: decimals,
        useGrouping: "always",
      }).format(value);
      expect([language, formatNumber(value, decimals, language)]).toEqual([
        language,
        expected.replace("-", "−"),
      ]);
    }
  }
});

it("what rounds to nothing has no sign", () => {
  expect(formatNumber(-0.04, 1, "en")).toBe("0.0");
  expect(formatNumber(-0.04, 1, "de")).toBe("0,0");
});
